package io.amphora.core.sim;

import io.amphora.core.Loop;

/** A scheduled task of a {@link SimLoop}. */
final class SimTimer implements Loop.Cancellable, Comparable<SimTimer> {

  final SimLoop loop;
  final long dueNanos;
  private final long number;
  private final Runnable task;
  private boolean cancelled;

  SimTimer(SimLoop loop, long dueNanos, long number, Runnable task) {
    this.loop = loop;
    this.dueNanos = dueNanos;
    this.number = number;
    this.task = task;
  }

  void fire() {
    if (!cancelled) {
      loop.execute(this::run);
    }
  }

  private void run() {
    if (!cancelled) {
      cancelled = true;
      task.run();
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
  }

  @Override
  public int compareTo(SimTimer other) {
    int byTime = Long.compare(dueNanos, other.dueNanos);
    return byTime != 0 ? byTime : Long.compare(number, other.number);
  }
}
