package io.amphora.core.delivery;

import com.codahale.metrics.MetricRegistry;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.group.GroupRegistry;
import io.amphora.core.node.DeliveryService;
import io.amphora.core.node.MemberView;
import io.amphora.core.node.NodeServices;
import io.amphora.core.partition.LeadershipListener;
import io.amphora.core.position.JournalRouter;
import io.amphora.core.position.PositionJournal;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.transaction.TransactionLog;
import io.amphora.core.transaction.TransactionRouter;
import io.amphora.core.transaction.Transactions;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Delivery of this node: puts dispatch beside partitions, journals beside the partitions of {@code
 * __positions}, the log of transactions beside {@code __transactions}, and members into groups. The
 * map of rooms never changes; each room belongs to its loop, the registry to the control loop.
 */
public final class DeliveryHub implements DeliveryService {
  private final NodeServices services;
  private final JournalRouter positions;
  private final GroupRegistry groups;
  private final TransactionRouter transactions;
  private final IdentityHashMap<Loop, LoopDelivery> rooms = new IdentityHashMap<>();

  /**
   * @param services answers {@code loops()}, {@code control()} and {@code options()} already
   * @param metrics where figures go
   */
  public DeliveryHub(NodeServices services, MetricRegistry metrics) {
    this.services = services;
    this.positions = new JournalRouter(services);
    this.groups = new GroupRegistry(services, this::onGroupDeleted);
    this.transactions = new TransactionRouter(services, positions, metrics);
    DeliveryMetrics figures = new DeliveryMetrics(metrics);
    for (Loop loop : services.loops()) {
      rooms.put(loop, new LoopDelivery(loop, services, positions, figures));
    }
  }

  @Override
  public LeadershipListener dispatcherFor(TopicInfo topic, int partition, Loop partitionLoop) {
    if (topic.name().equals(PositionJournal.TOPIC)) {
      return positions.journalFor(topic, partition, partitionLoop);
    }
    if (topic.name().equals(TransactionLog.TOPIC)) {
      return transactions.logFor(topic, partitionLoop);
    }
    return new PartitionDelivery(room(partitionLoop), topic, partition);
  }

  @Override
  public Member subscribe(SubscribeRequest request, Loop owner, MemberListener listener) {
    Handle handle = new Handle(request, owner, listener);
    control().execute(() -> groups.join(handle.subscription));
    return handle.member;
  }

  /** Ties the two sides of a subscription together. */
  private final class Handle {
    private final LinkMember member;
    private final Subscription subscription;

    Handle(SubscribeRequest request, Loop owner, MemberListener listener) {
      member = new LinkMember(request, owner, listener, this::onClosed);
      subscription = new Subscription(DeliveryHub.this, member);
    }

    private void onClosed() {
      control().execute(() -> groups.leave(subscription));
    }
  }

  @Override
  public Transactions transactions() {
    return transactions.transactions();
  }

  @Override
  public void recover(Consumer<Reply<Integer>> done) {
    transactions.recover(reply -> control().execute(() -> done.accept(reply)));
  }

  @Override
  public void onTopicDeleted(TopicInfo topic) {
    groups.onTopicDeleted(topic);
    positions.forgetTopic(topic.id());
  }

  @Override
  public void deleteGroup(String name, Consumer<Reply<GroupInfo>> done) {
    groups.delete(name, done);
  }

  /**
   * Dispatch of the group ends everywhere, then its positions go: nothing journals them any more.
   */
  private void onGroupDeleted(GroupInfo group) {
    int[] left = {rooms.size()};
    Runnable onDiscarded =
        () -> {
          if (--left[0] == 0) {
            positions.forgetGroup(group.id());
          }
        };
    for (LoopDelivery room : rooms.values()) {
      room.loop()
          .execute(
              () -> {
                room.discard(group.id());
                control().execute(onDiscarded);
              });
    }
  }

  @Override
  public void groupMembers(Loop owner, Consumer<Reply<Map<GroupInfo, List<MemberView>>>> done) {
    control()
        .execute(
            () -> {
              Map<GroupInfo, List<MemberView>> views = groups.views();
              owner.execute(() -> done.accept(Reply.ok(views)));
            });
  }

  @Override
  public void stop(Runnable done) {
    groups.stop();
    int[] left = {rooms.size()};
    rooms
        .values()
        .forEach(
            room ->
                room.loop()
                    .execute(
                        () ->
                            room.stop(
                                () ->
                                    control()
                                        .execute(
                                            () -> {
                                              if (--left[0] == 0) {
                                                done.run();
                                              }
                                            }))));
  }

  Loop control() {
    return services.control();
  }

  LoopDelivery room(TopicInfo topic, int partition) {
    return room(services.loopOf(topic.id(), partition));
  }

  private LoopDelivery room(Loop loop) {
    LoopDelivery room = rooms.get(loop);
    if (room == null) {
      throw new IllegalStateException("not a loop of this node: " + loop);
    }
    return room;
  }

  BrokerException notLed(TopicInfo topic, int partition) {
    return new BrokerException(
        ErrorCode.NOT_LEADER, topic.name() + "-" + partition + " is not led here; try again");
  }
}
