package io.amphora.wal.disk;

import java.util.Optional;

/**
 * One segment file as it stood when this snapshot was taken.
 *
 * @param base offset of its first record, and its name
 * @param end offset behind its last record
 * @param size bytes of batches in it
 * @param firstTime earliest timestamp, Long.MAX_VALUE when empty
 * @param maxTime largest timestamp, Long.MIN_VALUE when empty
 * @param index its index when it is in memory (the active segment); empty when in its files
 */
record Segment(
    long base, long end, int size, long firstTime, long maxTime, Optional<SegmentIndex> index) {

  /** The same, with the index left to its files. */
  Segment closed() {
    return new Segment(base, end, size, firstTime, maxTime, Optional.empty());
  }
}
