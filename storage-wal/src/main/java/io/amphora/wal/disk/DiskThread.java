package io.amphora.wal.disk;

import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import io.amphora.wal.WalResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes. Each turn takes what is queued, writes the batches log by log, forces
 * every dirty file once, and reports to each owner once: group commit clocked by the disk, without
 * lingering. Any other command is carried out between two such rounds.
 */
final class DiskThread {

  private static final Logger LOG = LoggerFactory.getLogger(DiskThread.class);

  /** Bounds how many bytes of a log can be unforced at once, and how long a round takes. */
  static final long ROUND_BYTES = 8L << 20;

  private static final int ROUND_COMMANDS = 8192;
  private static final long SPACE_CHECK_NANOS = 500_000_000L;

  /** A command with an answer. */
  interface Request<T> {
    T run() throws IOException;
  }

  private final CommandQueue queue;
  private final LogStore store;
  private final DiskTools tools;
  private final ForcePool pool;
  private final Thread thread;
  private final Set<SegmentedLog> round = new LinkedHashSet<>();
  private final Set<SegmentedLog> dirty = new LinkedHashSet<>();
  private final Set<SegmentedLog> unfinished = new LinkedHashSet<>();
  private long lastSpaceCheck;
  private volatile boolean stopped;

  DiskThread(DiskOptions options, DiskTools tools, LogStore store) {
    this.queue = new CommandQueue(options.maxQueuedCommands(), options.maxQueuedBytes());
    this.pool = new ForcePool(options.forceThreads());
    this.tools = tools;
    this.store = store;
    this.thread = new Thread(this::loop, "amphora-disk");
    this.thread.setDaemon(true);
  }

  void start() {
    lastSpaceCheck = System.nanoTime();
    thread.start();
  }

  // ---- called by any thread

  boolean append(SegmentedLog log, RecordBatch batch) {
    return !stopped && queue.offer(new CommandQueue.Command.Append(log, batch));
  }

  void submit(Owner owner, Runnable work, Consumer<WalResult<Boolean>> done) {
    request(
        owner,
        () -> {
          work.run();
          return true;
        },
        done);
  }

  <T> void request(Owner owner, Request<T> request, Consumer<WalResult<T>> done) {
    if (stopped) {
      owner.failed(done, whyNot());
      return;
    }
    if (!queue.offer(new CommandQueue.Command.Task(() -> answer(owner, request, done)))) {
      owner.failed(done, whyNot());
    }
  }

  /**
   * A request that touches no log: it does not end the round.
   *
   * @param bytes memory that waits with it
   * @return false when it was not queued, for {@link #whyNot}
   */
  <T> boolean aside(int bytes, Owner owner, Request<T> request, Consumer<WalResult<T>> done) {
    return !stopped
        && queue.offer(new CommandQueue.Command.Aside(() -> answer(owner, request, done), bytes));
  }

  boolean isStopped() {
    return stopped;
  }

  /** Why a command was not queued. */
  WalException whyNot() {
    return stopped
        ? new WalException(WalException.Kind.CLOSED, "the store is closed")
        : new WalException(WalException.Kind.BUSY, "the disk thread's queue is full");
  }

  /** Erases a spool; the number of spools bounds how many of these wait. */
  void erase(SpoolFile file) {
    if (!stopped) {
      queue.put(file::erase);
    }
  }

  CommandQueue queue() {
    return queue;
  }

  LogStore store() {
    return store;
  }

  /** Finishes what is queued, closes every log, and waits for the end. */
  void close() {
    if (!stopped) {
      CommandQueue.Command.Task stop = new CommandQueue.Command.Task(() -> stopped = true);
      while (!queue.offer(stop)) {
        Thread.onSpinWait();
      }
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  // ---- the disk thread

  private static <T> void answer(Owner owner, Request<T> request, Consumer<WalResult<T>> done) {
    try {
      owner.ok(done, request.run());
    } catch (WalException e) {
      owner.failed(done, e);
    } catch (Files.DiskFullException e) {
      owner.failed(done, new WalException(WalException.Kind.DISK_FULL, "no space left", e));
    } catch (IOException | RuntimeException e) {
      owner.failed(done, new WalException(WalException.Kind.IO, String.valueOf(e), e));
    }
  }

  private void loop() {
    while (!stopped) {
      guarded(this::turn);
    }
    do { // what slipped in behind the stop is answered, too
      guarded(this::turn);
    } while (queue.queuedCommands() > 0 || !unfinished.isEmpty());
    guarded(store::closeAll);
    guarded(tools.spools()::close);
    pool.close();
  }

  /** A fault of ours must not leave owners waiting: every log is failed and the node is told. */
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.error("the disk thread met an unexpected error, every log is given up", e);
      store.failAll(new IOException("unexpected error in the disk thread: " + e, e));
      tools.onFault().accept(e);
    }
  }

