package io.amphora.amqp.link;

import io.amphora.amqp.codec.Expiry;
import io.amphora.amqp.large.BodyReader;
import io.amphora.amqp.source.Reception;
import io.amphora.amqp.tx.Retirements;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.delivery.Delivery;
import io.amphora.core.delivery.Member;
import io.amphora.core.delivery.MemberListener;
import io.amphora.core.delivery.Outcome;
import io.amphora.core.delivery.Settlement;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.topology.TopicInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.transaction.TransactionalState;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Sender;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's receiver: passes credit to its group, sends what comes back within it, and hands over
 * what was settled, once per read. Owned by the connection loop.
 */
final class ConsumerLink implements LinkHandler, MemberListener {

  private static final Logger LOG = LoggerFactory.getLogger(ConsumerLink.class);

  /** Deliveries in the engine at most: more only fills memory. */
  private static final int TURN = 64;

  /** Bytes in the engine at most, but for a single larger message: about one output buffer. */
  private static final int TURN_BYTES = 64 << 10;

  /** An attach is answered within this, whatever the partitions do (conventions 2.7). */
  private static final long ATTACH_NANOS = 10_000_000_000L;

  private static final Outcome TOO_LARGE = new Outcome.Modified(true, true, new byte[0]);

  private final LinkContext context;
  private final Sender link;
  private final @Nullable Object defaultOutcome;
  private final Reception reception;
  private final TopicInfo topic;
  private final DeliveryWriter writer;
  private final DeliveryWindow window;
  private final DrainState drain = new DrainState();
  private final SettleAnswers answers = new SettleAnswers();
  private final Retirements retirements;
  private List<Settlement> settlements = new ArrayList<>();
  private @Nullable Member member;
  private @Nullable Runnable answer;
  private Loop.@Nullable Cancellable late;
  private @Nullable LargeDelivery large;
  private int granted;
  private long queuedBytes;
  private boolean attached;
  private boolean ends;
  private boolean gone;

  ConsumerLink(
      LinkContext context, Sender link, Source source, Reception reception, TopicInfo topic) {
    this.context = context;
    this.link = link;
    this.defaultOutcome = source.getDefaultOutcome();
    this.reception = reception;
    this.topic = topic;
    this.writer = new DeliveryWriter(link, reception.request().options().atMostOnce());
    this.window = new DeliveryWindow(context.memory());
    this.retirements = new Retirements(context.transactions(), this::members);
  }

  /** Joins the group; the attach is answered when the group is known. */
  void subscribe(Runnable reply) {
    if (writer.isSettled()) {
      context.engine().sendsSettled(link);
    }
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
    int free = Math.max(0, link.getCredit() - inHand());
    granted = answers.isFull() ? 0 : Math.min(free, window.room());
    members().credit(granted);
  }

  /** Deliveries that will use credit of the link. */
  private int inHand() {
    boolean coming = large != null && !large.isComplete();
    return window.size() + (coming ? 1 : 0);
  }

