package io.amphora.amqp.link;

import io.amphora.amqp.AmqpErrors;
import io.amphora.amqp.codec.MalformedMessageException;
import io.amphora.amqp.codec.MessageScanner;
import io.amphora.amqp.codec.ScannedMessage;
import io.amphora.amqp.engine.RejectedState;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.partition.KeyHash;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.topology.TopicConfig;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Optional;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.transaction.TransactionErrors;
import org.apache.qpid.proton.amqp.transaction.TransactionalState;
import org.apache.qpid.proton.amqp.transport.AmqpError;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.amqp.transport.LinkError;
import org.apache.qpid.proton.amqp.transport.ReceiverSettleMode;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Receiver;

/**
 * A client's sender: collects messages, gives them to partitions in batches, settles them in the
 * order they came once they are committed, and hands out credit. Owned by the connection loop.
 */
final class ProducerLink implements LinkHandler {

  private static final long BLOCKED_RETRY_NANOS = 100_000_000;

  private static final ErrorCondition UNKNOWN_TRANSACTION =
      new ErrorCondition(TransactionErrors.UNKNOWN_ID, "there are no transactions");

  private final LinkContext context;
  private final Receiver link;
  private final Routes routes;
  private final long maxMessageBytes;
  private final MessageScanner scanner = new MessageScanner();
  private final Batches batches;
  private final PartialMessage partial;
  private final ArrayDeque<Delivery> unsettled = new ArrayDeque<>();
  private final boolean second;
  private final Optional<Acks> asked;

