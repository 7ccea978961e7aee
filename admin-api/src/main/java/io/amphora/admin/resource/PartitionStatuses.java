package io.amphora.admin.resource;

import io.amphora.core.Loop;
import io.amphora.core.node.Broker;
import io.amphora.core.partition.PartitionStatus;
import io.amphora.core.topology.TopicInfo;
import io.vertx.core.Future;
import java.util.Optional;

/** Asks partitions where they stand. */
final class PartitionStatuses {
  private final Broker broker;
  private final Loop loop;

  PartitionStatuses(Broker broker, Loop loop) {
    this.broker = broker;
    this.loop = loop;
  }

  /** The status; empty when the partition is not here or cannot answer now. Never fails. */
  Future<Optional<PartitionStatus>> of(TopicInfo topic, int partition) {
    return broker
        .partition(topic, partition)
        .map(ref -> Asking.<PartitionStatus>ask(done -> ref.status(loop, done)))
        .map(asked -> asked.map(Optional::of).otherwise(error -> Optional.empty()))
        .orElseGet(() -> Future.succeededFuture(Optional.empty()));
  }
}
