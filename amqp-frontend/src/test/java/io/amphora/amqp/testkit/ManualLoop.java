package io.amphora.amqp.testkit;

import io.amphora.core.Loop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A loop that runs only when the test says so, with its own clock. */
public final class ManualLoop implements Loop {

  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final List<Timer> timers = new ArrayList<>();
  private long now = Long.MAX_VALUE - 1_000_000_000L; // near the wrap, on purpose (B16)
  private long millis = 1_700_000_000_000L;

  private static final class Timer {
    final long due;
    final Runnable task;
    boolean cancelled;

    Timer(long due, Runnable task) {
      this.due = due;
      this.task = task;
    }
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  @Override
  public Cancellable schedule(long delayNanos, Runnable task) {
    Timer timer = new Timer(now + delayNanos, task);
    timers.add(timer);
    return () -> timer.cancelled = true;
  }

  @Override
  public long nowNanos() {
    return now;
  }

  @Override
  public long nowMillis() {
    return millis;
  }

  @Override
  public boolean inLoop() {
    return true;
  }

  /** Runs everything that is queued, and what that queues. */
  public void runAll() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  /** Timers that wait and are not cancelled. */
  public long timers() {
    return timers.stream().filter(timer -> !timer.cancelled).count();
  }

  /** Lets time pass and runs what becomes due. */
  public void advance(long nanos) {
    long end = now + nanos;
    for (; ; ) {
      runAll();
      Timer next =
          timers.stream()
              .filter(t -> t.due - end <= 0)
              .min(Comparator.comparingLong((Timer t) -> t.due - end))
              .orElse(null);
      if (next == null) {
        break;
      }
      timers.remove(next);
      if (!next.cancelled) {
        move(Math.max(0, next.due - now));
        next.task.run();
      }
    }
    move(end - now);
    runAll();
  }

  private void move(long nanos) {
    now += nanos;
    millis += nanos / 1_000_000;
  }
}
