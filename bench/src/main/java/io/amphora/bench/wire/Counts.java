package io.amphora.bench.wire;

import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * What a connection did. One thread writes, any thread reads the counters; the histogram is read
 * only after the connection ended.
 */
public final class Counts {

  private static final long HIGHEST_NANOS = 60_000_000_000L;

  private final AtomicLong done = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final Histogram latency = new Histogram(HIGHEST_NANOS, 3);
  private volatile boolean recording;

  void done(long latencyNanos) {
    done.lazySet(done.getPlain() + 1);
    if (recording) {
      latency.recordValue(Math.max(0, Math.min(latencyNanos, HIGHEST_NANOS)));
    }
  }

  void refused() {
    refused.lazySet(refused.getPlain() + 1);
  }

  /** Messages accepted by the peer, or received and accepted here. */
  public long total() {
    return done.get();
  }

  /** Messages the peer did not accept. */
  public long refusedTotal() {
    return refused.get();
  }

  /** From now on latencies count, or no longer. */
  public void record(boolean on) {
    recording = on;
  }

  /** Latencies in nanoseconds. */
  public Histogram latency() {
    return latency;
  }
}
