package io.amphora.wal.disk;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * Forces many files at once (ADR 0002). The disk thread hands over a round and waits for all of it;
 * a file is forced exactly once, whatever comes of it.
 */
final class ForcePool {

  private final int threads;
  private final ExecutorService pool;

  ForcePool(int threads) {
    this.threads = threads;
    this.pool =
        Executors.newFixedThreadPool(
            threads,
            task -> {
              Thread thread = new Thread(task, "amphora-force");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Forces every file and waits.
   *
   * @return for each file, in order, the error it ended with
   */
  List<Optional<IOException>> force(List<Files.Handle> files) {
    AtomicReferenceArray<Optional<IOException>> results = new AtomicReferenceArray<>(files.size());
    AtomicInteger next = new AtomicInteger();
    Runnable work = () -> forceNext(files, next, results);
    int helpers = Math.min(threads, files.size()) - 1;
    if (helpers <= 0) {
      work.run();
    } else {
      forceTogether(work, helpers);
    }
    return IntStream.range(0, files.size()).mapToObj(results::get).toList();
  }

  private void forceTogether(Runnable work, int helpers) {
    CountDownLatch latch = new CountDownLatch(helpers);
    for (int i = 0; i < helpers; i++) {
      pool.execute(
          () -> {
            try {
              work.run();
            } finally {
              latch.countDown();
            }
          });
    }
    work.run();
    awaitQuietly(latch);
  }

  private static void forceNext(
      List<Files.Handle> files,
      AtomicInteger next,
      AtomicReferenceArray<Optional<IOException>> results) {
    int index = next.getAndIncrement();
    while (index < files.size()) {
      results.set(index, forceOne(files.get(index)));
      index = next.getAndIncrement();
    }
  }

  private static Optional<IOException> forceOne(Files.Handle file) {
    try {
      file.force();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e);
    } catch (RuntimeException e) {
      return Optional.of(new IOException("force failed", e));
    }
  }

  /** A force cannot be abandoned: an interrupt is remembered and the wait goes on. */
  private static void awaitQuietly(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  void close() {
    pool.shutdown();
  }
}
