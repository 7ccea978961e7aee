package io.amphora.wal;

import java.util.List;
import java.util.function.Consumer;

/**
 * Handle on one open log. Its methods are called by the owner (the executor given at open) and
 * never block; results are posted to the owner.
 */
public interface WalLog {

  /** Most bytes of one {@link #readBody}. */
  int MAX_BODY_READ_BYTES = 1 << 20;

  LogName name();

  /**
   * Queues a sealed batch. Batches must follow each other without a gap. Progress is told by {@link
   * LogListener#onProgress}. The spool of a head-only batch is the log's when this returns true: it
   * is copied in, and erased whatever becomes of the append.
   *
   * @return false when the disk thread's queue is full; nothing was queued
   */
  boolean append(RecordBatch batch);

  /**
   * Reads batches from the one that holds {@code fromOffset}, on the thread for cold reads. A batch
   * of one record that is larger than {@link RecordBatch#LARGE_BYTES} comes back head only; its
   * checksum was verified over the whole.
   *
   * @param fromOffset offset to start at; {@code OUT_OF_RANGE} below the log start
   * @param limitOffset batches that start at or above it are not returned
   * @param maxBytes stop before this many bytes in memory, but return at least one batch
   */
  void read(long fromOffset, long limitOffset, int maxBytes, Consumer<WalResult<ReadResult>> done);

  /**
   * Reads a piece of the body of one record, on the thread for cold reads. The checksum of a batch
   * is verified when the first piece is asked for, unless {@link #read} has just done it.
   *
   * @param offset offset of the record; {@code OUT_OF_RANGE} below the log start (retention took
   *     it) and from the end on
   * @param from first byte of the piece, 0 to the body's length, {@code OUT_OF_RANGE} beyond
   * @param length most bytes, 1 to {@link #MAX_BODY_READ_BYTES}; fewer come when the body ends
   */
  void readBody(long offset, long from, int length, Consumer<WalResult<byte[]>> done);

  /**
   * Smallest offset whose batch has a maximum timestamp at or after {@code timestampMillis}; the
   * end when there is none.
   */
  void offsetForTime(long timestampMillis, Consumer<WalResult<Long>> done);

  /** Leader epochs and where they start, oldest first; kept beyond retention (safety rule 10). */
  List<EpochStart> epochs();

  /** Drops everything from {@code offset} on, shortens the files and forces them. */
  void truncateTo(long offset, Consumer<WalResult<LogState>> done);

  /**
   * Makes {@code offset} the new log start. Only segments wholly below it are erased.
   *
   * @param offset at most the high watermark (safety rule 10)
   */
  void truncateBefore(long offset, Consumer<WalResult<LogState>> done);

  /**
   * Erases closed segments, oldest first, that are wholly below {@code limitOffset} and either
   * older than {@code olderThanMillis} (append time of their last record) or needed to bring the
   * log down to {@code maxBytes}.
   *
   * @param olderThanMillis wall-clock time in milliseconds; Long.MIN_VALUE keeps by age
   * @param maxBytes size to shrink to; Long.MAX_VALUE keeps by size
   */
  void retain(
      long limitOffset, long olderThanMillis, long maxBytes, Consumer<WalResult<LogState>> done);

  /** Changes segment size and flush policy for what is appended from now on. */
  void configure(WalOptions options);

  /** Forces and closes the files. */
  void close(Consumer<WalResult<LogState>> done);
}
