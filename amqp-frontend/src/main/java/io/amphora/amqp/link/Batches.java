package io.amphora.amqp.link;

import io.amphora.amqp.codec.ScannedMessage;
import io.amphora.amqp.filter.SenderMark;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.AppendRequest;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.topology.TopicConfig;
import io.amphora.wal.RecordFields;
import io.amphora.wal.Spool;
import io.amphora.wal.codec.Compression;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.qpid.proton.engine.Delivery;

/**
 * The open batches of one producer link: one append per partition and read. Owned by the connection
 * loop.
 */
final class Batches {

  /** A batch of this size does not wait for the end of the read. */
  private static final int FULL = 1 << 20;

  private static final int SMALLEST = 1 << 10;

  /** A spooled message takes no memory but work: eight of them and the socket is not read. */
  private static final int SPOOLED_COUNTS_AS = 2 << 20;

  /** The batch does not take part in the duplicate window. */
  private static final int NO_SEQUENCE = -1;

  private final LinkContext context;
  private final Optional<Acks> asked;
  private final BiConsumer<Batch, AppendResult> answered;
  private final long sender;
  private final List<Batch> open = new ArrayList<>();
  private int expected = SMALLEST;

  /**
   * @param asked when messages are answered; empty leaves that to their topics
   * @param answered called on the connection loop, guarded, once per batch
   */
  Batches(LinkContext context, Optional<Acks> asked, BiConsumer<Batch, AppendResult> answered) {
    this.context = context;
    this.asked = asked;
    this.answered = answered;
    this.sender = SenderMark.of(context.engine().connection().getRemoteContainer());
  }

  void add(PartitionRef partition, RecordFields fields, Incoming message) {
    Batch batch = batchFor(partition, message.handling());
    ScannedMessage sections = message.sections();
    batch.records.add(fields, sections.header(), sections.annotations(), sections.body());
    batch.deliveries.add(message.delivery());
    if (batch.records.sizeInBytes() >= FULL) {
      open.remove(batch);
      send(batch);
    }
  }

  /**
   * What is done with a message of a topic. One that nobody waits for needs no answer, but its
   * bytes count until it is written.
   *
   * @param settled whether its sender settled it
   */
  Handling handling(TopicConfig topic, boolean settled) {
    Acks acks = asked.orElse(topic.acks());
    boolean answers = acks != Acks.NONE && !settled;
    return new Handling(answers, answers ? acks : Acks.LEADER, topic.compression());
  }

  /**
   * A message whose body is in a spool is an append of its own, behind what is open.
   *
   * @param spool all of it is written
   */
  void addSpooled(PartitionRef partition, RecordFields fields, Incoming message, Spool spool) {
    ScannedMessage sections = message.sections();
    Batch batch = newBatch(partition, message.handling(), SMALLEST);
    batch.records.addSpooled(fields, sections.header(), sections.annotations(), spool);
    batch.deliveries.add(message.delivery());
    sendAlone(batch);
  }

  /** Sends a complete batch, behind what is open for its partition. */
  void sendAlone(Batch batch) {
    for (int i = 0; i < open.size(); i++) {
      if (open.get(i).partition == batch.partition) {
        send(open.remove(i));
        break;
      }
    }
    send(batch);
  }

  /** A message with the delivery that brought it. */
  record Incoming(Delivery delivery, ScannedMessage sections, Handling handling) {}

  /**
   * What is done with a message, besides storing it.
   *
   * @param answers whether its sender waits for an answer
   * @param acks when the partition answers
   * @param compression how its batch is compressed
   */
  record Handling(boolean answers, Acks acks, Compression compression) {}

  private Batch batchFor(PartitionRef partition, Handling handling) {
    for (int i = 0; i < open.size(); i++) {
      Batch batch = open.get(i);
      if (batch.partition == partition) {
        if (batch.handling.equals(handling)) {
          return batch;
        }
        // Settled and unsettled messages of a link keep their order.
        open.remove(i);
        send(batch);
        break;
      }
    }
    Batch batch = newBatch(partition, handling, expected);
    open.add(batch);
    return batch;
  }

  private Batch newBatch(PartitionRef partition, Handling handling, int expectedBytes) {
    Batch batch = new Batch(partition, handling, expectedBytes);
    batch.records.producer(sender, NO_SEQUENCE);
    return batch;
  }

  /** Hands everything to the partitions. */
  void flush() {
    for (Batch batch : open) {
      send(batch);
    }
    open.clear();
  }

  private void send(Batch batch) {
    boolean spooled = batch.records.isSpooled();
    if (!spooled) {
      expected = Math.max(SMALLEST, Math.min(FULL, batch.records.sizeInBytes()));
      batch.records.compress(batch.handling.compression());
    }
    int held = batch.records.heldBytes();
    int counted = spooled ? Math.max(held, SPOOLED_COUNTS_AS) : held;
    context.traffic().pendingBytes(counted);
    batch.partition.append(
        new AppendRequest(
            batch.records,
            batch.handling.acks(),
            context.loop(),
            (request, result) -> {
              context.traffic().pendingBytes(-counted);
              context.run(() -> answered.accept(batch, result));
            }));
  }
}
