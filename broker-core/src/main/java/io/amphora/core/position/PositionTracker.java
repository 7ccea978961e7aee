package io.amphora.core.position;

import java.util.Collections;
import java.util.TreeMap;

/**
 * The position of one group on one partition while a dispatcher works on it. Owned by the partition
 * loop. {@code committed} moves over the settled prefix only (field bug B142).
 */
public final class PositionTracker {
  /**
   * Ranges of parked offsets that are remembered. Beyond it an offset that would begin another
   * range is still passed over, but no longer listed: the list travels with every journal entry.
   */
  static final int PARKED_RANGES = 10_000;

  private final int ackWindow;
  private final Reset reset;
  private final RangeSet done;
  private final TreeMap<Long, Integer> attempts;
  private final RangeSet parked;
  private long committed;
  private long version;

  /**
   * @param start where the group stands
   * @param ackWindow offsets beyond {@code committed} that may be in flight or done, at least 1
   */
  public PositionTracker(Position start, int ackWindow) {
    Position normal = PositionMerge.normalise(start);
    this.ackWindow = ackWindow;
    this.reset = normal.reset();
    this.done = RangeSet.of(normal.done());
    this.attempts = new TreeMap<>(normal.attempts());
    this.parked = RangeSet.of(normal.parked());
    this.committed = normal.committed();
  }

  /** Resets of the position so far. */
  public Reset reset() {
    return reset;
  }

  /** Everything below is done. */
  public long committed() {
    return committed;
  }

  public boolean isDone(long offset) {
    return offset < committed || done.contains(offset);
  }

  /** True when a message at this offset may be handed out: the window is not full. */
  public boolean hasRoomFor(long offset) {
    return offset - committed < ackWindow;
  }

  /** The message needs no further delivery. */
  public void done(long offset) {
    if (offset == committed) {
      attempts.remove(offset);
      moveTo(offset + 1);
    } else if (!isDone(offset)) {
      attempts.remove(offset);
      done.add(offset, offset + 1);
      version++;
    }
  }

  /**
   * Offsets {@code [from, to)} hold no message: control records, compacted or lost to retention.
   */
  public void skip(long from, long to) {
    if (to <= committed || from >= to) {
      return;
    }
    attempts.subMap(from, to).clear();
    if (from <= committed) {
      moveTo(to);
    } else {
      done.add(from, to);
      version++;
    }
  }

  private void moveTo(long end) {
    committed = done.isEmpty() ? end : done.absorbInto(end);
    if (!attempts.isEmpty()) {
      attempts.headMap(committed).clear();
    }
    version++;
  }

  /** Never deliver this message again, but keep it listed. */
  public void park(long offset) {
    if (!isDone(offset)) {
      if (parked.size() < PARKED_RANGES || parked.touches(offset)) {
        parked.add(offset, offset + 1);
      }
      done(offset);
    }
  }

  /** Failed deliveries of a message that is not done. */
  public int attempts(long offset) {
    return attempts.isEmpty() ? 0 : attempts.getOrDefault(offset, 0);
  }

  /** Counts a failed delivery; returns the number so far. */
  public int countFailure(long offset) {
    if (isDone(offset)) {
      return 0;
    }
    version++;
    return attempts.merge(offset, 1, Integer::sum);
  }

  /** Grows with each change: equal versions mean equal positions. */
  public long version() {
    return version;
  }

  /** The position now. */
  public Position snapshot() {
    return new Position(
        reset,
        committed,
        done.toList(),
        Collections.unmodifiableSortedMap(new TreeMap<>(attempts)),
        parked.toList());
  }
}
