package io.amphora.core;

import java.util.concurrent.Executor;

/**
 * A single-threaded event loop: the owner of some state. Tasks run one at a time, in the order they
 * were given. Nothing on a loop may block.
 */
public interface Loop extends Executor {

  /** Runs the task on this loop, later, also when called from the loop. Never blocks. */
  @Override
  void execute(Runnable task);

  /**
   * Runs the task once after a delay.
   *
   * @param delayNanos at least 0
   */
  Cancellable schedule(long delayNanos, Runnable task);

  /** Monotonic clock, nanoseconds; only differences mean something. */
  long nowNanos();

  /** Wall clock, milliseconds since 1970. */
  long nowMillis();

  /** True when the caller runs on this loop. */
  boolean inLoop();

  /** A scheduled task that may still be called off. */
  interface Cancellable {
    /** Does nothing when it has run or was cancelled. */
    void cancel();
  }
}
