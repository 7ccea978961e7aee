package io.amphora.wal;

/** What the owner of a log is told. All calls arrive on the executor given when it was opened. */
public interface LogListener {

  /**
   * Batches were written or forced, or the log start moved. One call covers all that one round of
   * the disk thread did for this log.
   */
  void onProgress(LogState state);

  /**
   * The batch at {@code fromOffset}, and every batch queued behind it, was not written (disk full).
   * The log ends at {@code fromOffset}; the disk thread drops what arrives until a batch with
   * exactly this base offset comes.
   */
  void onRejected(long fromOffset, WalException error);

  /** The log is unusable: I/O error or failed force. Nothing is retried (house rule 6). */
  void onFailure(WalException error);
}