  @Override
  public void onDeliveries(List<Delivery> deliveries) {
    context.run(
        () -> {
          if (!gone) {
            deliveries.forEach(window::add);
            granted = Math.max(0, granted - deliveries.size());
            if (window.isFull() && granted > 0) {
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
    if (large != null) {
      any |= sendLarge(large);
    }
    int room = TURN - link.getQueued();
    if (room == TURN) {
      queuedBytes = 0;
    }
    int sent = 0;
    while (room > sent && queuedBytes < TURN_BYTES && mayBegin()) {
      any |= begin(window.next());
      sent++;
    }
    if (sent > 0) {
      context.traffic().sent(sent);
      regrant();
      settle();
    }
    return any || sent > 0;
  }

  /** What comes behind a large message waits for it. */
  private boolean mayBegin() {
    return large == null && !window.isEmpty() && link.getCredit() > 0;
  }

  private boolean begin(Delivery next) {
    if (next.record().isWhole()) {
      window.done(next);
      queuedBytes += send(next);
      return true;
    }
    Optional<PartitionRef> partition = context.broker().partition(topic, next.partition());
    int length = next.record().bodyLength();
    if (partition.isEmpty()
        || writer.isTooLarge(
            writer.head(next, context.loop().nowMillis()).length + (long) length)) {
      window.done(next);
      settleUnseen(next, partition.isEmpty() ? Outcome.RELEASED : TOO_LARGE);
      return false;
    }
    large =
        new LargeDelivery(
            context,
            link,
            writer,
            next,
            new BodyReader.Body(partition.get(), next.record().offset(), length));
    return sendLarge(large);
  }

  private boolean sendLarge(LargeDelivery current) {
    LargeDelivery.Step step = current.step();
    if (step == LargeDelivery.Step.LOST) {
      onLost(current);
    } else if (step == LargeDelivery.Step.EXPIRED) {
      settleUnseen(current.delivery(), Outcome.ACCEPTED);
      afterLarge(current);
    } else if (step == LargeDelivery.Step.DONE) {
      afterLarge(current);
    }
    return step != LargeDelivery.Step.NONE;
  }

  private void afterLarge(LargeDelivery done) {
    window.done(done.delivery());
    large = null;
    regrant();
    settle();
  }

  /** Its body cannot be read. */
  private void onLost(LargeDelivery lost) {
    BrokerException why = lost.failure().orElseThrow();
    if (why.code() == ErrorCode.NOT_FOUND && !lost.hasBegun()) {
      // Retention took it: nobody will ever get it.
      settleUnseen(lost.delivery(), Outcome.ACCEPTED);
      afterLarge(lost);
    } else {
      // Later: the links are being walked through.
      context.loop().execute(() -> context.run(() -> detached(why)));
    }
  }

  private void regrant() {
    boolean low = window.isLow(granted);
    if (low && !drain.isAsked() && link.getCredit() > granted + inHand()) {
      grant();
    }
  }

  private boolean answerDrain() {
    boolean begun = link.getQueued() > 0 || (large != null && large.hasBegun());
    if (drain.isWanted() && link.getCredit() <= 0 && !begun) {
      // Right behind the last message: once the client gives new credit, a late answer takes it.
      drain.answered();
      context.engine().answerFlow(link);
      return true;
    }
    boolean sentAll = !begun && large == null && window.isEmpty();
    if (!drain.isReady() || !sentAll) {
      return false;
    }
    if (drain.mayHaveMore() && !answers.isFull()) {
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
    int size = writer.send(delivery, now);
    if (size == 0) {
      settleUnseen(delivery, TOO_LARGE);
    }
    return size;
  }

  private void settleUnseen(Delivery delivery, Outcome outcome) {
    if (!writer.isSettled()) {
      settle(delivery, outcome);
    }
  }

  private void settle(Delivery delivery, Outcome said) {
    settlements.add(settlement(delivery, said));
  }

  private Settlement settlement(Delivery delivery, Outcome said) {
    Outcome outcome = reception.kind() == Reception.Kind.READER ? Outcome.ACCEPTED : said;
    return new Settlement(delivery.partition(), delivery.record().offset(), outcome);
  }

  @Override
  public void onDelivery(org.apache.qpid.proton.engine.Delivery delivery) {
    Object state = delivery.getRemoteState();
    if (!gone && state instanceof TransactionalState transactional) {
      onTransactional(delivery, transactional);
      return;
    }
    if (!gone && delivery.getContext() instanceof Retirements.Retired retired) {
      retired.onMore();
      return;
    }
    boolean over = delivery.remotelySettled() || Outcomes.isTerminal(state);
    if (gone || !over || !(delivery.getContext() instanceof Delivery sent)) {
      return;
    }
    settle(sent, Outcomes.of(state, defaultOutcome));
    delivery.setContext(null);
    if (large != null && large.is(delivery) && !large.isComplete()) {
      // A peer may settle what it has only a part of.
      large.abort();
    } else if (delivery.remotelySettled()) {
      delivery.settle();
    } else {
      answers.add(delivery);
    }
  }

  private void onTransactional(
      org.apache.qpid.proton.engine.Delivery delivery, TransactionalState state) {
    if (delivery.getContext() instanceof Retirements.Retired retired) {
      retired.onMore();
      return;
    }
    boolean unfinished = large != null && large.is(delivery) && !large.isComplete();
    boolean over =
        delivery.remotelySettled() || (Outcomes.isTerminal(state.getOutcome()) && !unfinished);
    if (!over || !(delivery.getContext() instanceof Delivery sent)) {
      return;
    }
    Settlement word = settlement(sent, Outcomes.of(state.getOutcome(), defaultOutcome));
    if (unfinished && large != null) {
      large.abort();
    }
    retirements
        .add(delivery, state, word)
        .ifPresent(
            error -> context.engine().detach(link, error.getCondition(), error.getDescription()));
  }

  @Override
  public void onReadDone() {
    retirements.flush();
    settle();
  }

  private void settle() {
    if (!settlements.isEmpty() && member != null) {
      List<Settlement> all = settlements;
      settlements = new ArrayList<>();
      List<SettleAnswers.Word> words = answers.take();
      if (words.isEmpty()) {
        member.settle(all);
      } else {
        member.settle(all, () -> context.run(() -> onDurable(words)));
      }
    }
  }

  private void onDurable(List<SettleAnswers.Word> words) {
    if (!gone) {
      answers.give(words);
      regrant();
    }
  }

  @Override
  public void onGone() {
    gone = true;
    forgetTimer();
    window.clear();
    if (large != null) {
      large.close();
      large = null;
    }
    if (member != null) {
      retirements.onGone();
      settle();
      member.close();
      endSubscription();
    }
  }

  /** The terminus goes with a link that is closed for good (part 2, section 2.6.6). */
  @Override
  public void onClosing() {
    ends = attached && reception.isDurableSubscription();
  }

  /** Others may still use it: then it stays. */
  private void endSubscription() {
    if (ends) {
      String group = reception.request().group();
      context
          .broker()
          .deleteGroup(group, context.loop(), reply -> LOG.debug("{} is closed: {}", group, reply));
    }
  }
}
