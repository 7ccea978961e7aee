package io.amphora.core.delivery;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.group.GroupMember;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicInfo;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A member as its group sees it: seats it at partitions and takes it away. Owned by the control
 * loop.
 */
final class Subscription implements GroupMember {
  private record Assignment(TopicInfo topic, GroupInfo group, int first, int end) {}

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
    OptionalInt only = request().options().only();
    int first = only.orElse(0);
    int end = only.isPresent() ? first + 1 : topic.partitions().size();
    if (first < 0 || end > topic.partitions().size()) {
      member.refuse(
          new BrokerException(
              ErrorCode.NOT_FOUND, "topic " + topic.name() + " has no partition " + first));
      return;
    }
    assignment = Optional.of(new Assignment(topic, group, first, end));
    member.post(() -> member.onAssigned(end - first));
    for (int p = first; p < end; p++) {
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
    Assignment old = assignment.get();
    TopicInfo topic = old.topic();
    GroupInfo group = old.group();
    assignment = Optional.empty();
    Loop control = hub.control();
    int[] left = {old.end() - old.first()};
    for (int p = old.first(); p < old.end(); p++) {
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
