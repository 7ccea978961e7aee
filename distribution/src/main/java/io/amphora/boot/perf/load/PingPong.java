package io.amphora.boot.perf.load;

import io.amphora.boot.perf.wire.Counts;
import io.amphora.boot.perf.wire.Schedule;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;

/**
 * One message at a time: the next may go when the last was both accepted and received. The threads
 * of both connections report; whichever comes second ends the trip.
 */
final class PingPong {

  private static final int HALVES = 2;

  private final Schedule schedule = Schedule.count(0);
  private final AtomicInteger missing = new AtomicInteger(HALVES);
  private final Histogram trips = Counts.histogram();
  private final Runnable wakeup;
  private final long limit;
  private long begun;
  private long done;
  private volatile long recordedFrom = Long.MAX_VALUE;

  /**
   * @param limit trips at most
   */
  PingPong(Runnable wakeup, long limit) {
    this.wakeup = wakeup;
    this.limit = limit;
  }

  Schedule schedule() {
    return schedule;
  }

  /** The first message may go. */
  void begin() {
    begun = System.nanoTime();
    schedule.release();
    wakeup.run();
  }

  /** A message was accepted, or received. */
  void half() {
    if (missing.decrementAndGet() > 0) {
      return;
    }
    long now = System.nanoTime();
    if (begun >= recordedFrom) {
      trips.recordValue(now - begun);
    }
    done++;
    begun = now;
    missing.set(HALVES); // publishes both fields to the thread that ends the next trip
    if (done < limit) {
      schedule.release();
      wakeup.run();
    }
  }

  /** Trips count that begin from then on. */
  void recordFrom(long nanos) {
    recordedFrom = nanos;
  }

  /** Nanoseconds; read when both connections ended. */
  Histogram trips() {
    return trips;
  }
}
