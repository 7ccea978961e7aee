package io.amphora.wal;

/**
 * Where a log stands, a snapshot taken by the disk thread.
 *
 * @param logStart first offset that can be read
 * @param writtenEnd offset after the last batch written to the file (maybe not forced)
 * @param durableEnd offset after the last batch that was forced; {@code logStart <= durableEnd <=
 *     writtenEnd}
 * @param lastEpoch leader epoch of the last batch ever appended, 0 when there was none; survives
 *     retention (safety rule 10)
 * @param bytes bytes of all segments, without preallocated space
 * @param segments number of segment files
 */
public record LogState(
    long logStart, long writtenEnd, long durableEnd, int lastEpoch, long bytes, int segments) {}
