package io.amphora.core.delivery;

import io.amphora.core.Loop;
import io.amphora.core.node.CoreOptions;
import io.amphora.core.node.NodeServices;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.core.position.Positions;
import io.amphora.core.topology.GroupInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * All dispatch on one loop, and the round that journals its positions (safety rule 17): one
 * submission for all groups that changed within an interval. Owned by that loop.
 */
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
  private final Set<GroupDelivery> dirty = new LinkedHashSet<>();
  private final List<Runnable> whenFlushed = new ArrayList<>();
  private int groups;
  private boolean scheduled;
  private Set<GroupDelivery> inFlight = Set.of();
  private boolean urgent;

  LoopDelivery(Loop loop, NodeServices services, Positions positions, DeliveryMetrics metrics) {
    this.loop = loop;
    this.services = services;
    this.positions = positions;
    this.metrics = metrics;
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

  // --- journal round

  /** The position of the group changed: it is journaled with the next round. */
  void markDirty(GroupDelivery group) {
    dirty.add(group);
    if (!scheduled && inFlight.isEmpty()) {
      scheduled = true;
      loop.schedule(
          options().positionIntervalMillis() * 1_000_000,
          () -> {
            scheduled = false;
            flush();
          });
    }
  }

  /** Journals now, or as soon as the round that is on its way is done. */
  void flushSoon() {
    if (!inFlight.isEmpty()) {
      urgent = true;
    } else {
      flush();
    }
  }

  private void flush() {
    if (!inFlight.isEmpty() || dirty.isEmpty()) {
      answerFlushed();
      return;
    }
    inFlight = new LinkedHashSet<>(dirty);
    dirty.clear();
    Map<PositionKey, Position> changed = new HashMap<>();
    inFlight.forEach(group -> group.position().ifPresent(p -> changed.put(group.key(), p)));
    positions.submit(changed, loop, this::onFlushed);
  }

  private void onFlushed(boolean ok) {
    Set<GroupDelivery> round = inFlight;
    inFlight = Set.of();
    round.forEach(group -> group.onFlushed(ok));
    if (urgent && ok) {
      urgent = false;
      flush();
    } else if (!dirty.isEmpty()) {
      markDirty(dirty.iterator().next());
    }
    answerFlushed();
  }

  /** True when the journal may not have the latest position of the group. */
  boolean isPending(GroupDelivery group) {
    return dirty.contains(group) || inFlight.contains(group);
  }

  private void answerFlushed() {
    if (inFlight.isEmpty() && dirty.isEmpty() && !whenFlushed.isEmpty()) {
      List<Runnable> told = List.copyOf(whenFlushed);
      whenFlushed.clear();
      told.forEach(Runnable::run);
    }
  }

  /**
   * Ends all dispatch here and journals the positions, for at most 5 seconds: what is not journaled
   * by then is delivered again, never lost.
   */
  void stop(Runnable done) {
    Once once = new Once(done);
    List.copyOf(partitions.values()).forEach(PartitionDelivery::close);
    whenFlushed.add(once::run);
    loop.schedule(STOP_NANOS, once::run);
    flushSoon();
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
