package io.amphora.core.position;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What some outcomes change of a position, to be merged into it later, once or more often (safety
 * rule 16). Owned by its maker.
 */
public final class PositionChange {
  private final List<OffsetRange> done = new ArrayList<>();
  private final List<OffsetRange> parked = new ArrayList<>();
  private final TreeMap<Long, Integer> attempts = new TreeMap<>();

  /** The message needs no further delivery. */
  public void done(long offset) {
    done.add(new OffsetRange(offset, offset + 1));
  }

  /** The message is not delivered again but stays listed. */
  public void park(long offset) {
    parked.add(new OffsetRange(offset, offset + 1));
    done(offset);
  }

  /** The message comes back after so many failed deliveries. */
  public void failed(long offset, int count) {
    attempts.put(offset, count);
  }

  /**
   * The change as a position.
   *
   * @param reset of the position that it will be merged into
   * @return empty when it changes nothing
   */
  public Optional<Position> toPosition(Reset reset) {
    if (done.isEmpty() && attempts.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(PositionMerge.normalise(new Position(reset, 0, done, attempts, parked)));
  }
}
