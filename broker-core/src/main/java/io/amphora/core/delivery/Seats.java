package io.amphora.core.delivery;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The members at one dispatcher; a fair turn among those with credit. Owned by the partition loop.
 */
final class Seats {
  private final Set<Seat> all = new LinkedHashSet<>();
  private final ArrayDeque<Seat> withCredit = new ArrayDeque<>();

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

  /** The member whose turn it is, among those with credit that are not excluded. */
  Optional<Seat> next(Set<Seat> excluded) {
    for (int left = withCredit.size(); left > 0; left--) {
      Seat seat = withCredit.removeFirst();
      if (seat.grant() == 0) {
        seat.queued = false;
        continue;
      }
      withCredit.addLast(seat);
      if (!excluded.contains(seat)) {
        return Optional.of(seat);
      }
    }
    return Optional.empty();
  }
}
