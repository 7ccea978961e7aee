package io.amphora.core.position;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The merge of positions (safety rule 16). Commutative, associative and idempotent on normalised
 * positions, so that positions may be written repeatedly and in any order. A merge never undoes an
 * acknowledgement; only a higher reset does.
 */
public final class PositionMerge {
  private PositionMerge() {}

  /** The position that knows all that both know. */
  public static Position merge(Position a, Position b) {
    int byReset = a.reset().compareTo(b.reset());
    if (byReset != 0) {
      return normalise(byReset > 0 ? a : b);
    }
    RangeSet done = RangeSet.of(a.done());
    done.addAll(b.done());
    long committed = done.absorbInto(Math.max(a.committed(), b.committed()));
    TreeMap<Long, Integer> attempts = new TreeMap<>(a.attempts());
    b.attempts().forEach((offset, count) -> attempts.merge(offset, count, Math::max));
    keepOpen(attempts, committed, done);
    RangeSet parked = RangeSet.of(a.parked());
    parked.addAll(b.parked());
    return new Position(
        a.reset(),
        committed,
        done.toList(),
        Collections.unmodifiableSortedMap(attempts),
        parked.toList());
  }

  /** The same position in its one canonical form. */
  public static Position normalise(Position position) {
    RangeSet done = RangeSet.of(position.done());
    long committed = done.absorbInto(position.committed());
    TreeMap<Long, Integer> attempts = new TreeMap<>(position.attempts());
    keepOpen(attempts, committed, done);
    return new Position(
        position.reset(),
        committed,
        done.toList(),
        Collections.unmodifiableSortedMap(attempts),
        RangeSet.of(position.parked()).toList());
  }

  /** Attempts are only of interest for messages that are not done. */
  private static void keepOpen(Map<Long, Integer> attempts, long committed, RangeSet done) {
    attempts.keySet().removeIf(offset -> offset < committed || done.contains(offset));
  }
}
