package io.amphora.amqp.node;

import io.amphora.amqp.engine.AmqpEngine;
import io.amphora.amqp.engine.RejectedState;
import io.amphora.amqp.link.LinkHandler;
import java.io.ByteArrayOutputStream;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.transport.AmqpError;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.amqp.transport.LinkError;
import org.apache.qpid.proton.amqp.transport.ReceiverSettleMode;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Receiver;

/**
 * A client's sender of requests: puts each together, has it handled, and passes the answer on.
 * Owned by the connection loop.
 */
final class RequestLink implements LinkHandler {

  /** Largest request, bytes: a token, or a map of settings. */
  static final int LARGEST = 256 << 10;

  /** Requests without an answer, or without being settled, at most. */
  private static final int MOST = 64;

  private final Receiver link;
  private final RequestNode node;
  private final Consumer<Replies.Answer> answers;
  private final AmqpEngine engine;
  private final boolean second;
  private final ByteArrayOutputStream partial = new ByteArrayOutputStream();
  private final Consumer<Link> onGone;
  private int open;
  private boolean gone;

  /**
   * @param answers takes what the node answers
   * @param onGone told once when the link is gone
   */
  RequestLink(
      Receiver link,
      RequestNode node,
      Consumer<Replies.Answer> answers,
      AmqpEngine engine,
      Consumer<Link> onGone) {
    this.link = link;
    this.node = node;
    this.answers = answers;
    this.onGone = onGone;
    this.engine = engine;
    this.second = link.getRemoteReceiverSettleMode() == ReceiverSettleMode.SECOND;
  }

  void start() {
    topUp();
  }

  private void topUp() {
    int target = Math.max(0, MOST - open);
    if (!gone && link.getCredit() <= target / 2 && link.getCredit() < target) {
      link.flow(target - link.getCredit());
    }
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
      onSettled(delivery);
      return;
    }
    if (delivery.isAborted()) {
      partial.reset();
      link.advance();
      delivery.settle();
      return;
    }
    take(link.recv());
    if (partial.size() > LARGEST) {
      partial.reset();
      engine.detach(
          link, LinkError.MESSAGE_SIZE_EXCEEDED, "a request may have " + LARGEST + " bytes");
    } else if (!delivery.isPartial()) {
      link.advance();
      Optional<Request> request = NodeCodec.read(partial.toByteArray(), partial.size());
      partial.reset();
      settle(delivery, request.isPresent());
      request.ifPresent(this::handle);
    }
  }

  private void take(ReadableBuffer chunk) {
    if (partial.size() + chunk.remaining() > LARGEST) {
      // Enough to see that it is too large.
      partial.writeBytes(new byte[LARGEST + 1 - partial.size()]);
      return;
    }
    byte[] bytes = new byte[chunk.remaining()];
    chunk.get(bytes);
    partial.writeBytes(bytes);
  }

  private void settle(Delivery delivery, boolean legal) {
    if (delivery.remotelySettled()) {
      delivery.settle();
      return;
    }
    delivery.disposition(
        legal
            ? Accepted.getInstance()
            : new RejectedState(new ErrorCondition(AmqpError.DECODE_ERROR, "not a message")));
    if (second) {
      open++;
    } else {
      delivery.settle();
    }
  }

  /** The sender settled what was answered before. */
  private void onSettled(Delivery delivery) {
    if (delivery.remotelySettled() && !delivery.isSettled()) {
      delivery.settle();
      open--;
      topUp();
    }
  }

  private void handle(Request request) {
    open++;
    node.handle(
        request,
        response -> {
          open--;
          byte[] bytes = NodeCodec.write(response, request.id(), request.replyTo());
          answers.accept(new Replies.Answer(request.replyTo(), bytes));
          topUp();
        });
  }

  @Override
  public void onReadDone() {
    topUp();
  }

  @Override
  public void onGone() {
    gone = true;
    onGone.accept(link);
  }
}
