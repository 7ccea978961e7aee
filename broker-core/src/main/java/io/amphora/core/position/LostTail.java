package io.amphora.core.position;

import io.amphora.wal.EpochStart;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Under a flush policy other than {@code commit} a crash may take records that a group has settled;
 * later ones get their offsets. A position that still counts the lost ones would skip the later
 * ones, which nobody has seen: it is clipped to where the next epoch began (safety rule 12). Its
 * reset says in which epoch it was found last. Pure.
 */
public final class LostTail {
  private LostTail() {}

  /** A position that is new in this epoch. */
  public static Position begin(Position position, int epoch) {
    return new Position(
        new Reset(epoch, 0),
        position.committed(),
        position.done(),
        position.attempts(),
        position.parked());
  }

  /**
   * The position as it counts in the epoch that is led now.
   *
   * @param epochs of the log, oldest first; the last one is led now
   * @return the same object when it is of this epoch already
   */
  public static Position clip(Position position, List<EpochStart> epochs) {
    int now = epochs.get(epochs.size() - 1).epoch();
    // without a reset it was written before positions of this topic carried their epoch
    int then = position.reset().equals(Reset.NONE) ? now - 1 : position.reset().epoch();
    if (then >= now) {
      return position;
    }
    long end =
        epochs.stream()
            .filter(start -> start.epoch() > then)
            .mapToLong(EpochStart::offset)
            .min()
            .orElse(Long.MAX_VALUE);
    SortedMap<Long, Integer> attempts = new TreeMap<>(position.attempts()).headMap(end);
    return begin(
        new Position(
            position.reset(),
            Math.min(position.committed(), end),
            below(position.done(), end),
            attempts,
            below(position.parked(), end)),
        now);
  }

  private static List<OffsetRange> below(List<OffsetRange> ranges, long end) {
    return ranges.stream()
        .filter(range -> range.from() < end)
        .map(range -> new OffsetRange(range.from(), Math.min(range.to(), end)))
        .toList();
  }
}
