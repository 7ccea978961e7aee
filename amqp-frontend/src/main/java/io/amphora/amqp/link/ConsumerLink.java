package io.amphora.amqp.link;

import io.amphora.amqp.codec.DeliveryEncoder;
import io.amphora.amqp.codec.Expiry;
import io.amphora.amqp.source.Reception;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.delivery.Delivery;
import io.amphora.core.delivery.Member;
import io.amphora.core.delivery.MemberListener;
import io.amphora.core.delivery.Outcome;
import io.amphora.core.delivery.Settlement;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Sender;
import org.jspecify.annotations.Nullable;

/**
 * A client's receiver: passes credit to its group, sends what comes back within it, and hands over
 * what was settled, once per read. Owned by the connection loop.
 */
final class ConsumerLink implements LinkHandler, MemberListener {

  /** Deliveries in the engine at most: more only fills memory. */
  private static final int TURN = 64;

  /** Bytes in the engine at most, but for a single larger message: about one output buffer. */
  private static final int TURN_BYTES = 64 << 10;

  /** Credit passed on at most: a client may give 2^31. */
  private static final int WINDOW = 1024;

  /** Bytes that wait for the client above which nothing more is asked for. */
  private static final long WINDOW_BYTES = 4 << 20;

  /** The same when the links of the connection hold much together. */
  private static final long LEAST_WINDOW_BYTES = 64 << 10;

  /** An attach is answered within this, whatever the partitions do (conventions 2.7). */
  private static final long ATTACH_NANOS = 10_000_000_000L;

  private final LinkContext context;
  private final Sender link;
  private final @Nullable Object defaultOutcome;
  private final Reception reception;
  private final boolean settled;
  private final long maxMessageSize;
  private final DeliveryEncoder encoder = new DeliveryEncoder();
  private final ArrayDeque<Delivery> pending = new ArrayDeque<>();
  private final DrainState drain = new DrainState();
  private final long tagPrefix = ThreadLocalRandom.current().nextLong();
  private List<Settlement> settlements = new ArrayList<>();
  private @Nullable Member member;
  private @Nullable Runnable answer;
  private Loop.@Nullable Cancellable late;
  private long tags;
  private int granted;
  private long pendingBytes;

  /** Moving average; the start is a guess that keeps the first burst small. */
  private long averageBytes = 32 << 10;

  private long queuedBytes;
  private boolean attached;
  private boolean gone;

  ConsumerLink(LinkContext context, Sender link, Source source, Reception reception) {
    this.context = context;
    this.link = link;
    this.defaultOutcome = source.getDefaultOutcome();
    this.reception = reception;
    this.settled = reception.request().options().atMostOnce();
    UnsignedLong most = link.getRemoteMaxMessageSize();
    this.maxMessageSize = most == null ? 0 : most.longValue();
  }

  /** Joins the group; the attach is answered when the group is known. */
  void subscribe(Runnable reply) {
    answer = reply;
    member = context.broker().subscribe(reception.request(), context.loop(), this);
    late = context.loop().schedule(ATTACH_NANOS, () -> context.run(this::onAttachLate));
  }

  @Override
  public void onAttached() {
    context.run(
        () -> {
          if (answer != null && !gone) {
            answer.run();
            answer = null;
            attached = true;
            forgetTimer();
            onFlow();
          }
        });
  }

  /** A waiting timer keeps the link, and all of its connection, in memory. */
  private void forgetTimer() {
    if (late != null) {
      late.cancel();
      late = null;
    }
  }

  private void onAttachLate() {
    if (!attached && !gone) {
      detached(new BrokerException(ErrorCode.TIMEOUT, "the group is not available now"));
    }
  }

  @Override
  public void onDetached(BrokerException reason) {
    context.run(() -> detached(reason));
  }

  private void detached(BrokerException reason) {
    if (gone) {
      return;
    }
    Refusal refusal = Refusal.of(reason);
    if (attached) {
      context.engine().detach(link, refusal.condition(), refusal.description());
    } else if (link.getLocalState() == EndpointState.UNINITIALIZED) {
      AttachReply.refuse(link, refusal);
      link.setContext(null);
      onGone();
    }
  }

  @Override
  public void onFlow() {
    if (!attached || gone) {
      return;
    }
    grant();
    if (link.getDrain()) {
      if (drain.ask()) {
        members().drain();
      }
    } else {
      drain.cancel();
    }
  }

  private Member members() {
    if (member == null) {
      throw new IllegalStateException("not subscribed");
    }
    return member;
  }

  /** Passes credit on; always the whole number, never added up (B41). */
  private void grant() {
    int free = Math.max(0, link.getCredit() - pending.size());
    granted = Math.min(free, room());
    members().credit(granted);
  }

  /** How many messages more are worth waiting here, if they are as large as those before. */
  private int room() {
    long fit = Math.max(0, window() - pendingBytes) / Math.max(1, averageBytes);
    if (pending.isEmpty()) {
      fit = Math.max(1, fit);
    }
    return (int) Math.min(fit, Math.max(0, WINDOW - pending.size()));
  }

  private long window() {
    return context.memory().isOutgoingFull() ? LEAST_WINDOW_BYTES : WINDOW_BYTES;
  }

