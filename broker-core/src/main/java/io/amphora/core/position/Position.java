package io.amphora.core.position;

import java.util.List;
import java.util.Map;

/**
 * How far a group is on one partition. Immutable.
 *
 * @param reset higher wins in a merge
 * @param committed everything below is done
 * @param done offsets at or above {@code committed} that are done: sorted, disjoint, not adjacent
 * @param attempts failed deliveries of messages not yet done, by offset
 * @param parked offsets that were rejected or exhausted, kept for inspection; sorted, disjoint
 */
public record Position(
    Reset reset,
    long committed,
    List<OffsetRange> done,
    Map<Long, Integer> attempts,
    List<OffsetRange> parked) {

  /** A position with nothing done beyond {@code committed}. */
  public static Position at(long committed) {
    return new Position(Reset.NONE, committed, List.of(), Map.of(), List.of());
  }
}
