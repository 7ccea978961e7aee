package io.amphora.core.position;

import java.util.ArrayDeque;

/**
 * Who waits until a position is journaled as it was at some version of its tracker. Owned by the
 * partition loop; a member bounds what it waits for.
 */
public final class JournalWaiters {
  private record Waiter(long version, Runnable told) {}

  private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();
  private long inRound;
  private long journaled;

  /**
   * Calls back when the journal has the version, now maybe.
   *
   * @param version of {@link PositionTracker#version}, never lower than before
   */
  public void await(long version, Runnable told) {
    if (version <= journaled) {
      told.run();
    } else {
      waiting.add(new Waiter(version, told));
    }
  }

  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** A round takes the position at this version. */
  public void onRound(long version) {
    inRound = version;
  }

  /** The round is committed. */
  public void onJournaled() {
    journaled = inRound;
    while (!waiting.isEmpty() && waiting.peek().version() <= journaled) {
      waiting.remove().told().run();
    }
  }

  /** Whether it is journaled will never be known here: nobody is told (house rule 4). */
  public void forget() {
    waiting.clear();
  }
}
