package io.amphora.wal;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * All logs of one data directory, and a few small documents beside them. Calls never block; they
 * queue for the disk thread and complete on the given executor.
 */
public interface Wal extends AutoCloseable {

  /** Most bytes of a document. */
  int MAX_DOCUMENT_BYTES = 64 << 20;

  /** Most spools at once, those included that are being appended. */
  int MAX_SPOOLS = 256;

  /**
   * Logs found in the data directory when it was opened. One whose metadata is damaged is named
   * after its folder; opening it fails.
   */
  List<LogName> existing();

  /** Opens a log, creating it when it does not exist. */
  void open(OpenRequest request, Consumer<WalResult<OpenedLog>> done);

  /**
   * Removes a log: it is moved out of the way durably, then erased. The handle becomes unusable.
   */
  void delete(LogName name, Executor owner, Consumer<WalResult<LogName>> done);

  /**
   * Replaces a small document atomically: written to a new file, forced, renamed, directory forced.
   *
   * @param name file name within the data directory, no separators
   * @param content at most {@link #MAX_DOCUMENT_BYTES}
   */
  void writeDocument(String name, byte[] content, Executor owner, Consumer<WalResult<String>> done);

  /** Content of a small document; empty array when there is none. */
  void readDocument(String name, Executor owner, Consumer<WalResult<byte[]>> done);

  /**
   * Opens a spool for the body of a large message. Its file appears with the first write, in a
   * folder of the data directory that is emptied when the directory is opened and closed.
   *
   * @param owner where its completions run; must run tasks in order
   * @return {@code BUSY} when there are {@link #MAX_SPOOLS} already, {@code DISK_FULL} while free
   *     space is below the reserve, {@code CLOSED} after {@link #close}
   */
  WalResult<Spool> openSpool(Executor owner);

  /** Registers who is told when free space falls below the reserve (true) or is back (false). */
  void onDiskLow(Executor owner, Consumer<Boolean> listener);

  /** Figures for metrics, readable from any thread. */
  WalStats stats();

  /** Forces and closes every log and releases the lock on the directory. Blocks; call at stop. */
  @Override
  void close();
}
