package io.amphora.boot.perf.load;

/**
 * How much to measure.
 *
 * @param warmupSeconds before anything counts
 * @param seconds that count; infinite when only messages count
 * @param messages at most; {@link Long#MAX_VALUE} when only the time counts
 */
public record Amount(double warmupSeconds, double seconds, long messages) {

  /** So long. */
  public static Amount seconds(double warmup, double seconds) {
    return new Amount(warmup, seconds, Long.MAX_VALUE);
  }

  /** So many; all of them count. */
  public static Amount messages(long count) {
    return new Amount(0, Double.POSITIVE_INFINITY, count);
  }

  /** True when a number of messages ends it. */
  boolean counted() {
    return messages != Long.MAX_VALUE;
  }
}
