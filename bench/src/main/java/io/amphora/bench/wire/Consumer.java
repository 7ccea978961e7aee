package io.amphora.bench.wire;

import java.util.Optional;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.transport.ReceiverSettleMode;
import org.apache.qpid.proton.amqp.transport.SenderSettleMode;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Receiver;
import org.apache.qpid.proton.engine.Session;

/**
 * Receives with a window of credit and accepts every message at once. Latency runs from when the
 * message was due at its publisher, in this process.
 */
public final class Consumer implements Traffic {

  private final Payload payload;
  private final int window;
  private final Runnable onMessage;
  private final Counts counts = new Counts();
  private Optional<Receiver> link = Optional.empty();

  /**
   * @param window credit at most
   * @param onMessage called for each message, by the connection's thread
   */
  public Consumer(int size, int window, Runnable onMessage) {
    this.payload = new Payload(size);
    this.window = window;
    this.onMessage = onMessage;
  }

  /** What was done. */
  public Counts counts() {
    return counts;
  }

  @Override
  public void open(Session session, Target target) {
    Receiver receiver = session.receiver("in-" + target.address());
    Source source = new Source();
    source.setAddress(target.address());
    source.setCapabilities(
        target.capabilities().stream().map(Symbol::valueOf).toArray(Symbol[]::new));
    source.setOutcomes(
        Symbol.valueOf("amqp:accepted:list"),
        Symbol.valueOf("amqp:rejected:list"),
        Symbol.valueOf("amqp:released:list"),
        Symbol.valueOf("amqp:modified:list"));
    receiver.setSource(source);
    receiver.setTarget(new org.apache.qpid.proton.amqp.messaging.Target());
    receiver.setSenderSettleMode(SenderSettleMode.UNSETTLED);
    receiver.setReceiverSettleMode(ReceiverSettleMode.FIRST);
    receiver.open();
    receiver.flow(window);
    link = Optional.of(receiver);
  }

  @Override
  public void onReady() {}

  @Override
  public void onRefused(Link refused) {
    throw new IllegalStateException("the receiver was refused: " + refused.getRemoteCondition());
  }

  @Override
  public void pump() {
    link.ifPresent(
        receiver -> {
          if (receiver.getCredit() <= window / 2) {
            receiver.flow(window - receiver.getCredit());
          }
        });
  }

  @Override
  public void onDelivery(Delivery delivery) {
    if (!delivery.isReadable() || delivery.isPartial()) {
      return;
    }
    Receiver receiver = (Receiver) delivery.getLink();
    ReadableBuffer message = receiver.recv();
    counts.done(System.nanoTime() - payload.stampOf(message));
    // Before it is settled: settling the current delivery advances once more.
    receiver.advance();
    delivery.disposition(Accepted.getInstance());
    delivery.settle();
    onMessage.run();
  }
}
