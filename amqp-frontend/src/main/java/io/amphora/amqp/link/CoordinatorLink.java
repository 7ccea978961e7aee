package io.amphora.amqp.link;

import io.amphora.amqp.tx.Coordinator;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.amqp.transport.LinkError;
import org.apache.qpid.proton.amqp.transport.ReceiverSettleMode;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Receiver;

/**
 * A client's link to the coordinator: takes requests in order and answers them in order, however
 * long each takes (conventions 4.7). Owned by the connection loop.
 */
final class CoordinatorLink implements LinkHandler {

  /** Requests that may be unanswered. */
  private static final int CREDIT = 100;

  /** Largest request, bytes: they have a name of at most 16 bytes in them. */
  static final int MAX_REQUEST_BYTES = 4096;

  private final LinkContext context;
  private final Receiver link;
  private final Coordinator coordinator;
  private final Settling settling;
  private final PartialMessage partial;
  private boolean gone;

  CoordinatorLink(LinkContext context, Receiver link) {
    this.context = context;
    this.link = link;
    this.coordinator = new Coordinator(context.broker(), context.transactions());
    this.settling = new Settling(link.getRemoteReceiverSettleMode() == ReceiverSettleMode.SECOND);
    this.partial = new PartialMessage(context.memory());
  }

  /** The attach is answered: clients wait for credit without asking. */
  void start() {
    topUp();
  }

  @Override
  public void onFlow() {
    topUp();
  }

  @Override
  public void onDelivery(Delivery delivery) {
    if (gone) {
      return;
    }
    if (link.current() != delivery) {
      settling.onSettled(delivery);
      return;
    }
    if (delivery.isAborted()) {
      partial.clear();
      link.advance();
      delivery.settle();
      return;
    }
    ReadableBuffer chunk = link.recv();
    if (partial.size() + chunk.remaining() > MAX_REQUEST_BYTES) {
      detach(
          new ErrorCondition(
              LinkError.MESSAGE_SIZE_EXCEEDED,
              "requests may have " + MAX_REQUEST_BYTES + " bytes at most"));
      return;
    }
    partial.add(chunk);
    if (!delivery.isPartial()) {
      onRequest(delivery);
    }
  }

  private void onRequest(Delivery delivery) {
    link.advance();
    settling.add(delivery);
    byte[] bytes = partial.bytes();
    int size = partial.size();
    partial.clear();
    coordinator.request(bytes, 0, size, new Waiting(delivery));
  }

  /** A request that waits for its answer. */
  private final class Waiting implements Coordinator.Asker {
    private final Delivery delivery;

    Waiting(Delivery delivery) {
      this.delivery = delivery;
    }

    @Override
    public void answer(DeliveryState state) {
      context.run(
          () -> {
            if (!gone) {
              settling.resolve(delivery, state);
              topUp();
            }
          });
    }

    @Override
    public void unknown(String reason) {
      context.run(() -> detach(new ErrorCondition(LinkError.DETACH_FORCED, reason)));
    }
  }

  private void detach(ErrorCondition error) {
    if (!gone) {
      context.engine().detach(link, error.getCondition(), error.getDescription());
    }
  }

  private void topUp() {
    int free = CREDIT - settling.open();
    if (!gone && link.getCredit() <= free / 2 && link.getCredit() < free) {
      link.flow(free - link.getCredit());
    }
  }

  @Override
  public void onReadDone() {
    topUp();
  }

  @Override
  public void onGone() {
    gone = true;
    partial.clear();
    settling.clear();
    coordinator.onGone();
  }
}
