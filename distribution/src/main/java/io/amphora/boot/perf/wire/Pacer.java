package io.amphora.boot.perf.wire;

import java.util.concurrent.locks.LockSupport;

/** Wakes a connection when its next message is due: select itself only knows milliseconds. */
public final class Pacer implements AutoCloseable {

  private static final long UNTIL_STARTED_NANOS = 1_000_000;

  private final Thread thread;
  private volatile boolean stopped;

  /** Starts at once. */
  public Pacer(Schedule schedule, Wire wire) {
    thread = new Thread(() -> run(schedule, wire), "pacer");
    thread.setDaemon(true);
    thread.start();
  }

  private void run(Schedule schedule, Wire wire) {
    long interval = schedule.intervalNanos();
    while (!stopped) {
      if (!schedule.started()) {
        LockSupport.parkNanos(UNTIL_STARTED_NANOS);
        continue;
      }
      long since = System.nanoTime() - schedule.start();
      long next = schedule.start() + (since / interval + 1) * interval;
      LockSupport.parkNanos(next - System.nanoTime());
      wire.wakeup();
    }
  }

  @Override
  public void close() {
    stopped = true;
    LockSupport.unpark(thread);
  }
}
