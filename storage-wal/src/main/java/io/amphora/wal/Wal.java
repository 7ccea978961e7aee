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

  /** Registers who is told when free space falls below the reserve (true) or is back (false). */
  void onDiskLow(Executor owner, Consumer<Boolean> listener);

  /** Figures for metrics, readable from any thread. */
  WalStats stats();

  /** Forces and closes every log and releases the lock on the directory. Blocks; call at stop. */
  @Override
  void close();
}
