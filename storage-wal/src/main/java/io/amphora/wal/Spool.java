package io.amphora.wal;

import java.util.function.Consumer;

/**
 * The body of one large message on its way into a log, in a file outside the log. It is never
 * durable: what was not appended is gone after a restart. Its methods are called by the owner (the
 * executor given to {@link Wal#openSpool}) and never block; results are posted to the owner.
 */
public interface Spool {

  /** Most bytes of one spool. */
  long MAX_BYTES = 1L << 30;

  /** Most bytes of one {@link #write}. */
  int MAX_WRITE_BYTES = 4 << 20;

  /**
   * Adds bytes at the end. Writes are carried out in order; several may be on their way.
   *
   * @param bytes not to be changed until {@code done}
   * @param length 1 to {@link #MAX_WRITE_BYTES}
   * @param done gets the bytes written so far; or {@code BUSY} when the disk thread's queue is full
   *     (nothing was written, the same write may be tried again when no later one was made), {@code
   *     DISK_FULL} or {@code IO} (the spool is of no use any more, its file is erased already), or
   *     {@code CLOSED} after {@link #discard}
   * @throws IllegalArgumentException when the spool would pass {@link #MAX_BYTES}
   */
  void write(byte[] bytes, int start, int length, Consumer<WalResult<Long>> done);

  /** Bytes whose write was answered. */
  long size();

  /**
   * Ends the writing: the bytes belong to the caller's batch now, and {@link #discard} does nothing
   * any more. {@link RecordBatchBuilder#addSpooled} calls it.
   *
   * @throws IllegalStateException while a write is not answered, after one that failed otherwise
   *     than {@code BUSY}, and after {@link #discard} or an earlier call
   */
  SpooledBody finish();

  /** Erases the file. Does nothing when that was done already, or after {@link #finish}. */
  void discard();
}
