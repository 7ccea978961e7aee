package io.amphora.wal.disk;

import java.util.function.Consumer;

/**
 * How a data directory is used.
 *
 * @param reserveBytes free bytes below which the disk counts as low; capped at 5 % of the file
 *     system so that a small one works. At least 0
 * @param maxQueuedBytes bytes of batches that may wait for the disk thread; at least 1. One batch
 *     is always taken by an empty queue
 * @param maxQueuedCommands commands that may wait for the disk thread, at least 1
 * @param maxOpenFiles segment files kept open for writing, at least 1; as many again for reading
 * @param forceThreads threads that force dirty files at once, 1 to 64 (ADR 0002)
 * @param onFault told about what cannot be explained: a failed force, an error in the disk thread.
 *     Called on the disk thread, must not block
 */
public record DiskOptions(
    long reserveBytes,
    long maxQueuedBytes,
    int maxQueuedCommands,
    int maxOpenFiles,
    int forceThreads,
    Consumer<Throwable> onFault) {

  /** 256 MiB reserve, 64 MiB and 65,536 commands queued, 512 open files, 8 force threads. */
  public static final DiskOptions DEFAULT =
      new DiskOptions(256L << 20, 64L << 20, 1 << 16, 512, 8, fault -> {});

  public DiskOptions {
    if (reserveBytes < 0 || maxQueuedBytes < 1 || maxQueuedCommands < 1 || maxOpenFiles < 1) {
      throw new IllegalArgumentException("sizes must be positive");
    }
    if (forceThreads < 1 || forceThreads > 64) {
      throw new IllegalArgumentException("forceThreads must be 1 to 64: " + forceThreads);
    }
  }

  /** The same with another receiver of faults. */
  public DiskOptions withFaults(Consumer<Throwable> receiver) {
    return new DiskOptions(
        reserveBytes, maxQueuedBytes, maxQueuedCommands, maxOpenFiles, forceThreads, receiver);
  }

  /** The same with another reserve. */
  public DiskOptions withReserve(long bytes) {
    return new DiskOptions(
        bytes, maxQueuedBytes, maxQueuedCommands, maxOpenFiles, forceThreads, onFault);
  }
}
