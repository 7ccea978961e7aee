package io.amphora.amqp.link;

import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.engine.Delivery;
import org.jspecify.annotations.Nullable;

/**
 * Settles the deliveries of a client's sender in the order they came, whatever order they are
 * decided in. Owned by the connection loop.
 */
final class Settling {

  /** The sender settles last (conventions 7.3). */
  private final boolean second;

  private final ArrayDeque<Delivery> unsettled = new ArrayDeque<>();

  /** Deliveries that several partitions decide. */
  private final IdentityHashMap<Delivery, Parts> split = new IdentityHashMap<>();

  /** What is known of a delivery that several partitions decide. */
  private static final class Parts {
    private int missing;
    private @Nullable DeliveryState refusal;

    Parts(int missing) {
      this.missing = missing;
    }
  }

  /** Deliveries with an outcome that the sender has still to settle. */
  private int decided;

  Settling(boolean second) {
    this.second = second;
  }

  /** A delivery came; a settled one has nothing to wait for. */
  void add(Delivery delivery) {
    if (delivery.remotelySettled()) {
      delivery.settle();
    } else {
      unsettled.add(delivery);
    }
  }

  /** Deliveries that the sender still waits for, or has to settle. */
  int open() {
    return unsettled.size() + decided;
  }

  /** Decides one delivery; it is settled when all before it are. */
  void resolve(Delivery delivery, DeliveryState state) {
    decide(delivery, state);
    settleReady();
  }

  /**
   * A delivery is decided when all of its parts are; one refusal is a refusal.
   *
   * @param parts 1 or more
   */
  void split(Delivery delivery, int parts) {
    if (parts > 1) {
      split.put(delivery, new Parts(parts));
    }
  }

  private void decide(Delivery delivery, DeliveryState state) {
    Parts parts = split.get(delivery);
    if (parts == null) {
      delivery.setContext(state);
      return;
    }
    if (!(state instanceof Accepted) && parts.refusal == null) {
      parts.refusal = state;
    }
    if (--parts.missing == 0) {
      split.remove(delivery);
      delivery.setContext(parts.refusal == null ? state : parts.refusal);
    }
  }

  void resolveAll(List<Delivery> deliveries, DeliveryState state) {
    for (Delivery delivery : deliveries) {
      decide(delivery, state);
    }
    settleReady();
  }

  private void settleReady() {
    for (Delivery head = unsettled.peek(); head != null; head = unsettled.peek()) {
      if (!(head.getContext() instanceof DeliveryState state)) {
        return;
      }
      unsettled.remove();
      head.disposition(state);
      if (!second || head.remotelySettled()) {
        head.settle();
      } else {
        decided++;
      }
    }
  }

  /** The sender said something of a delivery that it sent before. */
  void onSettled(Delivery delivery) {
    if (delivery.remotelySettled() && delivery.getLocalState() != null && !delivery.isSettled()) {
      delivery.settle();
      decided--;
    }
  }

  void clear() {
    unsettled.clear();
    split.clear();
  }
}
