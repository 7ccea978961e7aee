package io.amphora.amqp.node;

import io.amphora.amqp.engine.AmqpEngine;
import io.amphora.amqp.link.LinkHandler;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.amqp.transport.SenderSettleMode;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Sender;
import org.apache.qpid.proton.engine.Session;

/**
 * A client's receiver of answers: what comes before there is credit waits (conventions 5.6). Owned
 * by the connection loop.
 */
final class ReplyLink implements LinkHandler {

  /** Answers that wait for credit or for being settled at most. */
  private static final int MOST = 256;

  /** Bytes that wait for credit at most. */
  private static final int MOST_BYTES = 1 << 20;

  private final Sender link;
  private final NodeAddress.Kind kind;
  private final String target;
  private final String pair;
  private final AmqpEngine engine;
  private final Consumer<ReplyLink> onGone;
  private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
  private final boolean settled;
  private int waitingBytes;
  private int unsettled;
  private long tags;

  /** What the link is. */
  record Identity(NodeAddress.Kind kind, String target, String pair) {}

  /**
   * @param onGone told once when the link is gone
   */
  ReplyLink(Sender link, Identity identity, AmqpEngine engine, Consumer<ReplyLink> onGone) {
    this.link = link;
    this.kind = identity.kind;
    this.target = identity.target;
    this.pair = identity.pair;
    this.engine = engine;
    this.onGone = onGone;
    this.settled = link.getRemoteSenderSettleMode() != SenderSettleMode.UNSETTLED;
  }

  /** Whether answers are settled when they are sent. */
  boolean isSettled() {
    return settled;
  }

  NodeAddress.Kind kind() {
    return kind;
  }

  String target() {
    return target;
  }

  String pair() {
    return pair;
  }

  Session session() {
    return link.getSession();
  }

  /**
   * Sends an answer, now or when there is credit.
   *
   * @return false when too many wait
   */
  boolean send(byte[] answer) {
    if (waiting.size() + unsettled >= MOST || waitingBytes + answer.length > MOST_BYTES) {
      return false;
    }
    waiting.add(answer);
    waitingBytes += answer.length;
    pump();
    return true;
  }

  private void pump() {
    while (link.getCredit() > 0 && !waiting.isEmpty()) {
      byte[] answer = waiting.remove();
      waitingBytes -= answer.length;
      Delivery delivery = link.delivery(tag());
      link.sendNoCopy(ReadableBuffer.ByteBufferReader.wrap(answer));
      if (settled) {
        delivery.settle();
      } else {
        link.advance();
        unsettled++;
      }
    }
  }

  private byte[] tag() {
    return ByteBuffer.allocate(Long.BYTES).putLong(tags++).array();
  }

  @Override
  public void onFlow() {
    pump();
    if (link.getDrain()) {
      if (link.getCredit() > 0) {
        link.drained();
      } else {
        engine.answerFlow(link);
      }
    }
  }

  @Override
  public void onDelivery(Delivery delivery) {
    DeliveryState state = delivery.getRemoteState();
    if (!delivery.isSettled() && (delivery.remotelySettled() || state != null)) {
      if (!delivery.remotelySettled()) {
        // Who receives in mode second waits for this (conventions 7.3).
        delivery.disposition(state);
      }
      delivery.settle();
      unsettled--;
    }
  }

  @Override
  public void onReadDone() {}

  @Override
  public void onGone() {
    onGone.accept(this);
    waiting.clear();
  }
}
