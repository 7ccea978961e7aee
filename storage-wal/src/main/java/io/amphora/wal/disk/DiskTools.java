package io.amphora.wal.disk;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * What all logs share on the disk thread.
 *
 * @param files the file system
 * @param meter counters and free space
 * @param openFiles the bounded set of files open for writing
 * @param spools where large messages wait
 * @param staging direct buffer where the batches of one log are put together for one write
 * @param zeros direct buffer of zeros for preallocation
 * @param onFault told about errors that cannot be explained
 */
record DiskTools(
    Files files,
    DiskMeter meter,
    OpenFiles openFiles,
    SpoolFolder spools,
    ByteBuffer staging,
    ByteBuffer zeros,
    Consumer<Throwable> onFault) {}
