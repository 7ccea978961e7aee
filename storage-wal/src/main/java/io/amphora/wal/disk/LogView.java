package io.amphora.wal.disk;

import io.amphora.wal.EpochStart;
import io.amphora.wal.LogState;
import java.util.List;
import java.util.Optional;

/**
 * What the disk thread publishes about a log: immutable, for the read thread and the owner.
 *
 * @param closed closed segments, ascending; shared between snapshots
 * @param active newest segment
 * @param state where the log stands
 * @param epochs leader epochs, oldest first
 * @param generation changes whenever bytes or files went away
 */
record LogView(
    List<Segment> closed,
    Segment active,
    LogState state,
    List<EpochStart> epochs,
    long generation) {

  /** The segment that holds the offset, or the first behind it; empty at the end. */
  Optional<Segment> holding(long offset) {
    if (offset >= active.base()) {
      return offset < active.end() ? Optional.of(active) : Optional.empty();
    }
    int low = 0;
    int high = closed.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (closed.get(middle).base() <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return closed.isEmpty() ? Optional.of(active) : Optional.of(closed.get(low));
  }
}
