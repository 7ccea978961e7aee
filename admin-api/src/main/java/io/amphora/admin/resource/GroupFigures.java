package io.amphora.admin.resource;

import io.amphora.core.Loop;
import io.amphora.core.node.Broker;
import io.amphora.core.partition.PartitionStatus;
import io.amphora.core.partition.ReadRequest;
import io.amphora.core.partition.ReadSlice;
import io.amphora.core.position.Position;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicInfo;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Computes the lag of groups for one request; asks each partition at most once. */
final class GroupFigures {
  private static final int READ_BYTES = 64 << 10;

  private final Broker broker;
  private final Loop loop;
  private final GroupSnapshot snapshot;
  private final PartitionStatuses statuses;
  private final Map<String, Future<Optional<PartitionStatus>>> asked = new HashMap<>();

  GroupFigures(Broker broker, Loop loop, GroupSnapshot snapshot) {
    this.broker = broker;
    this.loop = loop;
    this.snapshot = snapshot;
    this.statuses = new PartitionStatuses(broker, loop);
  }

  /**
   * The group on each partition of its topics.
   *
   * @param withAge whether to read the oldest message that is not done, for its age
   */
  Future<List<GroupPartition>> of(GroupInfo group, boolean withAge) {
    List<Future<GroupPartition>> all = new ArrayList<>();
    for (TopicInfo topic : snapshot.topicsOf(group)) {
      topic
          .partitions()
          .forEach(partition -> all.add(one(group, topic, partition.partition(), withAge)));
    }
    return Future.all(all).map(done -> done.<GroupPartition>list());
  }

  private Future<GroupPartition> one(
      GroupInfo group, TopicInfo topic, int partition, boolean withAge) {
    Optional<Position> position = snapshot.position(group, topic, partition);
    return asked
        .computeIfAbsent(topic.id() + "/" + partition, key -> statuses.of(topic, partition))
        .compose(
            status -> {
              GroupLag lag = GroupLag.of(position, status);
              return ageOf(topic, partition, lag, withAge ? position : Optional.empty())
                  .map(age -> new GroupPartition(topic, partition, lag, age));
            });
  }

  /** Seconds since the first message that is not done was appended; 0 without lag. */
  private Future<Optional<Long>> ageOf(
      TopicInfo topic, int partition, GroupLag lag, Optional<Position> position) {
    if (position.isEmpty() || lag.lag().isEmpty()) {
      return Future.succeededFuture(Optional.empty());
    }
    if (lag.lag().get() == 0) {
      return Future.succeededFuture(Optional.of(0L));
    }
    ReadRequest request = new ReadRequest(position.get().committed(), READ_BYTES);
    return broker
        .partition(topic, partition)
        .map(ref -> Asking.<ReadSlice>ask(done -> ref.read(request, loop, done)))
        .map(read -> read.map(slice -> age(slice, position.get())).otherwise(Optional.empty()))
        .orElseGet(() -> Future.succeededFuture(Optional.empty()));
  }

  private Optional<Long> age(ReadSlice slice, Position position) {
    return OldestOpen.timestamp(slice, position)
        .map(millis -> Math.max(0, loop.nowMillis() - millis) / 1000);
  }
}
