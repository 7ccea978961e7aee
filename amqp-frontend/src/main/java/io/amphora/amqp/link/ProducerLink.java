package io.amphora.amqp.link;

import io.amphora.amqp.AmqpErrors;
import io.amphora.amqp.Situation;
import io.amphora.amqp.engine.RejectedState;
import io.amphora.amqp.tx.ConnectionTransactions;
import io.amphora.core.BrokerException;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.AppendResult;
import java.util.Optional;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.transaction.TransactionalState;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.amqp.transport.ReceiverSettleMode;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Receiver;

/**
 * A client's sender: collects messages, has them given to partitions, settles them once they are
 * committed, and hands out credit. Owned by the connection loop.
 */
final class ProducerLink implements LinkHandler {

  private static final long BLOCKED_RETRY_NANOS = 100_000_000;

  /** A complete message that is larger than this goes to a spool all the same. */
  private static final int LARGEST_IN_MEMORY = 2 * Unfinished.SMALL;

  private final LinkContext context;
  private final Receiver link;
  private final Routes routes;
  private final long maxMessageBytes;
  private final Batches batches;
  private final Settling settling;
  private final Intake intake;
  private final Unfinished unfinished;
  private int received;
  private boolean fresh;
  private boolean retryPlanned;
  private boolean gone;

  /**
   * @param asked when messages are answered; empty leaves that to their topics
   */
  ProducerLink(
      LinkContext context,
      Receiver link,
      Routes routes,
      Optional<Acks> asked,
      long maxMessageBytes) {
    this.context = context;
    this.link = link;
    this.routes = routes;
    this.maxMessageBytes = maxMessageBytes;
    this.unfinished = new Unfinished(context);
    this.settling = new Settling(link.getRemoteReceiverSettleMode() == ReceiverSettleMode.SECOND);
    this.batches = new Batches(context, asked, this::onAnswer);
    this.intake = new Intake(context, routes, batches, settling, this::detach);
  }

