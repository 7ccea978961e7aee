package io.amphora.boot.perf.wire;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.messaging.TerminusDurability;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.amqp.transport.ReceiverSettleMode;
import org.apache.qpid.proton.amqp.transport.SenderSettleMode;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Sender;
import org.apache.qpid.proton.engine.Session;
import org.jspecify.annotations.Nullable;

/**
 * Sends unsettled messages, as many as there is credit for and a {@link Schedule} allows, and never
 * waits for one. Latency runs from when a message was due to its outcome.
 */
public final class Publisher implements Traffic {

  private static final Symbol ACKS = Symbol.valueOf("amphora:acks");
  private static final int TURN = 64;
  private static final int TURN_BYTES = 64 << 10;
  private static final long AHEAD_BYTES = 64L << 20;

  private final Schedule schedule;
  private final Options options;
  private final Payload payload;
  private final Runnable onOutcome;
  private final Counts counts = new Counts();
  private final int turn;
  private final long window;
  private Optional<Sender> link = Optional.empty();
  private long tag;
  private long pending;

  /**
   * How to send.
   *
   * @param window messages without outcome at most; large messages are fewer, 64 MiB in all
   * @param acks when the broker is to answer (docs/amqp.md section 3), empty for its default
   */
  public record Options(int window, Optional<String> acks) {}

  /**
   * @param onOutcome called for each outcome, by the connection's thread
   */
  public Publisher(Schedule schedule, Payload payload, Options options, Runnable onOutcome) {
    this.schedule = schedule;
    this.payload = payload;
    this.options = options;
    this.onOutcome = onOutcome;
    this.turn = Math.max(1, Math.min(TURN, TURN_BYTES / payload.size()));
    this.window = Math.max(1, Math.min(options.window(), AHEAD_BYTES / payload.size()));
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
    options.acks().ifPresent(acks -> sender.setProperties(Map.of(ACKS, acks)));
    sender.setSenderSettleMode(SenderSettleMode.UNSETTLED);
    sender.setReceiverSettleMode(ReceiverSettleMode.FIRST);
    sender.open();
    link = Optional.of(sender);
  }

  @Override
  public void pump() {
    link.ifPresent(this::pump);
  }

  private void pump(Sender sender) {
    long most = Math.min(Math.min(turn - sender.getQueued(), sender.getCredit()), window - pending);
    long now = System.nanoTime();
    for (int sent = 0; sent < most; sent++) {
      long due = schedule.next(now);
      if (due == Schedule.NOTHING) {
        return;
      }
      Delivery delivery = sender.delivery(ByteBuffer.allocate(Long.BYTES).putLong(tag++).array());
      delivery.setContext(due);
      sender.sendNoCopy(payload.stamped(due));
      sender.advance();
      pending++;
    }
  }

  @Override
  public void onDelivery(Delivery delivery) {
    DeliveryState state = delivery.getRemoteState();
    boolean answered = state != null || delivery.remotelySettled();
    if (!answered || !(delivery.getContext() instanceof Long due)) {
      return;
    }
    if (state instanceof Accepted) {
      counts.done(payload.size(), due, System.nanoTime());
    } else {
      counts.refused(reason(state));
    }
    delivery.setContext(null);
    delivery.settle();
    pending--;
    onOutcome.run();
  }

  private static String reason(@Nullable DeliveryState state) {
    if (state instanceof Rejected rejected && rejected.getError() != null) {
      return Wire.text(rejected.getError());
    }
    return state == null
        ? "settled without an outcome"
        : state.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
  }
}
