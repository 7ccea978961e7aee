package io.amphora.wal;

import java.util.concurrent.Executor;

/**
 * What it takes to open or create a log.
 *
 * @param name which log
 * @param options how to keep it
 * @param newMeta content of {@code partition.meta} when the log is created; opaque to the log, made
 *     durable with the folder before the log is usable. Ignored when the log exists.
 * @param owner where the listener and all completions run; must run tasks in order
 * @param listener told about progress
 */
public record OpenRequest(
    LogName name, WalOptions options, byte[] newMeta, Executor owner, LogListener listener) {}
