package io.amphora.core.position;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A position waiting to be journaled, and who wants to know. Owned by the journal's loop.
 *
 * @param position what to write
 * @param tickets who is told
 */
record JournalEntry(Position position, List<Ticket> tickets) {
  static JournalEntry of(Position position, Ticket ticket) {
    return new JournalEntry(PositionMerge.normalise(position), List.of(ticket));
  }

  /** One entry for both. */
  JournalEntry merge(JournalEntry other) {
    List<Ticket> all = new ArrayList<>(tickets);
    all.addAll(other.tickets);
    return new JournalEntry(PositionMerge.merge(position, other.position), all);
  }

  /** The entry with what the journal has already. */
  JournalEntry over(@Nullable Position current) {
    return current == null
        ? this
        : new JournalEntry(PositionMerge.merge(current, position), tickets);
  }

  void answer(boolean committed) {
    tickets.forEach(ticket -> ticket.count(committed));
  }

  /** One submission: answered when all of its positions are. */
  static final class Ticket {
    private final Consumer<Boolean> done;
    private int left;
    private boolean ok = true;

    Ticket(int positions, Consumer<Boolean> done) {
      this.left = positions;
      this.done = done;
    }

    void count(boolean committed) {
      ok &= committed;
      if (--left == 0) {
        done.accept(ok);
      }
    }
  }
}
