package io.amphora.core.delivery;

import io.amphora.core.BrokerException;
import io.amphora.core.Loop;
import io.amphora.core.group.GroupMember;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicInfo;
import java.util.Optional;

/**
 * A member as its group sees it: seats it at partitions and takes it away. Owned by the control
 * loop.
 */
final class Subscription implements GroupMember {
  private record Assignment(TopicInfo topic, GroupInfo group) {}

  private final DeliveryHub hub;
  private final LinkMember member;
  private Optional<Assignment> assignment = Optional.empty();

  Subscription(DeliveryHub hub, LinkMember member) {
    this.hub = hub;
    this.member = member;
  }

  @Override
  public SubscribeRequest request() {
    return member.request();
  }

  @Override
  public void standBy() {
    member.post(member::onStandby);
  }

  @Override
  public void refuse(BrokerException reason) {
    member.refuse(reason);
  }

  @Override
  public void assign(TopicInfo topic, GroupInfo group) {
    assignment = Optional.of(new Assignment(topic, group));
    int partitions = topic.partitions().size();
    member.post(() -> member.onAssigned(partitions));
    for (int p = 0; p < partitions; p++) {
      int partition = p;
      LoopDelivery room = hub.room(topic, partition);
      room.loop()
          .execute(
              () ->
                  room.partition(topic.id(), partition)
                      .ifPresentOrElse(
                          led -> led.attach(group, member),
                          () -> member.refuse(hub.notLed(topic, partition))));
    }
  }

  @Override
  public void withdraw(Runnable done) {
    if (assignment.isEmpty()) {
      done.run();
      return;
    }
    TopicInfo topic = assignment.get().topic();
    GroupInfo group = assignment.get().group();
    assignment = Optional.empty();
    Loop control = hub.control();
    int[] left = {topic.partitions().size()};
    for (int p = 0; p < topic.partitions().size(); p++) {
      int partition = p;
      LoopDelivery room = hub.room(topic, partition);
      room.loop()
          .execute(
              () -> {
                room.partition(topic.id(), partition)
                    .ifPresent(led -> led.detach(group.id(), member));
                control.execute(
                    () -> {
                      if (--left[0] == 0) {
                        done.run();
                      }
                    });
              });
    }
  }
}
