package io.amphora.amqp.link;

import io.amphora.amqp.AmqpErrors;
import io.amphora.amqp.Situation;
import io.amphora.amqp.codec.MalformedMessageException;
import io.amphora.amqp.codec.MessageScanner;
import io.amphora.amqp.codec.ScannedMessage;
import io.amphora.amqp.engine.RejectedState;
import io.amphora.amqp.large.LargeMessage;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.partition.KeyHash;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.transaction.TransactionSend;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.transaction.TransactionalState;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.amqp.transport.LinkError;
import org.apache.qpid.proton.engine.Delivery;

/**
 * What becomes of the complete messages of a link, in the order they came: a message behind a large
 * one that is still being written waits. Owned by the connection loop.
 */
final class Intake {

  private final LinkContext context;
  private final Routes routes;
  private final Batches batches;
  private final Settling settling;
  private final Consumer<ErrorCondition> detach;
  private final MessageScanner scanner = new MessageScanner();

  /** A large message that is not written yet, and what came after it. Bounded by the socket. */
  private final ArrayDeque<Arrived> order = new ArrayDeque<>();

  /** Large messages whose topic is being created. */
  private final List<LargeMessage> unrouted = new ArrayList<>();

  private boolean gone;

  private sealed interface Arrived {}

  private record Small(Delivery delivery, byte[] bytes) implements Arrived {}

  private record Large(Delivery delivery, LargeMessage message) implements Arrived {}

  /**
   * @param detach ends the link
   */
  Intake(
      LinkContext context,
      Routes routes,
      Batches batches,
      Settling settling,
      Consumer<ErrorCondition> detach) {
    this.context = context;
    this.routes = routes;
    this.batches = batches;
    this.settling = settling;
    this.detach = detach;
  }

  /**
   * A message that was put together.
   *
   * @param array not kept
   */
  void small(Delivery delivery, byte[] array, int start, int end) {
    if (order.isEmpty()) {
      accept(delivery, array, start, end);
    } else {
      context.traffic().pendingBytes(end - start);
      order.add(new Small(delivery, Arrays.copyOfRange(array, start, end)));
    }
  }

  /** A message that is on its way to a spool. */
  void large(Delivery delivery, LargeMessage message) {
    order.add(new Large(delivery, message));
    message.complete(() -> runGuarded(this::advance));
    advance();
  }

  /** What was complete before the connection ended counts, though nobody is told. */
  private void runGuarded(Runnable work) {
    if (gone) {
      work.run();
    } else {
      context.run(work);
    }
  }

  private void advance() {
    boolean any = false;
    for (Arrived head = order.peek(); head != null; head = order.peek()) {
      if (head instanceof Large large) {
        if (!large.message.isReady()) {
          break;
        }
        order.remove();
        accept(large.delivery, large.message);
      } else if (head instanceof Small small) {
        order.remove();
        context.traffic().pendingBytes(-small.bytes.length);
        accept(small.delivery, small.bytes, 0, small.bytes.length);
      }
      any = true;
    }
    if (any) {
      batches.flush();
    }
  }

  private void accept(Delivery delivery, byte[] array, int start, int end) {
    ScannedMessage message;
    try {
      message =
          delivery.getMessageFormat() == 0
              ? scanner.scan(array, start, end)
              : scanner.opaque(array, start, end);
    } catch (MalformedMessageException e) {
      reject(delivery, Situation.MALFORMED.error(String.valueOf(e.getMessage())));
      return;
    }
    Routes.Found found = routes.find(routes.isAnonymous() ? message.to() : "");
    if (found instanceof Routes.Pending pending) {
      byte[] copy = Arrays.copyOfRange(array, start, end);
      pending.waiting().add(() -> acceptLate(delivery, copy));
      return;
    }
    RecordFields fields = fields(delivery, message);
    Optional<Place> place = placeFor(delivery, fields, found);
    if (place.isPresent() && delivery.getRemoteState() instanceof TransactionalState state) {
      TopicInfo topic = place.get().topic;
      TransactionSend.Stored kept = kept(fields, message);
      TransactionSend send = new TransactionSend(topic, place.get().partition.partition(), kept);
      settling.resolve(delivery, context.transactions().send(state, send));
    } else if (place.isPresent()) {
      Batches.Handling handling = place.get().handling;
      batches.add(place.get().partition, fields, new Batches.Incoming(delivery, message, handling));
      answerAtOnce(delivery, handling);
    }
  }