  /**
   * The attach is answered: clients wait for credit without asking (conventions 3.2). Hasty ones
   * have sent already, while the topic was being created.
   */
  void start() {
    Delivery seen = null;
    for (Delivery next = link.current(); next != null && next != seen; next = link.current()) {
      seen = next;
      onDelivery(next);
    }
    onReadDone();
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
      unfinished.clear();
      link.advance();
      delivery.settle();
      return;
    }
    ReadableBuffer chunk = link.recv();
    if (unfinished.size() + chunk.remaining() > maxMessageBytes) {
      unfinished.clear();
      fail(
          delivery,
          Situation.MESSAGE_TOO_LARGE.error(
              "messages may have " + maxMessageBytes + " bytes at most"));
    } else if (!delivery.isPartial()) {
      onComplete(delivery, chunk);
    } else {
      onPart(delivery, chunk);
    }
  }

  private boolean onPart(Delivery delivery, ReadableBuffer chunk) {
    boolean taken = unfinished.add(chunk, delivery.getMessageFormat(), inMemory(delivery));
    if (!taken) {
      unfinished.clear();
      fail(delivery, Situation.RESOURCE_LIMIT.error("too many unfinished messages"));
    }
    return taken;
  }

  /** What is sent in a transaction waits in memory for its end, as far as it may be that large. */
  private long inMemory(Delivery delivery) {
    return isTransactional(delivery) ? context.transactions().messageBytes() : Unfinished.SMALL;
  }

  private static boolean isTransactional(Delivery delivery) {
    return delivery.getRemoteState() instanceof TransactionalState;
  }

  /** The link ends, and with it the hope for the transaction that the delivery belongs to. */
  private void fail(Delivery delivery, ErrorCondition error) {
    context.transactions().fail(delivery.getRemoteState(), error);
    detach(error);
  }

  private void onComplete(Delivery delivery, ReadableBuffer chunk) {
    if (!fresh && !stillThere(delivery)) {
      return;
    }
    boolean large =
        unfinished.isLarge()
            || unfinished.size() + chunk.remaining()
                > Math.max(LARGEST_IN_MEMORY, inMemory(delivery));
    if (large && !onPart(delivery, chunk)) {
      return;
    }
    received++;
    link.advance();
    settling.add(delivery);
    if (delivery.getRemoteState() instanceof TransactionalState state && !isTaken(state, large)) {
      unfinished.clear();
      settling.resolve(delivery, refusal(state, large));
    } else if (large) {
      intake.large(delivery, unfinished.takeLarge());
    } else if (unfinished.size() == 0 && chunk.hasArray()) {
      int start = chunk.arrayOffset() + chunk.position();
      intake.small(delivery, chunk.array(), start, start + chunk.remaining());
    } else {
      PartialMessage whole = unfinished.partial();
      whole.add(chunk);
      intake.small(delivery, whole.bytes(), 0, whole.size());
      unfinished.clear();
    }
  }

  /** A message of a transaction that is there, and not too large to be kept for it. */
  private boolean isTaken(TransactionalState state, boolean large) {
    return context.transactions().coming(state) && !large;
  }

  private DeliveryState refusal(TransactionalState state, boolean large) {
    ConnectionTransactions all = context.transactions();
    return large
        ? all.refuse(
            state,
            Situation.RESOURCE_LIMIT.error(
                "messages in a transaction may have " + all.messageBytes() + " bytes at most"))
        : all.unknown(state);
  }

  /** Once per read: the topic may have been deleted or grown. */
  private boolean stillThere(Delivery delivery) {
    fresh = routes.refresh();
    if (!fresh) {
      fail(delivery, Situation.DELETED.error("the topic was deleted"));
    }
    return fresh;
  }

  private void onAnswer(Batch batch, AppendResult result) {
    if (gone) {
      return;
    }
    if (result instanceof AppendResult.Appended) {
      settleAll(batch, Accepted.getInstance());
    } else if (result instanceof AppendResult.Refused refused) {
      onRefused(batch, refused.error());
    } else if (result instanceof AppendResult.Indeterminate unknown) {
      // House rule 4: nobody knows, so nothing is settled.
      detach(Situation.DETACH_FORCED.error(unknown.reason()));
      return;
    }
    topUp();
  }

  private void onRefused(Batch batch, BrokerException error) {
    ErrorCondition condition = AmqpErrors.of(error);
    if (!batch.handling.answers()) {
      // A settled message cannot be rejected; only the end of the link tells (conventions 7.2).
      detach(condition);
    } else {
      settleAll(batch, new RejectedState(condition));
    }
  }

  private void settleAll(Batch batch, DeliveryState state) {
    if (batch.handling.answers()) {
      settling.resolveAll(batch.deliveries, state);
    }
  }

  private void detach(ErrorCondition error) {
    if (!gone) {
      context.engine().detach(link, error.getCondition(), error.getDescription());
    }
  }

  @Override
  public void onReadDone() {
    fresh = false;
    batches.flush();
    context.traffic().received(received);
    received = 0;
    topUp();
  }

  private void topUp() {
    if (gone) {
      return;
    }
    if (context.broker().status().blocked()) {
      planRetry();
      return;
    }
    int most = context.options().linkCredit();
    int open = settling.open();
    int target = Math.max(0, most - Math.max(0, open - most));
    int credit = link.getCredit();
    if (credit <= target / 2 && credit < target) {
      link.flow(target - credit);
    }
  }

  /** No credit while an alarm is on; nothing tells us when it ends, so look again. */
  private void planRetry() {
    if (!retryPlanned) {
      retryPlanned = true;
      context
          .loop()
          .schedule(
              BLOCKED_RETRY_NANOS,
              () ->
                  context.run(
                      () -> {
                        retryPlanned = false;
                        topUp();
                      }));
    }
  }

  @Override
  public void onGone() {
    batches.flush();
    gone = true;
    unfinished.clear();
    settling.clear();
    intake.onGone();
  }
}
