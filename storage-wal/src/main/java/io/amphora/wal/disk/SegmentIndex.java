package io.amphora.wal.disk;

import java.util.Arrays;

/**
 * Sparse index of one segment: relative offset to file position, and the largest timestamp before
 * that position. The disk thread adds; the read thread may look up at the same time: an entry is
 * published by the volatile count after it was filled, and never changes afterwards.
 */
final class SegmentIndex {

  private static final class Columns {
    final int[] offsets;
    final int[] positions;
    final long[] times;

    Columns(int[] offsets, int[] positions, long[] times) {
      this.offsets = offsets;
      this.positions = positions;
      this.times = times;
    }
  }

  private volatile Columns arrays;
  private volatile int count;

  SegmentIndex(int capacity) {
    arrays = new Columns(new int[capacity], new int[capacity], new long[capacity]);
  }

  /**
   * Adds an entry behind all others.
   *
   * @param offset first offset of a batch, relative to the segment's base
   * @param position where that batch starts
   * @param maxTimeBefore largest timestamp of all batches before it, Long.MIN_VALUE at the start
   */
  void add(int offset, int position, long maxTimeBefore) {
    int at = count;
    Columns current = arrays;
    if (at == current.offsets.length) {
      int capacity = Math.max(16, at * 2);
      current =
          new Columns(
              Arrays.copyOf(current.offsets, capacity),
              Arrays.copyOf(current.positions, capacity),
              Arrays.copyOf(current.times, capacity));
      arrays = current;
    }
    current.offsets[at] = offset;
    current.positions[at] = position;
    current.times[at] = maxTimeBefore;
    count = at + 1;
  }

  int size() {
    return count;
  }

  int offset(int entry) {
    return arrays.offsets[entry];
  }

  int position(int entry) {
    return arrays.positions[entry];
  }

  long maxTimeBefore(int entry) {
    return arrays.times[entry];
  }

  /** Entry with the largest offset at or below the given one; -1 when there is none. */
  int floor(long relativeOffset) {
    int low = 0;
    int high = count - 1;
    int[] offsets = arrays.offsets;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (offsets[middle] <= relativeOffset) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }

  /** Last entry before which every timestamp is below the given one; -1 when there is none. */
  int floorOfTime(long timestamp) {
    int low = 0;
    int high = count - 1;
    long[] times = arrays.times;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (times[middle] < timestamp) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }

  /** A new index with the entries whose batch starts below {@code position}. */
  SegmentIndex cutTo(long position) {
    int keep = 0;
    while (keep < count && arrays.positions[keep] < position) {
      keep++;
    }
    SegmentIndex cut = new SegmentIndex(keep);
    for (int i = 0; i < keep; i++) {
      cut.add(offset(i), position(i), maxTimeBefore(i));
    }
    return cut;
  }
}