  private void turn() {
    List<CommandQueue.Command> commands = new ArrayList<>();
    queue.drain(commands, ROUND_COMMANDS, ROUND_BYTES);
    long bytes = 0;
    try {
      resume();
      for (CommandQueue.Command command : commands) {
        bytes += take(command);
      }
      finishRound();
    } finally {
      queue.release(commands.size(), bytes);
    }
    checkSpace();
    if (commands.isEmpty() && unfinished.isEmpty() && !stopped) {
      queue.await(nanosToWait());
    }
  }

  private int take(CommandQueue.Command command) {
    if (command instanceof CommandQueue.Command.Append append) {
      append.log().enqueue(append.batch());
      addToRound(append.log());
      return command.heldBytes();
    }
    if (command instanceof CommandQueue.Command.Aside aside) {
      aside.work().run();
      return command.heldBytes();
    }
    finishEverything();
    ((CommandQueue.Command.Task) command).work().run();
    return 0;
  }

  private void addToRound(SegmentedLog log) {
    round.add(log);
    if (round.size() >= tools.openFiles().limit()) {
      finishRound(); // each log of a round has its file open
    }
  }

  /** Logs that had more to write than their last round could take go on. */
  private void resume() {
    List<SegmentedLog> logs = List.copyOf(unfinished);
    unfinished.clear();
    logs.forEach(this::addToRound);
  }

  /** What is not an append finds all that was appended before it written. */
  private void finishEverything() {
    finishRound();
    while (!unfinished.isEmpty()) {
      resume();
      finishRound();
    }
  }

  private void finishRound() {
    long now = System.nanoTime();
    for (SegmentedLog log : round) {
      log.writePending(now);
      if (log.hasPending()) {
        unfinished.add(log);
      }
    }
    dirty.addAll(round);
    forceDue(now);
    round.forEach(SegmentedLog::report);
    round.clear();
    tools.openFiles().trim();
  }

  private void forceDue(long now) {
    List<SegmentedLog> due = new ArrayList<>();
    List<Files.Handle> files = new ArrayList<>();
    for (SegmentedLog log : dirty) {
      if (log.nanosUntilForce(now) == 0) {
        addFile(log, due, files);
      }
    }
    if (due.isEmpty()) {
      dirty.removeIf(log -> log.nanosUntilForce(now) == Long.MAX_VALUE);
      return;
    }
    long start = System.nanoTime();
    List<Optional<IOException>> results = pool.force(files);
    tools.meter().onForces(files.size(), System.nanoTime() - start);
    for (int i = 0; i < due.size(); i++) {
      SegmentedLog log = due.get(i);
      results.get(i).ifPresentOrElse(log::fail, log::onForced);
      log.report();
    }
    dirty.removeIf(log -> log.nanosUntilForce(now) == Long.MAX_VALUE);
  }

  private static void addFile(SegmentedLog log, List<SegmentedLog> due, List<Files.Handle> files) {
    try {
      files.add(log.fileToForce());
      due.add(log);
    } catch (IOException e) {
      log.fail(e);
    }
  }

  /** The log's flush policy changed. */
  void reconsider(SegmentedLog log) {
    dirty.add(log);
  }

  private void checkSpace() {
    long now = System.nanoTime();
    if (now - lastSpaceCheck >= SPACE_CHECK_NANOS) {
      lastSpaceCheck = now;
      tools.meter().checkSpace();
    }
  }

  private long nanosToWait() {
    long now = System.nanoTime();
    long wait = SPACE_CHECK_NANOS;
    for (SegmentedLog log : dirty) {
      wait = Math.min(wait, log.nanosUntilForce(now));
    }
    return wait;
  }
}
