package io.amphora.bench.wire;

import java.util.concurrent.atomic.AtomicLong;

/**
 * When messages are due. A fixed rate keeps its plan whatever the broker does: a message that had
 * to wait counts its latency from when it was due, which is what corrects for coordinated omission.
 * One thread takes; {@link #stop} and {@link #release} may come from any.
 */
public final class Schedule {

  /** Nothing is due. */
  public static final long NOTHING = Long.MIN_VALUE;

  private final long intervalNanos;
  private final AtomicLong allowed;
  private final long start;
  private long nextDue;
  private long taken;
  private volatile boolean stopped;

  private Schedule(long intervalNanos, long allowed) {
    this.intervalNanos = intervalNanos;
    this.allowed = new AtomicLong(allowed);
    this.start = System.nanoTime();
    this.nextDue = start;
  }

  /** As fast as credit allows. */
  public static Schedule unlimited() {
    return new Schedule(0, Long.MAX_VALUE);
  }

  /** As fast as credit allows, so many messages. */
  public static Schedule count(long count) {
    return new Schedule(0, count);
  }

  /**
   * So many messages a second, evenly.
   *
   * @param perSecond above 0
   */
  public static Schedule rate(double perSecond) {
    return new Schedule(Math.max(1, (long) (1e9 / perSecond)), Long.MAX_VALUE);
  }

  /** Takes the next message if it is due: the time from which its latency counts. */
  long next(long now) {
    if (stopped || taken >= allowed.get()) {
      return NOTHING;
    }
    if (intervalNanos == 0) {
      taken++;
      return now;
    }
    long due = nextDue;
    if (due > now) {
      return NOTHING;
    }
    taken++;
    nextDue = due + intervalNanos;
    return due;
  }

  /** Nanoseconds between messages, 0 when there is no plan. */
  public long intervalNanos() {
    return intervalNanos;
  }

  /** When the first message is due. */
  public long start() {
    return start;
  }

  /** One more message is allowed. */
  public void release() {
    allowed.incrementAndGet();
  }

  /** Nothing is due any more. */
  public void stop() {
    stopped = true;
  }
}
