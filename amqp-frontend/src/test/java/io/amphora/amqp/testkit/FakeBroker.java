package io.amphora.amqp.testkit;

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
import io.amphora.core.topology.TopicName;
import io.amphora.core.topology.Topology;
import io.amphora.core.topology.UserCredential;
import io.amphora.wal.Spool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Topics and groups in memory, on one loop: enough of a broker to talk to. */
public final class FakeBroker implements Broker {

  private final Loop home;
  private final Map<String, List<FakePartition>> partitions = new ConcurrentHashMap<>();
  private final Map<String, FakeGroup> groups = new LinkedHashMap<>();
  public final List<SubscribeRequest> requests = new ArrayList<>();
  private volatile Topology topology =
      new Topology("c", 1, 1, List.of("b1"), Map.of(), Map.of(), Map.of(), List.of());
  public volatile List<String> alarms = List.of();

  /** All that were opened. */
  public final List<FakeSpool> spools = new CopyOnWriteArrayList<>();

  /** When true no spool is opened. */
  public volatile boolean noSpools;

  /** When true spools that are opened answer nothing. */
  public volatile boolean holdSpools;

  public FakeBroker(Loop home) {
    this.home = home;
  }

  Loop home() {
    return home;
  }

  public FakeBroker withTopic(String name, int count) {
    return withTopic(name, TopicConfig.DEFAULT.withPartitions(count));
  }

  public FakeBroker withTopic(String name, TopicConfig config) {
    add(name, config);
    return this;
  }

  public FakeBroker withUser(UserCredential user) {
    Topology t = topology;
    topology =
        new Topology(
            t.clusterId(),
            1,
            t.version() + 1,
            t.voters(),
            t.topics(),
            Map.of(user.name(), user),
            t.groups(),
            List.of());
    return this;
  }

  private TopicInfo add(String name, TopicConfig config) {
    List<PartitionAssignment> assignments = new ArrayList<>();
    List<FakePartition> refs = new ArrayList<>();
    UUID id = UUID.randomUUID();
    for (int i = 0; i < config.partitions(); i++) {
      assignments.add(new PartitionAssignment(i, List.of(), "b1", 1, List.of("b1")));
      refs.add(new FakePartition(this, name, id, i));
    }
    TopicInfo info = new TopicInfo(name, id, config, 0, assignments);
    Map<String, TopicInfo> topics = new HashMap<>(topology.topics());
    topics.put(name, info);
    partitions.put(name, refs);
    setTopics(topics);
    return info;
  }

  private void setTopics(Map<String, TopicInfo> topics) {
    Topology t = topology;
    topology =
        new Topology(
            t.clusterId(),
            1,
            t.version() + 1,
            t.voters(),
            Map.copyOf(topics),
            t.users(),
            t.groups(),
            List.of());
  }

  public void remove(String name) {
    Map<String, TopicInfo> topics = new HashMap<>(topology.topics());
    topics.remove(name);
    setTopics(topics);
  }

  public FakePartition partition(String topic, int number) {
    return partitions.get(topic).get(number);
  }

  List<FakePartition> partitionsOf(String topic) {
    return partitions.get(topic);
  }

  public FakeGroup group(String name) {
    return groups.get(name);
  }

  /** Members of all groups. */
  public int memberCount() {
    return groups.values().stream().mapToInt(FakeGroup::memberCount).sum();
  }

  void onAppended(String topic) {
    groups.values().stream().filter(g -> g.topic().equals(topic)).forEach(FakeGroup::dispatch);
  }

  @Override
  public Topology topology() {
    return topology;
  }

  @Override
  public BrokerStatus status() {
    return new BrokerStatus("b1", "c", true, "", alarms);
  }

  @Override
  public void createTopic(
      String name, TopicConfig config, Loop owner, Consumer<Reply<TopicInfo>> done) {
    home.execute(
        () -> {
          Reply<TopicInfo> reply =
              topology.topics().containsKey(name)
                  ? Reply.failed(ErrorCode.ALREADY_EXISTS, "topic " + name + " exists")
                  : Reply.ok(add(name, config));
          owner.execute(() -> done.accept(reply));
        });
  }

  @Override
  public void createTemporaryTopic(Loop owner, Consumer<Reply<TopicInfo>> done) {
    createTopic(TopicName.temporary(UUID.randomUUID()), TopicConfig.DEFAULT, owner, done);
  }

  @Override
  public void deleteTopic(String name, Loop owner, Consumer<Reply<TopicInfo>> done) {
    home.execute(
        () -> {
          TopicInfo gone = topology.topics().get(name);
          remove(name);
          owner.execute(() -> done.accept(Reply.ok(gone)));
        });
  }

  @Override
  public Optional<PartitionRef> partition(TopicInfo topic, int partition) {
    return Optional.ofNullable(partitions.get(topic.name())).map(list -> list.get(partition));
  }

  @Override
  public Reply<Spool> openSpool(Loop owner) {
    if (noSpools) {
      return Reply.failed(ErrorCode.RESOURCE_LIMIT, "too many spools");
    }
    FakeSpool spool = new FakeSpool(owner);
    spool.held = holdSpools;
    spools.add(spool);
    return Reply.ok(spool);
  }

  @Override
  public Member subscribe(SubscribeRequest request, Loop owner, MemberListener listener) {
    FakeMember member = new FakeMember(this, request, owner, listener);
    home.execute(
        () -> {
          requests.add(request);
          String name =
              request.group().isEmpty() ? "ephemeral-" + requests.size() : request.group();
          FakeGroup group = groups.computeIfAbsent(name, n -> new FakeGroup(this, request));
          group.join(member);
        });
    return member;
  }

  @Override
  public void groupMembers(Loop owner, Consumer<Reply<Map<GroupInfo, List<MemberView>>>> done) {
    owner.execute(() -> done.accept(Reply.ok(Map.of())));
  }

  @Override
  public void positions(Loop owner, Consumer<Reply<Map<PositionKey, Position>>> done) {
    owner.execute(() -> done.accept(Reply.ok(Map.of())));
  }

  @Override
  public void putUser(UserCredential user, Loop owner, Consumer<Reply<UserCredential>> done) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void deleteUser(String name, Loop owner, Consumer<Reply<String>> done) {
    throw new UnsupportedOperationException();
  }
}
