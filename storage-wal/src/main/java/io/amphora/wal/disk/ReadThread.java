package io.amphora.wal.disk;

import io.amphora.wal.WalException;
import io.amphora.wal.WalResult;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The one thread for cold reads, and its bounded queue. */
final class ReadThread {

  private static final int MAX_QUEUED = 4096;

  /** What is read. */
  interface Read<T> {
    T with(ColdReader reader) throws IOException;
  }

  /** Files of a folder that were opened before this generation. */
  private record Outdated(PartitionFolder folder, long generation) {}

  private final ReadFiles readFiles;
  private final Queue<Outdated> outdated = new ConcurrentLinkedQueue<>();
  private final ColdReader reader;
  private final ThreadPoolExecutor thread;

  ReadThread(Files files, int maxOpenFiles) {
    readFiles = new ReadFiles(files, maxOpenFiles);
    reader = new ColdReader(readFiles);
    thread =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_QUEUED),
            task -> {
              Thread created = new Thread(task, "amphora-read");
              created.setDaemon(true);
              return created;
            });
  }

  <T> void submit(SegmentedLog log, Read<T> read, Consumer<WalResult<T>> done) {
    Owner owner = log.owner();
    try {
      thread.execute(() -> run(log, read, done));
    } catch (RejectedExecutionException e) {
      WalException.Kind kind =
          thread.isShutdown() ? WalException.Kind.CLOSED : WalException.Kind.BUSY;
      owner.failed(done, new WalException(kind, "the read queue takes no more"));
    }
  }

  private <T> void run(SegmentedLog log, Read<T> read, Consumer<WalResult<T>> done) {
    Owner owner = log.owner();
    try {
      closeOutdated();
      LogHandle.checkUsable(log);
      owner.ok(done, read.with(reader));
    } catch (WalException e) {
      owner.failed(done, e);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      String what = "reading " + log.name() + " failed: " + e.getMessage();
      owner.failed(done, new WalException(WalException.Kind.IO, what, e));
    }
  }

  /**
   * Lets go of the files of a folder that were opened before the generation: they may be erased,
   * and give their space back only when nobody has them open. Any thread.
   */
  void forget(PartitionFolder folder, long generation) {
    outdated.add(new Outdated(folder, generation));
    try {
      thread.execute(this::closeOutdated);
    } catch (RejectedExecutionException e) {
      // what waits in the queue does it, and a thread that is shut down closes everything
    }
  }

  private void closeOutdated() {
    for (Outdated next = outdated.poll(); next != null; next = outdated.poll()) {
      readFiles.forget(next.folder(), next.generation());
    }
  }

  /** Finishes what is queued, then ends. */
  void close() {
    thread.shutdown();
    boolean interrupted = false;
    while (!thread.isTerminated()) {
      try {
        thread.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    readFiles.closeAll(); // its owner is gone
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
