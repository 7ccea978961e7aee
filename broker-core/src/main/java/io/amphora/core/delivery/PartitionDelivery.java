package io.amphora.core.delivery;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.partition.CommittedLog;
import io.amphora.core.partition.LeadershipListener;
import io.amphora.core.position.Position;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The dispatchers beside one hosted partition, one per group. Owned by the partition loop. */
final class PartitionDelivery implements LeadershipListener {
  private final LoopDelivery room;
  private final TopicInfo topic;
  private final int partition;
  private final Map<UUID, GroupDelivery> groups = new HashMap<>();
  private Optional<CommittedLog> log = Optional.empty();
  private boolean closed;

  PartitionDelivery(LoopDelivery room, TopicInfo topic, int partition) {
    this.room = room;
    this.topic = topic;
    this.partition = partition;
  }

  @Override
  public void onLeading(CommittedLog committed) {
    log = Optional.of(committed);
    room.add(topic.id(), partition, this);
  }

  @Override
  public void onProgress() {
    for (GroupDelivery group : List.copyOf(groups.values())) {
      group.onProgress();
    }
  }

  @Override
  public void onStopped(BrokerException reason) {
    log = Optional.empty();
    room.remove(topic.id(), partition);
    List<GroupDelivery> ended = List.copyOf(groups.values());
    groups.clear();
    room.countGroups(-ended.size());
    ended.forEach(group -> group.stop(reason));
  }

  /** A member takes its place; it gets its seat when the position is known. */
  void attach(GroupInfo group, LinkMember member) {
    if (log.isEmpty() || closed) {
      member.refuse(
          new BrokerException(
              closed ? ErrorCode.SHUTTING_DOWN : ErrorCode.NOT_LEADER,
              topic.name() + "-" + partition + " is not led here"));
      return;
    }
    CommittedLog led = log.get();
    groups
        .computeIfAbsent(
            group.id(),
            id -> {
              room.countGroups(1);
              return new GroupDelivery(room, led, topic, group, this::forget);
            })
        .attach(member);
  }

  void detach(UUID groupId, LinkMember member) {
    Optional.ofNullable(groups.get(groupId)).ifPresent(group -> group.detach(member));
  }

  /** The group is deleted. */
  void discard(UUID groupId) {
    GroupDelivery group = groups.remove(groupId);
    if (group != null) {
      room.countGroups(-1);
      group.stop(new BrokerException(ErrorCode.RESOURCE_DELETED, "the group was deleted"));
    }
  }

  /** Where a group is that is served here now. */
  Optional<Position> position(UUID groupId) {
    return Optional.ofNullable(groups.get(groupId)).flatMap(GroupDelivery::position);
  }

  private void forget(GroupDelivery group) {
    if (groups.remove(group.key().groupId(), group)) {
      room.countGroups(-1);
    }
  }

  /** The node stops: unsettled messages go back, positions stay to be journaled. */
  void close() {
    closed = true;
    List.copyOf(groups.values()).forEach(GroupDelivery::close);
  }
}
