package io.amphora.core.delivery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A member's place at the dispatcher of one partition: its granted credit and what it holds. Fields
 * belong to the partition loop; the {@code post} methods are for the member's loop.
 */
final class Seat {
  private final LinkMember member;

  private final GroupDelivery delivery;

  /** What the member calls this partition: its number among those it is served from. */
  private final int line;

  private final Map<Long, ReturnedMessages.Message> held = new HashMap<>();
  private List<Delivery> outbox = new ArrayList<>();
  private int grant;

  boolean draining;

  /** Unused credit that is wanted elsewhere; answered when nothing more can be handed out. */
  int recalled;

  boolean readySent;

  /** Whether it stands in the queue of {@link Seats}. */
  boolean queued;

  Seat(LinkMember member, GroupDelivery delivery, int partition) {
    this.member = member;
    this.delivery = delivery;
    this.line = partition - member.request().options().only().orElse(0);
  }

  // --- partition loop

  LinkMember member() {
    return member;
  }

  boolean atMostOnce() {
    return member.request().options().atMostOnce();
  }

  /** False when the whole credit of the member stands here anyway. */
  boolean isSplit() {
    return delivery.isSplit() && member.request().options().only().isEmpty();
  }

  int grant() {
    return grant;
  }

  void addGrant(int more) {
    grant += more;
    readySent = false;
  }

  /** Takes back up to {@code most} unused credit; returns how much. */
  int takeGrant(int most) {
    int taken = Math.min(grant, most);
    grant -= taken;
    return taken;
  }

  /** Offsets in flight to this member. */
  Map<Long, ReturnedMessages.Message> held() {
    return held;
  }

  /** Puts a delivery into the outbox; true when it is the first there. */
  boolean put(Delivery delivery) {
    grant--;
    outbox.add(delivery);
    return outbox.size() == 1;
  }

  void sendOutbox() {
    List<Delivery> batch = outbox;
    outbox = new ArrayList<>();
    member.post(() -> member.onHanded(line, batch));
  }

  void sendAttached() {
    member.post(() -> member.onSeat(line, this));
  }

  void sendReturned(int asked, int returned) {
    member.post(() -> member.onReturned(line, asked, returned));
  }

  void sendReady() {
    readySent = true;
    member.post(() -> member.onReady(line));
  }

  void sendDrained(int unused, boolean more) {
    member.post(() -> member.onPartitionDrained(line, unused, more));
  }

  // --- member's loop

  void postGrant(int more) {
    delivery.loop().execute(() -> delivery.onGrant(this, more));
  }

  void postRevoke(int most) {
    delivery.loop().execute(() -> delivery.onRevoke(this, most));
  }

  void postRecall(int most) {
    delivery.loop().execute(() -> delivery.onRecall(this, most));
  }

  void postDrain(int more) {
    delivery.loop().execute(() -> delivery.onDrain(this, more));
  }

  /** Takes back what came beyond the credit; the answer is sent before it is handed out again. */
  void postSurplus(List<Settlement> settlements) {
    delivery
        .loop()
        .execute(
            () -> {
              member.post(() -> member.onSurplusBack(line));
              delivery.onSettle(this, settlements);
            });
  }

  void postSettle(List<Settlement> settlements) {
    delivery.loop().execute(() -> delivery.onSettle(this, settlements));
  }

  /** Calls back on the member's loop when the effect is durable, never when that is unknown. */
  void postSettle(List<Settlement> settlements, Runnable durable) {
    delivery.loop().execute(() -> delivery.onSettle(this, settlements, () -> member.post(durable)));
  }

  /** Keeps deliveries for a transaction; calls back on the member's loop in any case. */
  void postClaim(List<Settlement> settlements, boolean settled, Consumer<Claim> done) {
    delivery
        .loop()
        .execute(
            () -> {
              Claim claim = delivery.onClaim(this, settlements, settled);
              member.post(() -> done.accept(claim));
            });
  }
}
