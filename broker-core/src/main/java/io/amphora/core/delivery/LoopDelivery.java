package io.amphora.core.delivery;

import io.amphora.core.Loop;
import io.amphora.core.node.CoreOptions;
import io.amphora.core.node.NodeServices;
import io.amphora.core.position.PositionRounds;
import io.amphora.core.position.Positions;
import io.amphora.core.topology.GroupInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** All dispatch on one loop, and the rounds that journal its positions. Owned by that loop. */
final class LoopDelivery {
  /** Bytes read ahead by all groups of the loop together, but for the least of each. */
  private static final int READ_AHEAD_BYTES = 64 << 20;

  private static final int LEAST_READ_BYTES = 64 << 10;

  private static final long STOP_NANOS = 5_000_000_000L;

  private record PartitionKey(UUID topicId, int partition) {}

  private final Loop loop;
  private final NodeServices services;
  private final Positions positions;
  private final DeliveryMetrics metrics;
  private final Map<PartitionKey, PartitionDelivery> partitions = new HashMap<>();
  private final PositionRounds rounds;
  private int groups;

  LoopDelivery(Loop loop, NodeServices services, Positions positions, DeliveryMetrics metrics) {
    this.loop = loop;
    this.services = services;
    this.positions = positions;
    this.metrics = metrics;
    this.rounds =
        new PositionRounds(loop, positions, options().positionIntervalMillis() * 1_000_000);
  }

  Loop loop() {
    return loop;
  }

  CoreOptions options() {
    return services.options();
  }

  /** A group that is written down in the topology. */
  Optional<GroupInfo> group(String name) {
    return Optional.ofNullable(services.topology().groups().get(name));
  }

  Positions positions() {
    return positions;
  }

  DeliveryMetrics metrics() {
    return metrics;
  }

  /** Groups came to partitions of this loop, or went. */
  void countGroups(int change) {
    groups += change;
  }

  /** How much one group reads at a time: many that lag behind must not fill the memory. */
  int readBytes() {
    int share = READ_AHEAD_BYTES / Math.max(1, groups);
    return Math.max(LEAST_READ_BYTES, Math.min(ReadAhead.READ_BYTES, share));
  }

  void add(UUID topicId, int partition, PartitionDelivery delivery) {
    partitions.put(new PartitionKey(topicId, partition), delivery);
  }

  void remove(UUID topicId, int partition) {
    partitions.remove(new PartitionKey(topicId, partition));
  }

  /** Dispatch of a partition that is led here. */
  Optional<PartitionDelivery> partition(UUID topicId, int partition) {
    return Optional.ofNullable(partitions.get(new PartitionKey(topicId, partition)));
  }

  /** A group is deleted: its dispatch ends on all partitions, and nothing of it is journaled. */
  void discard(UUID groupId) {
    partitions.values().forEach(partition -> partition.discard(groupId));
  }

  /** The rounds that journal the positions of this loop. */
  PositionRounds rounds() {
    return rounds;
  }

  /**
   * Ends all dispatch here and journals the positions, for at most 5 seconds: what is not journaled
   * by then is delivered again, never lost.
   */
  void stop(Runnable done) {
    Once once = new Once(done);
    List.copyOf(partitions.values()).forEach(PartitionDelivery::close);
    loop.schedule(STOP_NANOS, once::run);
    rounds.finish(once::run);
  }

  private static final class Once {
    private final Runnable action;
    private boolean ran;

    Once(Runnable action) {
      this.action = action;
    }

    void run() {
      if (!ran) {
        ran = true;
        action.run();
      }
    }
  }
}
