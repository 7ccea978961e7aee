package io.amphora.admin.resource;

import io.amphora.core.node.MemberView;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.Topology;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * All groups at one moment: those that were created and those that only have members.
 *
 * @param topology what exists
 * @param members members by group
 * @param positions positions of all groups
 */
record GroupSnapshot(
    Topology topology,
    Map<GroupInfo, List<MemberView>> members,
    Map<PositionKey, Position> positions) {
  private static final String QUEUE = "::$queue";

  /** Groups by name. A reader's own group without a name is not shown. */
  SortedMap<String, GroupInfo> groups() {
    SortedMap<String, GroupInfo> groups = new TreeMap<>();
    members.keySet().stream()
        .filter(group -> !group.name().isEmpty())
        .forEach(group -> groups.put(group.name(), group));
    groups.putAll(topology.groups());
    return groups;
  }

  List<MemberView> membersOf(GroupInfo group) {
    return members.entrySet().stream()
        .filter(entry -> entry.getKey().id().equals(group.id()))
        .flatMap(entry -> entry.getValue().stream())
        .toList();
  }

  Optional<Position> position(GroupInfo group, TopicInfo topic, int partition) {
    return Optional.ofNullable(positions.get(new PositionKey(group.id(), topic.id(), partition)));
  }

  /** Topics that a group reads: where it has members or a position, and the queue's own. */
  List<TopicInfo> topicsOf(GroupInfo group) {
    Map<UUID, TopicInfo> byId = new HashMap<>();
    topology.topics().values().forEach(topic -> byId.put(topic.id(), topic));
    Stream<TopicInfo> ofMembers =
        membersOf(group).stream().flatMap(member -> named(member.topic()).stream());
    Stream<TopicInfo> ofPositions =
        positions.keySet().stream()
            .filter(key -> key.groupId().equals(group.id()))
            .map(key -> byId.get(key.topicId()))
            .filter(Objects::nonNull);
    Stream<TopicInfo> ofQueue =
        group.name().endsWith(QUEUE)
            ? named(group.name().substring(0, group.name().length() - QUEUE.length())).stream()
            : Stream.empty();
    SortedMap<String, TopicInfo> sorted = new TreeMap<>();
    Stream.of(ofMembers, ofPositions, ofQueue)
        .flatMap(topics -> topics)
        .forEach(topic -> sorted.put(topic.name(), topic));
    return List.copyOf(sorted.values());
  }

  private Optional<TopicInfo> named(String topic) {
    return Optional.ofNullable(topology.topics().get(topic));
  }
}
