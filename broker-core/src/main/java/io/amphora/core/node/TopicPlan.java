package io.amphora.core.node;

import io.amphora.core.partition.PartitionSetup;
import io.amphora.core.replication.ReplicaSets;
import io.amphora.core.topology.PartitionAssignment;
import io.amphora.core.topology.PartitionAssignment.ReplicaId;
import io.amphora.core.topology.Placement;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** What a topic looks like when it is created and when it is led. Pure but for the ids. */
final class TopicPlan {

  private TopicPlan() {}

  /** A new topic on the voters, one replica a partition, with no leader yet. */
  static TopicInfo create(
      Topology topology, String name, TopicConfig config, long nowMillis, Supplier<UUID> ids) {
    List<String> brokers = topology.voters().stream().sorted().toList();
    List<List<String>> placed =
        Placement.place(brokers, topology.topics().size(), config.partitions(), 1);
    List<PartitionAssignment> partitions = new ArrayList<>();
    for (int i = 0; i < placed.size(); i++) {
      List<ReplicaId> replicas =
          placed.get(i).stream().map(b -> new ReplicaId(b, ids.get().toString())).toList();
      partitions.add(new PartitionAssignment(i, replicas, "", 0, List.of()));
    }
    return new TopicInfo(name, ids.get(), config, nowMillis, List.copyOf(partitions));
  }

  /** The partitions of a topic that live on this broker. */
  static List<PartitionSetup> setups(TopicInfo topic, String broker) {
    List<PartitionSetup> setups = new ArrayList<>();
    for (PartitionAssignment assignment : topic.partitions()) {
      assignment.replicas().stream()
          .filter(r -> r.broker().equals(broker))
          .map(
              r ->
                  new PartitionSetup(
                      topic, assignment.partition(), r, ReplicaSets.of(assignment.replicas())))
          .forEach(setups::add);
    }
    return setups;
  }

  /** The topic with the leaders that were elected; all are of this topic. */
  static TopicInfo withLeaders(TopicInfo topic, List<Elections.Led> led) {
    List<PartitionAssignment> partitions = new ArrayList<>(topic.partitions());
    for (Elections.Led each : led) {
      PartitionAssignment old = partitions.get(each.partition().number());
      String leader = each.partition().self().broker();
      partitions.set(
          old.partition(),
          new PartitionAssignment(
              old.partition(), old.replicas(), leader, each.epoch(), List.of(leader)));
    }
    return new TopicInfo(
        topic.name(), topic.id(), topic.config(), topic.createdMillis(), List.copyOf(partitions));
  }
}
