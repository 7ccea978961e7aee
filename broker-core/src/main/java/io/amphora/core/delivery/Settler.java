package io.amphora.core.delivery;

import io.amphora.core.Loop;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionChange;
import io.amphora.core.position.PositionTracker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What members say of the deliveries of one dispatcher: applies it to the position and to the queue
 * of returned messages, at once or when a transaction ends. Owned by the partition loop.
 */
final class Settler {
  private static final Outcome FAILED = new Outcome.Modified(true, false, new byte[0]);

  private final Loop loop;
  private final DeliveryMetrics metrics;
  private final PositionTracker tracker;
  private final Redelivery redelivery;
  private final ReturnedMessages returned;
  private final Seats seats;

  /** In flight to a member, with an outcome that waits for its transaction. */
  private final Map<Long, Claimed> claimed = new HashMap<>();

  private int finished;

  private record Claimed(
      Seat seat, Settlement word, boolean settled, ReturnedMessages.Message message) {}

  /** What was claimed here. */
  record Claimable(List<Long> offsets, boolean whole, Optional<Position> change) {}

  Settler(
      LoopDelivery room,
      PositionTracker tracker,
      Redelivery redelivery,
      ReturnedMessages returned,
      Seats seats) {
    this.loop = room.loop();
    this.metrics = room.metrics();
    this.tracker = tracker;
    this.redelivery = redelivery;
    this.returned = returned;
    this.seats = seats;
  }

  /** Messages that ceased to be in flight since the last call. */
  int takeFinished() {
    int count = finished;
    finished = 0;
    return count;
  }

  boolean hasClaims() {
    return !claimed.isEmpty();
  }

  /** False when some of it was not in flight to this member. */
  boolean settle(Seat seat, List<Settlement> settlements) {
    boolean all = true;
    for (Settlement settlement : settlements) {
      ReturnedMessages.Message message = seat.held().remove(settlement.offset());
      all &= message != null;
      if (message != null) {
        finished++;
        apply(seat, settlement, message);
      }
    }
    return all;
  }

  private void apply(Seat seat, Settlement settlement, ReturnedMessages.Message message) {
    long offset = settlement.offset();
    Redelivery.Decision decision =
        redelivery.decide(settlement.outcome(), tracker.attempts(offset));
    if (decision.counts()) {
      tracker.countFailure(offset);
    }
    ReturnedMessages.Message next =
        settlement.outcome() instanceof Outcome.Modified modified
            ? returned.annotated(message, modified.annotations())
            : message;
    Redelivery.Verdict verdict = decision.verdict();
    if (verdict == Redelivery.Verdict.RETURN) {
      returned.add(offset, next);
    } else if (verdict == Redelivery.Verdict.EXCLUDE) {
      giveBack(offset, next.excluding(seat, seats));
    } else {
      returned.forget(next);
      finish(offset, verdict);
    }
  }

  private void finish(long offset, Redelivery.Verdict verdict) {
    if (verdict == Redelivery.Verdict.PARK) {
      park(offset);
    } else {
      tracker.done(offset);
    }
  }

  void park(long offset) {
    tracker.park(offset);
    metrics.parked.mark();
  }

  private void giveBack(long offset, ReturnedMessages.Message message) {
    if (seats.allIn(message.excluded())) {
      returned.hold(offset, message, loop.nowNanos() + Dispatcher.HOLD_NANOS);
    } else {
      returned.add(offset, message);
    }
  }

  // --- transactions

  /**
   * Keeps deliveries for a transaction.
   *
   * @param settled whether the member has forgotten them: else it has them again after a rollback
   */
  Claimable claim(Seat seat, List<Settlement> settlements, boolean settled) {
    List<Long> offsets = new ArrayList<>(settlements.size());
    PositionChange change = new PositionChange();
    for (Settlement word : settlements) {
      ReturnedMessages.Message message = seat.held().remove(word.offset());
      if (message != null) {
        claimed.put(word.offset(), new Claimed(seat, word, settled, message));
        offsets.add(word.offset());
        add(change, word);
      }
    }
    return new Claimable(
        offsets, offsets.size() == settlements.size(), change.toPosition(tracker.reset()));
  }

  /**
   * Nothing else touches the message before the transaction ends, so what is decided here holds.
   */
  private void add(PositionChange change, Settlement word) {
    long offset = word.offset();
    int attempts = tracker.attempts(offset);
    Redelivery.Decision decision = redelivery.decide(word.outcome(), attempts);
    switch (decision.verdict()) {
      case DONE -> change.done(offset);
      case PARK -> change.park(offset);
      case RETURN, EXCLUDE -> {
        if (decision.counts()) {
          change.failed(offset, attempts + 1);
        }
      }
      default -> {}
    }
  }

  /** A transaction that has claimed these is over. */
  void end(List<Long> offsets, Claim.End how) {
    for (long offset : offsets) {
      Claimed entry = claimed.remove(offset);
      if (entry != null) {
        end(offset, entry, how);
      }
    }
  }

  private void end(long offset, Claimed entry, Claim.End how) {
    if (how == Claim.End.COMMIT) {
      finished++;
      apply(entry.seat(), entry.word(), entry.message());
    } else if (!entry.settled() && seats.contains(entry.seat())) {
      entry.seat().held().put(offset, entry.message());
    } else if (entry.settled() && how == Claim.End.ROLLBACK) {
      finished++;
      Settlement failed = new Settlement(entry.word().partition(), offset, FAILED);
      apply(entry.seat(), failed, entry.message());
    } else {
      finished++;
      giveBack(offset, entry.message());
    }
  }

  /** Nothing is handed out any more, and nobody will hear of what is claimed. */
  void stop() {
    metrics.inFlight.dec(claimed.size());
    claimed.clear();
  }
}
