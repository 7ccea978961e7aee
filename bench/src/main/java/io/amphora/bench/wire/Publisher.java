package io.amphora.bench.wire;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.TerminusDurability;
import org.apache.qpid.proton.amqp.transport.ReceiverSettleMode;
import org.apache.qpid.proton.amqp.transport.SenderSettleMode;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Sender;
import org.apache.qpid.proton.engine.Session;

/**
 * Sends unsettled messages, as many as there is credit for and a {@link Schedule} allows, and never
 * waits for one. Latency runs from when a message was due to its outcome.
 */
public final class Publisher implements Traffic {

  private static final int TURN = 64;
  private static final int TURN_BYTES = 64 << 10;

  private final Schedule schedule;
  private final Payload payload;
  private final int size;
  private final Counts counts = new Counts();
  private Optional<Sender> link = Optional.empty();
  private long tag;

  /**
   * @param size bytes of a body
   */
  public Publisher(Schedule schedule, int size) {
    this.schedule = schedule;
    this.payload = new Payload(size);
    this.size = size;
  }

  /** What was done. */
  public Counts counts() {
    return counts;
  }

  @Override
  public void open(Session session, Target target) {
    Sender sender = session.sender("out-" + target.address());
    sender.setSource(new org.apache.qpid.proton.amqp.messaging.Source());
    org.apache.qpid.proton.amqp.messaging.Target terminus =
        new org.apache.qpid.proton.amqp.messaging.Target();
    terminus.setAddress(target.address());
    terminus.setDurable(TerminusDurability.NONE);
    terminus.setCapabilities(
        target.capabilities().stream().map(Symbol::valueOf).toArray(Symbol[]::new));
    sender.setTarget(terminus);
    sender.setSenderSettleMode(SenderSettleMode.UNSETTLED);
    sender.setReceiverSettleMode(ReceiverSettleMode.FIRST);
    sender.open();
    link = Optional.of(sender);
  }

  @Override
  public void onReady() {}

  @Override
  public void onRefused(Link refused) {
    throw new IllegalStateException("the sender was refused: " + refused.getRemoteCondition());
  }

  @Override
  public void pump() {
    link.ifPresent(this::pump);
  }

  private void pump(Sender sender) {
    int most = Math.min(TURN - sender.getQueued(), sender.getCredit());
    int bytes = 0;
    long now = System.nanoTime();
    for (int sent = 0; sent < most && bytes < TURN_BYTES; sent++) {
      long due = schedule.next(now);
      if (due == Schedule.NOTHING) {
        return;
      }
      Delivery delivery = sender.delivery(ByteBuffer.allocate(Long.BYTES).putLong(tag++).array());
      delivery.setContext(due);
      sender.sendNoCopy(payload.stamped(due));
      sender.advance();
      bytes += size;
    }
  }

  @Override
  public void onDelivery(Delivery delivery) {
    if (delivery.getRemoteState() == null || !(delivery.getContext() instanceof Long due)) {
      return;
    }
    if (delivery.getRemoteState() instanceof Accepted) {
      counts.done(System.nanoTime() - due);
    } else {
      counts.refused();
    }
    delivery.setContext(null);
    delivery.settle();
  }
}
