package io.amphora.amqp.link;

import io.amphora.amqp.codec.ScannedMessage;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.AppendRequest;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.partition.PartitionRef;
import io.amphora.wal.RecordFields;
import io.amphora.wal.Spool;
import java.util.ArrayList;
import java.util.List;
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

  private final LinkContext context;
  private final Acks acks;
  private final BiConsumer<Batch, AppendResult> answered;
  private final List<Batch> open = new ArrayList<>();
  private int expected = SMALLEST;

  /**
   * @param acks when messages are committed whose sender waits for that
   * @param answered called on the connection loop, guarded, once per batch
   */
  Batches(LinkContext context, Acks acks, BiConsumer<Batch, AppendResult> answered) {
    this.context = context;
    this.acks = acks;
    this.answered = answered;
  }

  void add(PartitionRef partition, RecordFields fields, Incoming message) {
    Batch batch = batchFor(partition, message.answers());
    ScannedMessage sections = message.sections();
    batch.records.add(fields, sections.header(), sections.annotations(), sections.body());
    batch.deliveries.add(message.delivery());
    if (batch.records.sizeInBytes() >= FULL) {
      open.remove(batch);
      send(batch);
    }
  }

  /** Whether messages are accepted before anything is known of them. */
  boolean answersAtOnce() {
    return acks == Acks.NONE;
  }

  /**
   * A message whose body is in a spool is an append of its own, behind what is open.
   *
   * @param spool all of it is written
   */
  void addSpooled(PartitionRef partition, RecordFields fields, Incoming message, Spool spool) {
    for (int i = 0; i < open.size(); i++) {
      if (open.get(i).partition == partition) {
        send(open.remove(i));
        break;
      }
    }
    ScannedMessage sections = message.sections();
    Batch batch = newBatch(partition, message.answers(), SMALLEST);
    batch.records.addSpooled(fields, sections.header(), sections.annotations(), spool);
    batch.deliveries.add(message.delivery());
    send(batch);
  }

  /** A message with the delivery that brought it, and whether its sender waits for an answer. */
  record Incoming(Delivery delivery, ScannedMessage sections, boolean answers) {}

  private Batch batchFor(PartitionRef partition, boolean answers) {
    for (int i = 0; i < open.size(); i++) {
      Batch batch = open.get(i);
      if (batch.partition == partition) {
        if (batch.answers == answers) {
          return batch;
        }
        // Settled and unsettled messages of a link keep their order.
        open.remove(i);
        send(batch);
        break;
      }
    }
    Batch batch = newBatch(partition, answers, expected);
    open.add(batch);
    return batch;
  }

  /** A message that nobody waits for needs no answer, but its bytes count until it is written. */
  private Batch newBatch(PartitionRef partition, boolean answers, int bytes) {
    return new Batch(partition, answers ? acks : Acks.LEADER, answers, bytes);
  }

  /** Hands everything to the partitions. */
  void flush() {
    for (Batch batch : open) {
      send(batch);
    }
    open.clear();
  }

  private void send(Batch batch) {
    int bytes = batch.records.heldBytes();
    if (batch.records.isSpooled()) {
      bytes = Math.max(bytes, SPOOLED_COUNTS_AS);
    } else {
      expected = Math.max(SMALLEST, Math.min(FULL, bytes));
    }
    int counted = bytes;
    context.traffic().pendingBytes(counted);
    batch.partition.append(
        new AppendRequest(
            batch.records,
            batch.acks,
            context.loop(),
            (request, result) -> {
              context.traffic().pendingBytes(-counted);
              context.run(() -> answered.accept(batch, result));
            }));
  }
}
