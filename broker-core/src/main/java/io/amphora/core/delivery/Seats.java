package io.amphora.core.delivery;

import io.amphora.core.filter.Candidate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The members at one dispatcher; a fair turn among those with credit. Owned by the partition loop.
 */
final class Seats {
  private final Set<Seat> all = new LinkedHashSet<>();
  private final ArrayDeque<Seat> withCredit = new ArrayDeque<>();

  /** Used within {@link #next}. */
  private final ArrayDeque<Seat> passedBy = new ArrayDeque<>();

  void add(Seat seat) {
    all.add(seat);
  }

  /** False when it was not here. */
  boolean remove(Seat seat) {
    seat.takeGrant(Integer.MAX_VALUE);
    return all.remove(seat);
  }

  boolean contains(Seat seat) {
    return all.contains(seat);
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  List<Seat> all() {
    return new ArrayList<>(all);
  }

  /** Members whose credit is spread over several partitions: they want to know of work. */
  List<Seat> split() {
    return all.stream().filter(Seat::isSplit).toList();
  }

  /** True when there are members, and each of them is excluded. */
  boolean allIn(Set<Seat> excluded) {
    return !all.isEmpty() && !excluded.isEmpty() && excluded.containsAll(all);
  }

  void onGrant(Seat seat) {
    if (!seat.queued && seat.grant() > 0) {
      seat.queued = true;
      withCredit.addLast(seat);
    }
  }

  boolean haveCredit() {
    while (!withCredit.isEmpty()) {
      Seat first = withCredit.getFirst();
      if (first.grant() > 0) {
        return true;
      }
      withCredit.removeFirst();
      first.queued = false;
    }
    return false;
  }

  /** True when some member has credit that is not excluded. */
  boolean canTake(Set<Seat> excluded) {
    if (excluded.isEmpty()) {
      return haveCredit();
    }
    for (Seat seat : withCredit) {
      if (seat.grant() > 0 && !excluded.contains(seat)) {
        return true;
      }
    }
    return false;
  }

  /** True when some member of the lane has credit. */
  boolean haveCredit(Lane lane) {
    for (Seat seat : withCredit) {
      if (seat.grant() > 0 && seat.lane() == lane) {
        return true;
      }
    }
    return false;
  }

  /** The member whose turn it is, among those with credit that are not excluded. */
  Optional<Seat> next(Set<Seat> excluded) {
    if (excluded.isEmpty() && haveCredit()) {
      Seat first = withCredit.removeFirst();
      withCredit.addLast(first);
      return Optional.of(first);
    }
    return next(seat -> !excluded.contains(seat));
  }

  /** The same, among those that want the message. */
  Optional<Seat> next(Set<Seat> excluded, Candidate candidate) {
    return next(seat -> !excluded.contains(seat) && seat.lane().wants(candidate));
  }

  /** The same, among those of a lane. */
  Optional<Seat> next(Set<Seat> excluded, Lane lane) {
    return next(seat -> seat.lane() == lane && !excluded.contains(seat));
  }

  /** Whoever is passed by keeps its turn: else a regular pattern of messages starves a member. */
  private Optional<Seat> next(Predicate<Seat> may) {
    Optional<Seat> found = Optional.empty();
    while (found.isEmpty() && !withCredit.isEmpty()) {
      Seat seat = withCredit.removeFirst();
      if (seat.grant() == 0) {
        seat.queued = false;
      } else if (may.test(seat)) {
        found = Optional.of(seat);
      } else {
        passedBy.addLast(seat);
      }
    }
    while (!passedBy.isEmpty()) {
      withCredit.addFirst(passedBy.removeLast());
    }
    found.ifPresent(withCredit::addLast);
    return found;
  }
}
