package io.amphora.amqp.link;

import java.util.ArrayDeque;
import java.util.List;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.engine.Delivery;

/**
 * Settles the deliveries of a client's sender in the order they came, whatever order they are
 * decided in. Owned by the connection loop.
 */
final class Settling {

  /** The sender settles last (conventions 7.3). */
  private final boolean second;

  private final ArrayDeque<Delivery> unsettled = new ArrayDeque<>();

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
    delivery.setContext(state);
    settleReady();
  }

  void resolveAll(List<Delivery> deliveries, DeliveryState state) {
    for (Delivery delivery : deliveries) {
      delivery.setContext(state);
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
  }
}
