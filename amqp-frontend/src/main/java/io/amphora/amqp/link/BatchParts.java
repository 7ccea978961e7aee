package io.amphora.amqp.link;

import io.amphora.amqp.codec.ScannedMessage;
import io.amphora.core.partition.PartitionRef;
import io.amphora.wal.RecordFields;
import java.util.IdentityHashMap;
import java.util.Optional;
import org.apache.qpid.proton.engine.Delivery;

/**
 * What one batch brings to each partition: one append, so that each has all of its part or nothing
 * (conventions 5.5). Owned by the connection loop, for one batch.
 */
final class BatchParts {

  private final Delivery delivery;
  private final TopicRoute route;
  private final Batches.Handling handling;
  private final IdentityHashMap<PartitionRef, Batch> parts = new IdentityHashMap<>();
  private Optional<PartitionRef> unkeyed = Optional.empty();
  private boolean missing;

  BatchParts(Delivery delivery, TopicRoute route, Batches.Handling handling) {
    this.delivery = delivery;
    this.route = route;
    this.handling = handling;
  }

  void add(RecordFields fields, ScannedMessage message) {
    Optional<PartitionRef> partition = partition(fields);
    if (partition.isEmpty()) {
      missing = true;
      return;
    }
    parts
        .computeIfAbsent(partition.get(), ref -> new Batch(ref, handling, 1 << 10))
        .records
        .add(fields, message.header(), message.annotations(), message.body());
  }

  /** All that have no key stay together. */
  private Optional<PartitionRef> partition(RecordFields fields) {
    if (fields.hasKey()) {
      return route.choose(true, fields.keyHash());
    }
    if (unkeyed.isEmpty()) {
      unkeyed = route.choose(false, 0);
    }
    return unkeyed;
  }

  /** Whether every message has its partition here. */
  boolean isWhole() {
    return !missing;
  }

  /** How many appends the delivery waits for. */
  int count() {
    return parts.size();
  }

  void send(Batches batches) {
    for (Batch part : parts.values()) {
      part.deliveries.add(delivery);
      batches.sendAlone(part);
    }
  }
}