  /** Deliveries with an outcome that the sender has still to settle. */
  private int decided;

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
    this.second = link.getRemoteReceiverSettleMode() == ReceiverSettleMode.SECOND;
    this.partial = new PartialMessage(context.memory());
    this.asked = asked;
    this.batches = new Batches(context, this::onAnswer);
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
      onSettled(delivery);
      return;
    }
    if (delivery.isAborted()) {
      partial.clear();
      link.advance();
      delivery.settle();
      return;
    }
    ReadableBuffer chunk = link.recv();
    if ((long) partial.size() + chunk.remaining() > maxMessageBytes) {
      partial.clear();
      detach(
          new ErrorCondition(
              LinkError.MESSAGE_SIZE_EXCEEDED,
              "messages may have " + maxMessageBytes + " bytes at most"));
    } else if (!delivery.isPartial()) {
      onComplete(delivery, chunk);
    } else if (partial.hasRoom()) {
      partial.add(chunk);
    } else {
      partial.clear();
      detach(new ErrorCondition(AmqpError.RESOURCE_LIMIT_EXCEEDED, "too many unfinished messages"));
    }
  }

  /** With rcv-settle-mode second the sender settles last (conventions 7.3). */
  private void onSettled(Delivery delivery) {
    if (delivery.remotelySettled() && delivery.getLocalState() != null && !delivery.isSettled()) {
      delivery.settle();
      decided--;
    }
  }

  private void onComplete(Delivery delivery, ReadableBuffer chunk) {
    if (!fresh && !stillThere()) {
      return;
    }
    received++;
    link.advance();
    if (delivery.remotelySettled()) {
      delivery.settle();
    } else {
      unsettled.add(delivery);
    }
    if (delivery.getRemoteState() instanceof TransactionalState) {
      partial.clear();
      resolve(delivery, rejected(UNKNOWN_TRANSACTION));
      return;
    }
    if (partial.size() == 0 && chunk.hasArray()) {
      int start = chunk.arrayOffset() + chunk.position();
      accept(delivery, chunk.array(), start, start + chunk.remaining());
    } else {
      partial.add(chunk);
      accept(delivery, partial.bytes(), 0, partial.size());
      partial.clear();
    }
  }

  /** Once per read: the topic may have been deleted or grown. */
  private boolean stillThere() {
    fresh = routes.refresh();
    if (!fresh) {
      detach(new ErrorCondition(AmqpError.RESOURCE_DELETED, "the topic was deleted"));
    }
    return fresh;
  }

  private void accept(Delivery delivery, byte[] array, int start, int end) {
    ScannedMessage message;
    try {
      message =
          delivery.getMessageFormat() == 0
              ? scanner.scan(array, start, end)
              : scanner.opaque(array, start, end);
    } catch (MalformedMessageException e) {
      resolve(delivery, rejected(new ErrorCondition(AmqpError.DECODE_ERROR, e.getMessage())));
      return;
    }
    Routes.Found found = routes.find(routes.isAnonymous() ? message.to() : "");
    if (found instanceof Routes.Ready ready) {
      append(delivery, message, ready.route());
    } else if (found instanceof Routes.Nowhere nowhere) {
      Refusal why = nowhere.why();
      resolve(delivery, rejected(new ErrorCondition(why.condition(), why.description())));
    } else if (found instanceof Routes.Pending pending) {
      byte[] copy = Arrays.copyOfRange(array, start, end);
      pending.waiting().add(() -> acceptLate(delivery, copy));
    }
  }

  /** A topic was created meanwhile. */
  private void acceptLate(Delivery delivery, byte[] bytes) {
    if (!gone) {
      accept(delivery, bytes, 0, bytes.length);
      batches.flush();
    }
  }

  private void append(Delivery delivery, ScannedMessage message, TopicRoute route) {
    byte[] key = message.key();
    int hash = key == null ? 0 : KeyHash.of(key);
    Optional<PartitionRef> partition = route.choose(key != null, hash);
    if (partition.isEmpty()) {
      BrokerException error =
          new BrokerException(ErrorCode.NOT_LEADER, "the partition is not available now");
      resolve(delivery, rejected(AmqpErrors.of(error)));
      return;
    }
    int format = delivery.getMessageFormat();
    RecordFields fields = RecordFields.NONE;
    if (key != null || format != 0) {
      byte[] bytes = key == null ? RecordBatchBuilder.NO_KEY : key;
      fields = new RecordFields(bytes, key != null, hash, 0, format);
    }
    TopicConfig config = route.topic().config();
    Acks acks = asked.orElse(config.acks());
    boolean answers = acks != Acks.NONE && !delivery.isSettled();
    // A message that nobody waits for needs no answer, but its bytes count until it is written.
    Batches.Handling handling =
        new Batches.Handling(answers, answers ? acks : Acks.LEADER, config.compression());
    batches.add(partition.get(), fields, new Batches.Incoming(delivery, message, handling));
    if (!answers && !delivery.isSettled()) {
      resolve(delivery, Accepted.getInstance());
    }
  }

  private static DeliveryState rejected(ErrorCondition error) {
    return new RejectedState(error);
  }

  /** Decides one delivery; it is settled when all before it are. */
  private void resolve(Delivery delivery, DeliveryState state) {
    delivery.setContext(state);
    settleReady();
  }

  private void settleReady() {
    for (Delivery head = unsettled.peek(); head != null; head = unsettled.peek()) {
      if (!(head.getContext() instanceof DeliveryState state)) {
        return;
      }
      unsettled.remove();
      head.disposition(state);
      if (!second || head.remotelySettled()) {
        head.settle();
      } else {
        decided++;
      }
    }
  }

  private void onAnswer(Batch batch, AppendResult result) {
    if (gone) {
      return;
    }
    if (result instanceof AppendResult.Appended) {
      resolveAll(batch, Accepted.getInstance());
    } else if (result instanceof AppendResult.Refused refused) {
      onRefused(batch, refused.error());
    } else if (result instanceof AppendResult.Indeterminate unknown) {
      // House rule 4: nobody knows, so nothing is settled.
      detach(new ErrorCondition(LinkError.DETACH_FORCED, unknown.reason()));
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
      resolveAll(batch, rejected(condition));
    }
  }

  private void resolveAll(Batch batch, DeliveryState state) {
    if (!batch.handling.answers()) {
      return;
    }
    for (Delivery delivery : batch.deliveries) {
      delivery.setContext(state);
    }
    settleReady();
  }

  private void detach(ErrorCondition error) {
    context.engine().detach(link, error.getCondition(), error.getDescription());
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
    int open = unsettled.size() + decided;
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
    unsettled.clear();
    partial.clear();
  }
}
