package io.amphora.admin.resource;

import io.amphora.admin.http.ProblemException;
import io.amphora.core.Loop;
import io.amphora.core.node.Broker;
import io.amphora.core.node.MemberView;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.Topology;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * All groups at one moment: those that were created and those that only have members. Indexed once,
 * because a list asks for hundreds of groups.
 */
final class GroupSnapshot {
  private static final String QUEUE = "::$queue";

  private final Topology topology;
  private final Map<PositionKey, Position> positions;
  private final SortedMap<String, GroupInfo> groups = new TreeMap<>();
  private final Map<UUID, List<MemberView>> members = new HashMap<>();
  private final Map<UUID, Set<UUID>> topicsWithPosition = new HashMap<>();
  private final Map<UUID, TopicInfo> topicsById = new HashMap<>();

  /**
   * @param topology what exists
   * @param members members by group
   * @param positions positions of all groups
   */
  GroupSnapshot(
      Topology topology,
      Map<GroupInfo, List<MemberView>> members,
      Map<PositionKey, Position> positions) {
    this.topology = topology;
    this.positions = positions;
    members.forEach(this::addMembers);
    groups.putAll(topology.groups());
    topology.topics().values().forEach(topic -> topicsById.put(topic.id(), topic));
    for (PositionKey key : positions.keySet()) {
      topicsWithPosition.computeIfAbsent(key.groupId(), id -> new HashSet<>()).add(key.topicId());
    }
  }

  /** Asks the broker for all of it. */
  static Future<GroupSnapshot> take(Broker broker, Loop loop) {
    Future<Map<GroupInfo, List<MemberView>>> members =
        Asking.ask(done -> broker.groupMembers(loop, done));
    Future<Map<PositionKey, Position>> positions = Asking.ask(done -> broker.positions(loop, done));
    return members.compose(
        who -> positions.map(where -> new GroupSnapshot(broker.topology(), who, where)));
  }

  /** A reader's own group has no name and is not shown. */
  private void addMembers(GroupInfo group, List<MemberView> who) {
    if (!group.name().isEmpty()) {
      groups.put(group.name(), group);
      members.computeIfAbsent(group.id(), id -> new ArrayList<>()).addAll(who);
    }
  }

  /** Groups by name. */
  SortedMap<String, GroupInfo> groups() {
    return Collections.unmodifiableSortedMap(groups);
  }

  /**
   * The group of this name.
   *
   * @throws ProblemException 404 when there is none
   */
  GroupInfo existing(String name) {
    return Optional.ofNullable(groups.get(name))
        .orElseThrow(() -> ProblemException.notFound("there is no group '" + name + "'"));
  }

  List<MemberView> membersOf(GroupInfo group) {
    return members.getOrDefault(group.id(), List.of());
  }

  Optional<Position> position(GroupInfo group, TopicInfo topic, int partition) {
    return Optional.ofNullable(positions.get(new PositionKey(group.id(), topic.id(), partition)));
  }

  /** Topics that a group reads: where it has members or a position, and the queue's own. */
  List<TopicInfo> topicsOf(GroupInfo group) {
    SortedMap<String, TopicInfo> found = new TreeMap<>();
    membersOf(group).forEach(member -> addNamed(found, member.topic()));
    for (UUID id : topicsWithPosition.getOrDefault(group.id(), Set.of())) {
      Optional.ofNullable(topicsById.get(id)).ifPresent(topic -> found.put(topic.name(), topic));
    }
    if (group.name().endsWith(QUEUE)) {
      addNamed(found, group.name().substring(0, group.name().length() - QUEUE.length()));
    }
    return List.copyOf(found.values());
  }

  private void addNamed(Map<String, TopicInfo> found, String name) {
    Optional.ofNullable(topology.topics().get(name)).ifPresent(topic -> found.put(name, topic));
  }
}
