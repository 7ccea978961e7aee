package io.amphora.wal;

/**
 * A finished spool: the body of the one record of a batch. Who holds the batch must see to its end:
 * a log that took the batch erases it, whatever becomes of the append; who does not append it calls
 * {@link #erase}. Immutable; any thread.
 */
public interface SpooledBody {

  /** Bytes. */
  int size();

  /** CRC-32C of the bytes. */
  int checksum();

  /** Erases the file, later. Does nothing when it is erased already. */
  void erase();
}
