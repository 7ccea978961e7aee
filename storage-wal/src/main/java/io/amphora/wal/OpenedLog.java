package io.amphora.wal;

/**
 * A log that was opened and, when needed, recovered.
 *
 * @param log the handle
 * @param state where it stands after recovery
 * @param meta content of its {@code partition.meta}; empty array when the log is new
 * @param unclean true when the log was not closed properly and its tail was scanned
 */
public record OpenedLog(WalLog log, LogState state, byte[] meta, boolean unclean) {}
