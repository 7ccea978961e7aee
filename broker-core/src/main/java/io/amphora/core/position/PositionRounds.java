package io.amphora.core.position;

import io.amphora.core.Loop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rounds in which the positions of one loop are journaled (safety rule 17), one at a time. A
 * round takes all that changed within an interval; a position that somebody waits for does not wait
 * for the interval, only for the round that is on its way. Owned by that loop.
 */
public final class PositionRounds {

  /** A position that moves. */
  public interface Source {
    PositionKey key();

    /** What to journal, as a round begins; empty when nothing may be journaled any more. */
    Optional<Position> toJournal();

    /** True when somebody waits until it is journaled. */
    boolean isAwaited();

    /**
     * The round is over.
     *
     * @param ok whether what {@link #toJournal} gave is committed; false is unknown, mark it again
     */
    void onJournaled(boolean ok);
  }

  private final Loop loop;
  private final Positions positions;
  private final long intervalNanos;
  private final Set<Source> dirty = new LinkedHashSet<>();
  private final List<Runnable> whenIdle = new ArrayList<>();
  private Set<Source> inFlight = Set.of();
  private boolean scheduled;
  private boolean planned;

  /** The next round takes everything. */
  private boolean due;

  /**
   * @param intervalNanos how long a change may wait for others
   */
  public PositionRounds(Loop loop, Positions positions, long intervalNanos) {
    this.loop = loop;
    this.positions = positions;
    this.intervalNanos = intervalNanos;
  }

  /** The position changed: it is journaled within an interval. */
  public void markDirty(Source source) {
    dirty.add(source);
    schedule();
  }

  private void schedule() {
    if (!scheduled) {
      scheduled = true;
      loop.schedule(
          intervalNanos,
          () -> {
            scheduled = false;
            due = true;
            begin();
          });
    }
  }

  /** Journals everything now, or as soon as the round that is on its way is over. */
  public void flushSoon() {
    due = true;
    begin();
  }

  /** Journals what is awaited, once for all that is said in this turn of the loop. */
  public void onAwaited() {
    if (!planned) {
      planned = true;
      loop.execute(
          () -> {
            planned = false;
            begin();
          });
    }
  }

  /** True when the journal may not have the latest of this position. */
  public boolean isPending(Source source) {
    return dirty.contains(source) || inFlight.contains(source);
  }

  /** Journals everything; {@code done} is called when nothing is left. */
  public void finish(Runnable done) {
    whenIdle.add(done);
    flushSoon();
  }

  private void begin() {
    if (!inFlight.isEmpty()) {
      return;
    }
    Set<Source> round = new LinkedHashSet<>(dirty);
    if (!due) {
      round.removeIf(source -> !source.isAwaited());
    }
    due = false;
    dirty.removeAll(round);
    if (!dirty.isEmpty()) {
      schedule();
    }
    if (round.isEmpty()) {
      answerIdle();
      return;
    }
    inFlight = round;
    Map<PositionKey, Position> changed = new HashMap<>();
    round.forEach(source -> source.toJournal().ifPresent(p -> changed.put(source.key(), p)));
    positions.submit(changed, loop, this::onDone);
  }

  private void onDone(boolean ok) {
    Set<Source> round = inFlight;
    inFlight = Set.of();
    round.forEach(source -> source.onJournaled(ok));
    if (ok) {
      begin();
    } else if (!dirty.isEmpty()) {
      // Not at once: what was refused or lost its leader would be tried in a tight loop.
      schedule();
    }
  }

  private void answerIdle() {
    if (inFlight.isEmpty() && dirty.isEmpty()) {
      List<Runnable> told = List.copyOf(whenIdle);
      whenIdle.clear();
      told.forEach(Runnable::run);
    }
  }
}
