package io.amphora.wal.disk;

import io.amphora.wal.LogListener;
import io.amphora.wal.LogName;
import io.amphora.wal.LogState;
import io.amphora.wal.OpenRequest;
import io.amphora.wal.OpenedLog;
import io.amphora.wal.ReadResult;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.Wal;
import io.amphora.wal.WalException;
import io.amphora.wal.WalLog;
import io.amphora.wal.WalOptions;
import io.amphora.wal.WalResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The owner of a log in tests: runs what is posted to it on the test's own thread. */
final class LogOwner implements LogListener {

  private final LinkedBlockingQueue<Runnable> posted = new LinkedBlockingQueue<>();
  final List<WalException> failures = new ArrayList<>();
  final List<Long> rejected = new ArrayList<>();
  LogState state;
  WalLog log;
  OpenedLog opened;

  @Override
  public void onProgress(LogState now) {
    state = now;
  }

  @Override
  public void onRejected(long fromOffset, WalException error) {
    rejected.add(fromOffset);
  }

  @Override
  public void onFailure(WalException error) {
    failures.add(error);
  }

  OpenedLog open(Wal wal, LogName name, WalOptions options) {
    return open(wal, name, options, new byte[] {7});
  }

  OpenedLog open(Wal wal, LogName name, WalOptions options, byte[] meta) {
    opened = await(done -> wal.open(new OpenRequest(name, options, meta, posted::add, this), done));
    log = opened.log();
    state = opened.state();
    return opened;
  }

  /** Appends and waits until the batch is durable, refused, or the log failed. */
  void appendDurably(RecordBatch batch) {
    append(batch);
    awaitDurable(batch.endOffset());
  }

  void append(RecordBatch batch) {
    if (!log.append(batch)) {
      throw new AssertionError("the queue is full");
    }
  }

  void awaitDurable(long offset) {
    int before = rejected.size();
    runUntil(() -> state.durableEnd() >= offset || rejected.size() > before || !failures.isEmpty());
  }

  LogState truncateTo(long offset) {
    return state = await(done -> log.truncateTo(offset, done));
  }

  LogState truncateBefore(long offset) {
    return state = await(done -> log.truncateBefore(offset, done));
  }

  LogState retain(long limit, long olderThan, long maxBytes) {
    return state = await(done -> log.retain(limit, olderThan, maxBytes, done));
  }

  LogState close() {
    return state = await(done -> log.close(done));
  }

  List<RecordBatch> read(long from) {
    return this.<ReadResult>await(done -> log.read(from, Long.MAX_VALUE, 1 << 20, done)).batches();
  }

  /** Everything from the log start to the end. */
  List<RecordBatch> readAll() {
    List<RecordBatch> all = new ArrayList<>();
    long at = state.logStart();
    while (at < state.writtenEnd()) {
      List<RecordBatch> some = read(at);
      if (some.isEmpty()) {
        throw new AssertionError("nothing at " + at + " of " + state);
      }
      all.addAll(some);
      at = some.get(some.size() - 1).endOffset();
    }
    return all;
  }

  <T> T await(Consumer<Consumer<WalResult<T>>> request) {
    CompletableFuture<WalResult<T>> answer = new CompletableFuture<>();
    request.accept(answer::complete);
    runUntil(answer::isDone);
    return answer.join().orThrow();
  }

  void runUntil(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      try {
        Runnable task = posted.poll(30, TimeUnit.SECONDS);
        if (task == null) {
          throw new AssertionError("the log did not answer; state " + state);
        }
        task.run();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Runs what was posted so far. */
  void runPosted() {
    Runnable task = posted.poll();
    while (task != null) {
      task.run();
      task = posted.poll();
    }
  }

  void post(Runnable task) {
    posted.add(task);
  }
}
