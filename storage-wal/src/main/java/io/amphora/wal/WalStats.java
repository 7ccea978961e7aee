package io.amphora.wal;

/**
 * A snapshot of what the disk thread did.
 *
 * @param queuedCommands commands waiting now
 * @param queuedBytes bytes of batches waiting now
 * @param forces number of forces since start
 * @param forceNanos time spent in them, nanoseconds
 * @param bytesWritten bytes of batches written since start
 * @param freeBytes free bytes of the file system as last seen
 * @param diskLow true while free space is below the reserve
 */
public record WalStats(
    int queuedCommands,
    long queuedBytes,
    long forces,
    long forceNanos,
    long bytesWritten,
    long freeBytes,
    boolean diskLow) {}
