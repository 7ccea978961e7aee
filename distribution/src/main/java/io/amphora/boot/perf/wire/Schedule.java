package io.amphora.boot.perf.wire;

import java.util.concurrent.atomic.AtomicLong;

/**
 * When messages are due. A fixed rate keeps its plan whatever the broker does: a message that had
 * to wait counts its latency from when it was due, which is what corrects for coordinated omission.
 * The plan begins when the first message can be sent. One thread takes; {@link #stop} and {@link
 * #release} may come from any.
 */
public final class Schedule {

  /** Nothing is due. */
  public static final long NOTHING = Long.MIN_VALUE;

  private static final long NOT_YET = Long.MIN_VALUE;

  private final long intervalNanos;
  private final AtomicLong allowed;
  private final AtomicLong taken = new AtomicLong();
  private volatile long start = NOT_YET;
  private volatile long end = Long.MAX_VALUE;
  private long nextDue;

  private Schedule(long intervalNanos, long allowed) {
    this.intervalNanos = intervalNanos;
    this.allowed = new AtomicLong(allowed);
  }

  /** As fast as credit allows, so many messages; {@link Long#MAX_VALUE} for no limit. */
  public static Schedule count(long count) {
    return new Schedule(0, count);
  }

  /**
   * So many messages a second, evenly.
   *
   * @param perSecond above 0
   * @param count at most; {@link Long#MAX_VALUE} for no limit
   */
  public static Schedule rate(double perSecond, long count) {
    return new Schedule(Math.max(1, (long) (1e9 / perSecond)), count);
  }

  /** Takes the next message if it is due: the time from which its latency counts. */
  long next(long now) {
    if (start == NOT_YET) {
      nextDue = now;
      start = now;
    }
    long due = intervalNanos == 0 ? now : nextDue;
    if (due > now || due > end || taken.getPlain() >= allowed.get()) {
      return NOTHING;
    }
    nextDue = due + intervalNanos;
    taken.lazySet(taken.getPlain() + 1);
    return due;
  }

  /** Nanoseconds between messages, 0 when there is no plan. */
  public long intervalNanos() {
    return intervalNanos;
  }

  /** True when the first message could be sent. */
  boolean started() {
    return start != NOT_YET;
  }

  /** When the first message was due. */
  long start() {
    return start;
  }

  /** One more message is allowed. */
  public void release() {
    allowed.incrementAndGet();
  }

  /** Nothing is due any more but what a rate had planned until now. */
  public void stop() {
    if (end == Long.MAX_VALUE) {
      end = System.nanoTime();
    }
  }

  /**
   * After {@link #stop}: messages that were taken, or still will be when the broker allows it.
   * Under a rate it is what the plan had until the end, whether or not the broker kept up.
   */
  public long planned() {
    if (intervalNanos == 0 || !started()) {
      return taken.get();
    }
    return Math.min(allowed.get(), Math.max(0, end - start) / intervalNanos + 1);
  }
}
