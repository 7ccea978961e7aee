package io.amphora.boot.perf.wire;

import java.util.Optional;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.transport.ReceiverSettleMode;
import org.apache.qpid.proton.amqp.transport.SenderSettleMode;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Receiver;
import org.apache.qpid.proton.engine.Session;

/**
 * Receives with a window of credit and accepts every message at once. Latency runs from when the
 * message was due at its publisher, in this process.
 */
public final class Consumer implements Traffic {

  private final int window;
  private final Quota quota;
  private final Optional<Payload> mine;
  private final Runnable onMessage;
  private final Counts counts = new Counts();
  private Optional<Receiver> link = Optional.empty();

  /**
   * @param window credit at most
   * @param quota what credit is taken from
   * @param mine the messages that count, with their latency; empty for all, without
   * @param onMessage called for each message that counts, by the connection's thread
   */
  public Consumer(int window, Quota quota, Optional<Payload> mine, Runnable onMessage) {
    this.window = window;
    this.quota = quota;
    this.mine = mine;
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
    link = Optional.of(receiver);
  }

  @Override
  public void pump() {
    link.ifPresent(
        receiver -> {
          int more = receiver.getCredit() <= window / 2 ? window - receiver.getCredit() : 0;
          int granted = more > 0 ? quota.take(more) : 0;
          if (granted > 0) {
            receiver.flow(granted);
          }
        });
  }

  @Override
  public void onDelivery(Delivery delivery) {
    if (!delivery.isReadable() || delivery.isPartial()) {
      return;
    }
    Receiver receiver = (Receiver) delivery.getLink();
    boolean ours = count(receiver.recv());
    // Before it is settled: settling the current delivery advances once more.
    receiver.advance();
    delivery.disposition(Accepted.getInstance());
    delivery.settle();
    if (ours) {
      onMessage.run();
    }
  }

  private boolean count(ReadableBuffer message) {
    long bytes = message.remaining();
    if (mine.isEmpty()) {
      counts.done(bytes);
      return true;
    }
    long due = mine.get().stampOf(message);
    if (due == Payload.NOT_OURS) {
      counts.other();
      return false;
    }
    counts.done(bytes, due, System.nanoTime());
    return true;
  }
}
