package io.amphora.admin;

import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.delivery.Member;
import io.amphora.core.delivery.MemberListener;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.node.Broker;
import io.amphora.core.node.BrokerStatus;
import io.amphora.core.node.MemberView;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.PartitionAssignment;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.Topology;
import io.amphora.core.topology.UserCredential;
import io.amphora.wal.Spool;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A broker in memory. The test thread prepares it, the HTTP loop calls it. */
final class FakeBroker implements Broker {
  final Map<String, TopicInfo> topics = new ConcurrentHashMap<>();
  final Map<String, UserCredential> users = new ConcurrentHashMap<>();
  final Map<String, GroupInfo> groups = new ConcurrentHashMap<>();
  final Map<GroupInfo, List<MemberView>> members = new ConcurrentHashMap<>();
  final Map<PositionKey, Position> positions = new ConcurrentHashMap<>();
  final Map<String, FakePartition> partitions = new ConcurrentHashMap<>();
  volatile BrokerStatus status = new BrokerStatus("b1", "c1", true, "", List.of());
  volatile Optional<Reply<TopicInfo>> creation = Optional.empty();
  volatile boolean broken;

  /** Adds a topic with partitions that hold no message. */
  TopicInfo topic(String name, int count) {
    UUID id = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    TopicInfo topic = info(name, id, TopicConfig.DEFAULT.withPartitions(count));
    topics.put(name, topic);
    return topic;
  }

  private TopicInfo info(String name, UUID id, TopicConfig config) {
    IntStream.range(0, config.partitions())
        .forEach(p -> partitions.put(id + "/" + p, new FakePartition(id, p)));
    List<PartitionAssignment> assigned =
        IntStream.range(0, config.partitions())
            .mapToObj(p -> new PartitionAssignment(p, List.of(), "b1", 1, List.of("b1")))
            .toList();
    return new TopicInfo(name, id, config, 1234, assigned);
  }

  FakePartition partition(String topic, int partition) {
    return partitions.get(topics.get(topic).id() + "/" + partition);
  }

  @Override
  public Topology topology() {
    if (broken) {
      throw new IllegalStateException("broken on purpose");
    }
    return new Topology(
        "c1",
        3,
        7,
        List.of("b1", "b2"),
        Map.copyOf(topics),
        Map.copyOf(users),
        Map.copyOf(groups),
        List.of());
  }

  @Override
  public BrokerStatus status() {
    return status;
  }

  @Override
  public void createTopic(
      String name, TopicConfig config, Loop owner, Consumer<Reply<TopicInfo>> done) {
    Reply<TopicInfo> reply =
        creation.orElseGet(
            () -> {
              TopicInfo topic = info(name, UUID.randomUUID(), config);
              topics.put(name, topic);
              return Reply.ok(topic);
            });
    owner.execute(() -> done.accept(reply));
  }

  @Override
  public void createTemporaryTopic(Loop owner, Consumer<Reply<TopicInfo>> done) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void deleteTopic(String name, Loop owner, Consumer<Reply<TopicInfo>> done) {
    TopicInfo topic = topics.remove(name);
    owner.execute(() -> done.accept(Reply.ok(topic)));
  }

  @Override
  public Optional<PartitionRef> partition(TopicInfo topic, int partition) {
    return Optional.ofNullable(partitions.get(topic.id() + "/" + partition));
  }

  @Override
  public Reply<Spool> openSpool(Loop owner) {
    throw new AssertionError("the admin API does not append");
  }

  @Override
  public Member subscribe(SubscribeRequest request, Loop owner, MemberListener listener) {
    throw new AssertionError("the admin API does not subscribe");
  }

  @Override
  public void deleteGroup(String name, Loop owner, Consumer<Reply<GroupInfo>> done) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void groupMembers(Loop owner, Consumer<Reply<Map<GroupInfo, List<MemberView>>>> done) {
    owner.execute(() -> done.accept(Reply.ok(new HashMap<>(members))));
  }

  @Override
  public void positions(Loop owner, Consumer<Reply<Map<PositionKey, Position>>> done) {
    owner.execute(() -> done.accept(Reply.ok(new HashMap<>(positions))));
  }

  @Override
  public void putUser(UserCredential user, Loop owner, Consumer<Reply<UserCredential>> done) {
    users.put(user.name(), user);
    owner.execute(() -> done.accept(Reply.ok(user)));
  }

  @Override
  public void deleteUser(String name, Loop owner, Consumer<Reply<String>> done) {
    Reply<String> reply =
        users.remove(name) == null ? Reply.failed(ErrorCode.NOT_FOUND, "no user") : Reply.ok(name);
    owner.execute(() -> done.accept(reply));
  }

  @Override
  public io.amphora.core.transaction.Transactions transactions() {
    throw new UnsupportedOperationException();
  }
}
