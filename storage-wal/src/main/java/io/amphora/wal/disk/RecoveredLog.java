package io.amphora.wal.disk;

import java.util.List;

/**
 * What recovery found in a folder.
 *
 * @param closed closed segments, ascending
 * @param active newest segment, cut to its last whole batch
 * @param epochs leader epochs
 * @param epochsDirty true when they differ from their file
 * @param logStart first offset that can be read
 * @param unclean true when the tail was scanned
 */
record RecoveredLog(
    List<Segment> closed,
    ActiveSegment active,
    EpochHistory epochs,
    boolean epochsDirty,
    long logStart,
    boolean unclean) {}
