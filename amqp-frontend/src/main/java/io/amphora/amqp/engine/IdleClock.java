package io.amphora.amqp.engine;

/**
 * Decides about silence (conventions 2.3). Difference arithmetic only: the clock may be negative.
 * Owned by the connection loop.
 */
final class IdleClock {

  private static final long MILLI = 1_000_000;

  /** What is due. */
  enum Due {
    NOTHING,
    HEARTBEAT,
    IDLE,
    OPEN_LATE
  }

  private final long idleNanos;
  private final long openNanos;
  private final long start;
  private long lastRead;
  private long lastWrite;
  private boolean idle;

  IdleClock(EngineSettings settings, long nowNanos) {
    this.idleNanos = settings.announcedIdleMillis() * 2L * MILLI;
    this.openNanos = settings.openTimeoutMillis() * MILLI;
    this.start = nowNanos;
    this.lastRead = nowNanos;
    this.lastWrite = nowNanos;
  }

  void read(long nowNanos) {
    lastRead = nowNanos;
  }

  void wrote(long nowNanos) {
    lastWrite = nowNanos;
  }

  Due due(long nowNanos, boolean opened, long peerIdleMillis) {
    if (!opened) {
      return nowNanos - start >= openNanos ? Due.OPEN_LATE : Due.NOTHING;
    }
    if (!idle && nowNanos - lastRead >= idleNanos) {
      idle = true;
      return Due.IDLE;
    }
    boolean beat = peerIdleMillis > 0 && nowNanos - lastWrite >= heartbeatNanos(peerIdleMillis);
    return beat && !idle ? Due.HEARTBEAT : Due.NOTHING;
  }

  /** Less than half of what the peer tolerates, because timers come late. */
  private static long heartbeatNanos(long peerIdleMillis) {
    return peerIdleMillis * MILLI * 2 / 5;
  }

  long nextNanos(boolean opened, long peerIdleMillis) {
    long next = opened ? idleNanos / 4 : Math.max(MILLI, openNanos / 4);
    return peerIdleMillis > 0 ? Math.min(next, heartbeatNanos(peerIdleMillis) / 4) : next;
  }
}
