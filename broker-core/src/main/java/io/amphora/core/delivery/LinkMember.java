package io.amphora.core.delivery;

import io.amphora.core.BrokerException;
import io.amphora.core.Loop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A receiver link's side of its subscription. Owned by the loop given at subscribe; other loops use
 * {@link #post}, {@link #refuse} and the immutable request only.
 *
 * <p>Credit is given to partitions when all of them have found the group's position; before that,
 * and while an ordered group's member waits for its turn, it just stands here.
 */
final class LinkMember implements Member, CreditSplit.Lines {
  private final SubscribeRequest request;
  private final Loop owner;
  private final MemberListener listener;
  private final Runnable onClosed;
  private final ArrayDeque<Delivery> overflow = new ArrayDeque<>();
  private Optional<CreditSplit> split = Optional.empty();
  private Seat[] seats = new Seat[0];

  /** By partition: the lowest offset of each surplus that is on its way back. */
  private List<ArrayDeque<Long>> returning = List.of();

  private int missing;
  private boolean served;
  private int waitingCredit;
  private boolean attached;
  private boolean closed;

  /**
   * @param onClosed told once, on the owner's loop, when the member or the core ended it
   */
  LinkMember(SubscribeRequest request, Loop owner, MemberListener listener, Runnable onClosed) {
    this.request = request;
    this.owner = owner;
    this.listener = listener;
    this.onClosed = onClosed;
  }

  // --- any loop

  SubscribeRequest request() {
    return request;
  }

  void post(Runnable event) {
    owner.execute(event);
  }

  /** The core ends the subscription. */
  void refuse(BrokerException reason) {
    post(() -> onRefused(reason));
  }

  // --- receiver

  @Override
  public void credit(int credit) {
    if (closed) {
      return;
    }
    if (split.isEmpty() || !served) {
      waitingCredit = credit;
      return;
    }
    int kept = Math.min(credit, overflow.size());
    split.get().setCredit(credit - kept);
    if (kept > 0) {
      List<Delivery> batch = new ArrayList<>(kept);
      for (int i = 0; i < kept; i++) {
        batch.add(overflow.removeFirst());
      }
      listener.onDeliveries(batch);
    }
  }

  @Override
  public void drain() {
    if (closed) {
      return;
    }
    if (split.isPresent() && served) {
      split.get().drain();
    } else {
      // Nothing can be available yet: a drain is answered promptly also while attaching.
      int unused = waitingCredit;
      waitingCredit = 0;
      listener.onDrained(unused);
    }
  }

  @Override
  public void settle(List<Settlement> settlements) {
    if (closed || !served || settlements.isEmpty()) {
      return;
    }
    byPartition(settlements).forEach((partition, part) -> seats[partition].postSettle(part));
  }

  @Override
  public void settle(List<Settlement> settlements, Runnable durable) {
    if (closed || !served || settlements.isEmpty()) {
      return;
    }
    Map<Integer, List<Settlement>> parts = byPartition(settlements);
    int[] left = {parts.size()};
    Runnable onPart =
        () -> {
          if (--left[0] == 0 && !closed) {
            durable.run();
          }
        };
    parts.forEach((partition, part) -> seats[partition].postSettle(part, onPart));
  }

  @Override
  public void claim(List<Settlement> settlements, boolean settled, Consumer<Claim> done) {
    Map<Integer, List<Settlement>> parts = closed || !served ? Map.of() : byPartition(settlements);
    if (parts.isEmpty()) {
      post(() -> done.accept(ClaimParts.NOTHING));
      return;
    }
    List<Claim> claims = new ArrayList<>(parts.size());
    parts.forEach(
        (partition, part) ->
            seats[partition].postClaim(
                part,
                settled,
                claim -> {
                  claims.add(claim);
                  if (claims.size() == parts.size()) {
                    done.accept(new ClaimParts(claims));
                  }
                }));
  }

  private Map<Integer, List<Settlement>> byPartition(List<Settlement> settlements) {
    if (seats.length == 1) {
      return Map.of(0, List.copyOf(settlements));
    }
    Map<Integer, List<Settlement>> byPartition = new HashMap<>();
    for (Settlement settlement : settlements) {
      if (settlement.partition() >= 0 && settlement.partition() < seats.length) {
        byPartition.computeIfAbsent(settlement.partition(), p -> new ArrayList<>()).add(settlement);
      }
    }
    return byPartition;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      onClosed.run();
    }
  }

  // --- from the group

  private void onRefused(BrokerException reason) {
    if (!closed) {
      closed = true;
      onClosed.run();
      listener.onDetached(reason);
    }
  }

  /** Another member of an ordered group is active: nothing to deliver until it leaves. */
  void onStandby() {
    tellAttached();
  }

  /** It is served from so many partitions, called 0 and up here; each will send a seat. */
  void onAssigned(int partitions) {
    seats = new Seat[partitions];
    returning = Stream.generate(ArrayDeque<Long>::new).limit(partitions).toList();
    missing = partitions;
    split = Optional.of(new CreditSplit(partitions, this));
  }

  private void tellAttached() {
    if (!closed && !attached) {
      attached = true;
      listener.onAttached();
    }
  }

  // --- from partitions

  void onSeat(int partition, Seat seat) {
    seats[partition] = seat;
    if (--missing == 0 && !closed) {
      served = true;
      split.ifPresent(all -> all.setCredit(waitingCredit));
      tellAttached();
    }
  }

  void onHanded(int partition, List<Delivery> deliveries) {
    if (closed || split.isEmpty()) {
      return;
    }
    int all = deliveries.size();
    int inOrder = countInOrder(partition, deliveries);
    int within = split.get().onHanded(partition, inOrder);
    if (within < all) {
      onSurplus(partition, deliveries.subList(within, all));
    }
    if (inOrder < all) {
      split.get().onRefused(partition, all - inOrder);
    }
    if (within > 0) {
      listener.onDeliveries(deliveries.subList(0, within));
    }
  }

  /** What comes after something that is on its way back would overtake it. */
  private int countInOrder(int partition, List<Delivery> deliveries) {
    ArrayDeque<Long> lowest = returning.get(partition);
    if (lowest.isEmpty()) {
      return deliveries.size();
    }
    long limit = Collections.min(lowest);
    int count = 0;
    while (count < deliveries.size() && deliveries.get(count).record().offset() < limit) {
      count++;
    }
    return count;
  }

  /**
   * Credit was lowered while these were on their way. They go back, so that others can have them;
   * at-most-once deliveries are done already and wait here.
   */
  private void onSurplus(int partition, List<Delivery> surplus) {
    if (request.options().atMostOnce()) {
      overflow.addAll(surplus);
      return;
    }
    List<Settlement> back = new ArrayList<>(surplus.size());
    long lowest = Long.MAX_VALUE;
    for (Delivery delivery : surplus) {
      lowest = Math.min(lowest, delivery.record().offset());
      back.add(new Settlement(delivery.partition(), delivery.record().offset(), Outcome.RELEASED));
    }
    returning.get(partition).add(lowest);
    seats[partition].postSurplus(back);
  }

  /** The partition has its surplus; what it hands out from now on is in order again. */
  void onSurplusBack(int partition) {
    returning.get(partition).remove();
  }

  void onReturned(int partition, int asked, int returned) {
    if (!closed) {
      split.ifPresent(all -> all.onReturned(partition, asked, returned));
    }
  }

  void onReady(int partition) {
    if (!closed) {
      split.ifPresent(all -> all.onReady(partition));
    }
  }

  void onPartitionDrained(int partition, int unused, boolean more) {
    if (!closed) {
      split.ifPresent(all -> all.onDrained(partition, unused, more));
    }
  }

  // --- to partitions

  @Override
  public void grant(int partition, int more) {
    seats[partition].postGrant(more);
  }

  @Override
  public void revoke(int partition, int most) {
    seats[partition].postRevoke(most);
  }

  @Override
  public void recall(int partition, int most) {
    seats[partition].postRecall(most);
  }

  @Override
  public void drain(int partition, int more) {
    seats[partition].postDrain(more);
  }

  @Override
  public void drained(int unused) {
    listener.onDrained(unused);
  }
}
