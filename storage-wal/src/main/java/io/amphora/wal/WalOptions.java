package io.amphora.wal;

/**
 * How one log is kept on disk.
 *
 * @param segmentBytes a segment is closed when it would grow past this size; 1 MiB to 1 GiB
 * @param segmentMillis a segment is closed when its first record is older than this, milliseconds
 * @param flush when an append counts as safe
 * @param flushIntervalMillis longest time between write and force under {@link
 *     FlushPolicy#INTERVAL}, milliseconds, at least 1
 */
public record WalOptions(
    long segmentBytes, long segmentMillis, FlushPolicy flush, long flushIntervalMillis) {

  /** Segments of 1 GiB or 7 days, forced before they are acknowledged. */
  public static final WalOptions DEFAULT =
      new WalOptions(1L << 30, 7L * 24 * 3600 * 1000, FlushPolicy.COMMIT, 100);

  public WalOptions {
    if (segmentBytes < 1 << 20 || segmentBytes > 1L << 30) {
      throw new IllegalArgumentException("segmentBytes must be 1 MiB to 1 GiB: " + segmentBytes);
    }
    if (segmentMillis < 1 || flushIntervalMillis < 1) {
      throw new IllegalArgumentException("times must be at least 1 ms");
    }
  }
}
