package io.amphora.boot.perf.wire;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * What a connection did. Its thread writes, any thread reads the counters; the histogram is read
 * only after the connection ended.
 */
public final class Counts {

  private static final long HIGHEST_NANOS = 3_600_000_000_000L;
  private static final int DIGITS = 3;

  private final AtomicLong done = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong others = new AtomicLong();
  private final Histogram latency = histogram();
  private volatile long recordedFrom = Long.MAX_VALUE;
  private volatile Optional<String> refusal = Optional.empty();

  /** For latencies in nanoseconds up to an hour, three digits. */
  public static Histogram histogram() {
    return new Histogram(HIGHEST_NANOS, DIGITS);
  }

  void done(long size) {
    done.lazySet(done.getPlain() + 1);
    bytes.lazySet(bytes.getPlain() + size);
  }

  /** One that has a time from which its latency counts. */
  void done(long size, long due, long now) {
    done(size);
    if (due >= recordedFrom) {
      latency.recordValue(Math.max(0, Math.min(now - due, HIGHEST_NANOS)));
    }
  }

  void refused(String why) {
    if (refusal.isEmpty()) {
      refusal = Optional.of(why);
    }
    refused.lazySet(refused.getPlain() + 1);
  }

  void other() {
    others.lazySet(others.getPlain() + 1);
  }

  /** Messages accepted by the peer, or received and accepted here. */
  public long total() {
    return done.get();
  }

  /** Bytes of their bodies when sent, of the whole messages when received. */
  public long bytes() {
    return bytes.get();
  }

  /** Messages the peer did not accept. */
  public long refusedTotal() {
    return refused.get();
  }

  /** Why the first of them was not accepted. */
  public Optional<String> refusal() {
    return refusal;
  }

  /** Messages that were received and accepted, but were sent by somebody else. */
  public long others() {
    return others.get();
  }

  /** Latencies count of messages that were due from then on ({@link System#nanoTime}). */
  public void recordFrom(long nanos) {
    recordedFrom = nanos;
  }

  /** Latencies in nanoseconds. */
  public Histogram latency() {
    return latency;
  }
}