  /** A topic was created meanwhile. */
  private void acceptLate(Delivery delivery, byte[] bytes) {
    if (!gone) {
      accept(delivery, bytes, 0, bytes.length);
      batches.flush();
    } else if (delivery.getRemoteState() instanceof TransactionalState state) {
      // Nobody is told: the transaction must not commit without it.
      context
          .transactions()
          .refuse(state, new ErrorCondition(LinkError.DETACH_FORCED, "a link ended too early"));
    }
  }

  private void accept(Delivery delivery, LargeMessage message) {
    if (message.problem().isPresent()) {
      message.discard();
      lost(delivery, message.problem().get());
      return;
    }
    ScannedMessage sections = message.sections();
    Routes.Found found = routes.find(routes.isAnonymous() ? sections.to() : "");
    if (found instanceof Routes.Pending pending && !gone) {
      unrouted.add(message);
      pending.waiting().add(() -> acceptLate(delivery, message));
      return;
    }
    RecordFields fields = fields(delivery, sections);
    Optional<Place> place = placeFor(delivery, fields, found);
    if (place.isEmpty()) {
      message.discard();
      return;
    }
    Batches.Handling handling = place.get().handling;
    Batches.Incoming incoming = new Batches.Incoming(delivery, sections, handling);
    batches.addSpooled(place.get().partition, fields, incoming, message.take());
    answerAtOnce(delivery, handling);
  }

  private void acceptLate(Delivery delivery, LargeMessage message) {
    if (unrouted.remove(message)) {
      accept(delivery, message);
    }
  }

  /** A settled message that is no message is dropped; that it was lost here must be told. */
  private void lost(Delivery delivery, ErrorCondition why) {
    boolean malformed = Situation.MALFORMED.condition().equals(why.getCondition());
    if (!malformed && delivery.isSettled()) {
      detach.accept(why);
    } else {
      reject(delivery, why);
    }
  }

  /** Where a message goes, and what is done with it there. */
  private record Place(TopicInfo topic, PartitionRef partition, Batches.Handling handling) {}

  /** The place for a message; when there is none, the message is rejected. */
  private Optional<Place> placeFor(Delivery delivery, RecordFields fields, Routes.Found found) {
    if (found instanceof Routes.Ready ready) {
      TopicRoute route = ready.route();
      Optional<PartitionRef> partition = route.choose(fields.hasKey(), fields.keyHash());
      if (partition.isEmpty()) {
        reject(delivery, unavailable());
      }
      Batches.Handling handling = batches.handling(route.topic().config(), delivery.isSettled());
      return partition.map(chosen -> new Place(route.topic(), chosen, handling));
    }
    if (found instanceof Routes.Nowhere nowhere) {
      reject(delivery, new ErrorCondition(nowhere.why().condition(), nowhere.why().description()));
    }
    return Optional.empty();
  }

  private static ErrorCondition unavailable() {
    return AmqpErrors.of(
        new BrokerException(ErrorCode.NOT_LEADER, "the partition is not available now"));
  }

  private static RecordFields fields(Delivery delivery, ScannedMessage message) {
    int format = delivery.getMessageFormat();
    byte[] key = message.key();
    if (key == null) {
      return format == 0
          ? RecordFields.NONE
          : new RecordFields(RecordBatchBuilder.NO_KEY, false, 0, 0, format);
    }
    return new RecordFields(key, true, KeyHash.of(key), 0, format);
  }

  /** What arrived lies in memory that is used again. */
  private static TransactionSend.Stored kept(RecordFields fields, ScannedMessage message) {
    return new TransactionSend.Stored(
        fields, copy(message.header()), copy(message.annotations()), copy(message.body()));
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
  }

  private void answerAtOnce(Delivery delivery, Batches.Handling handling) {
    if (!handling.answers() && !delivery.isSettled()) {
      settling.resolve(delivery, Accepted.getInstance());
    }
  }

  private void reject(Delivery delivery, ErrorCondition why) {
    if (delivery.isSettled()) {
      context.traffic().dropped();
    }
    settling.resolve(
        delivery,
        delivery.getRemoteState() instanceof TransactionalState state
            ? context.transactions().refuse(state, why)
            : new RejectedState(why));
  }

  /** The link is gone: what was complete is handed on. */
  void onGone() {
    gone = true;
    unrouted.forEach(LargeMessage::discard);
    unrouted.clear();
    advance();
    batches.flush();
  }
}