  private void addPending(Delivery delivery) {
    int size = delivery.record().payloadSize();
    averageBytes += (size - averageBytes) / 8;
    pending.add(delivery);
    changePending(size);
  }

  private void changePending(long bytes) {
    pendingBytes += bytes;
    context.memory().outgoing(bytes);
  }

  @Override
  public void onDeliveries(List<Delivery> deliveries) {
    context.run(
        () -> {
          if (!gone) {
            deliveries.forEach(this::addPending);
            granted = Math.max(0, granted - deliveries.size());
            if (pendingBytes >= window() && granted > 0) {
              // A client that does not read must not fill our memory: the rest stays for others.
              grant();
            }
          }
        });
  }

  @Override
  public void onDrained(int unused) {
    context.run(
        () -> {
          granted = 0;
          boolean again = drain.onDrained(unused);
          if (!gone && !drain.isReady()) {
            grant();
            if (again) {
              members().drain();
            }
          }
        });
  }

  /**
   * Puts the next deliveries into the engine, within credit and a turn's worth.
   *
   * @return true when anything was done that makes output
   */
  boolean fill() {
    if (!attached || gone) {
      return false;
    }
    boolean any = answerDrain();
    int room = TURN - link.getQueued();
    if (room == TURN) {
      queuedBytes = 0;
    }
    int sent = 0;
    while (room > sent && queuedBytes < TURN_BYTES && !pending.isEmpty() && link.getCredit() > 0) {
      Delivery next = pending.remove();
      changePending(-next.record().payloadSize());
      queuedBytes += send(next);
      sent++;
    }
    if (sent > 0) {
      context.traffic().sent(sent);
      regrant();
      settle();
    }
    return any || sent > 0;
  }

  private void regrant() {
    boolean low = granted + pending.size() <= WINDOW / 2 && pendingBytes <= window() / 2;
    if (low && !drain.isAsked() && link.getCredit() > granted + pending.size()) {
      grant();
    }
  }

  private boolean answerDrain() {
    if (drain.isWanted() && link.getCredit() <= 0 && link.getQueued() == 0) {
      // Right behind the last message: once the client gives new credit, a late answer takes it.
      drain.answered();
      context.engine().answerFlow(link);
      return true;
    }
    boolean sentAll = link.getQueued() == 0 && pending.isEmpty();
    if (!drain.isReady() || !sentAll) {
      return false;
    }
    if (drain.mayHaveMore()) {
      drain.again();
      grant();
      members().drain();
      return false;
    }
    drain.answered();
    link.drained();
    return true;
  }

  private int send(Delivery delivery) {
    long now = context.loop().nowMillis();
    if (Expiry.isOver(delivery.record(), now)) {
      // Expired messages are not delivered; they used no credit of the link.
      settleUnseen(delivery, Outcome.ACCEPTED);
      return 0;
    }
    ReadableBuffer bytes = encoder.encode(delivery, now);
    int size = bytes.remaining();
    if (maxMessageSize > 0 && size > maxMessageSize) {
      settleUnseen(delivery, new Outcome.Modified(true, true, new byte[0]));
      return 0;
    }
    org.apache.qpid.proton.engine.Delivery out = link.delivery(tag());
    out.setMessageFormat(delivery.record().messageFormat());
    out.setContext(delivery);
    link.sendNoCopy(bytes);
    if (settled) {
      out.settle();
    } else {
      link.advance();
    }
    return size;
  }

  private void settleUnseen(Delivery delivery, Outcome outcome) {
    if (!settled) {
      settle(delivery, outcome);
    }
  }

  private void settle(Delivery delivery, Outcome said) {
    Outcome outcome = reception.kind() == Reception.Kind.READER ? Outcome.ACCEPTED : said;
    settlements.add(new Settlement(delivery.partition(), delivery.record().offset(), outcome));
  }

  /** 16 bytes, as Service Bus clients need them (conventions 5.9). */
  private byte[] tag() {
    return ByteBuffer.allocate(16).putLong(tagPrefix).putLong(tags++).array();
  }

  @Override
  public void onDelivery(org.apache.qpid.proton.engine.Delivery delivery) {
    Object state = delivery.getRemoteState();
    boolean over = delivery.remotelySettled() || Outcomes.isTerminal(state);
    if (gone || !over || !(delivery.getContext() instanceof Delivery sent)) {
      return;
    }
    settle(sent, Outcomes.of(state, defaultOutcome));
    delivery.setContext(null);
    if (!delivery.remotelySettled()) {
      // rcv-settle-mode second: the same state, settled (conventions 7.3).
      delivery.disposition(delivery.getRemoteState());
    }
    delivery.settle();
  }

  @Override
  public void onReadDone() {
    settle();
  }

  private void settle() {
    if (!settlements.isEmpty() && member != null) {
      List<Settlement> all = settlements;
      settlements = new ArrayList<>();
      member.settle(all);
    }
  }

  @Override
  public void onGone() {
    gone = true;
    forgetTimer();
    pending.clear();
    changePending(-pendingBytes);
    if (member != null) {
      settle();
      member.close();
    }
  }
}
