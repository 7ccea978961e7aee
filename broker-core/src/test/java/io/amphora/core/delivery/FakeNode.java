package io.amphora.core.delivery;

import com.codahale.metrics.MetricRegistry;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.FaultHandler;
import io.amphora.core.Loop;
import io.amphora.core.PositionStore;
import io.amphora.core.Reply;
import io.amphora.core.node.CoreOptions;
import io.amphora.core.node.NodeServices;
import io.amphora.core.partition.AppendRequest;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.partition.BodyRequest;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.partition.PartitionStatus;
import io.amphora.core.partition.ReadRequest;
import io.amphora.core.partition.ReadSlice;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionJournal;
import io.amphora.core.position.PositionKey;
import io.amphora.core.position.PositionMerge;
import io.amphora.core.sim.SimLoop;
import io.amphora.core.sim.SimScheduler;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.PartitionAssignment;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** A node around a {@link DeliveryHub}: logs, groups and topics live on when it crashes. */
final class FakeNode implements NodeServices {
  final SimScheduler sim;
  final Map<String, TopicInfo> topics = new HashMap<>();
  final Map<String, GroupInfo> groups = new HashMap<>();
  final List<UUID> deleted = new ArrayList<>();
  final Map<UUID, List<FakeLog>> logs = new HashMap<>();
  final FakeStore store = new FakeStore();
  CoreOptions options = CoreOptions.DEFAULT;
  int maxAttempts = 16;
  MetricRegistry metrics = new MetricRegistry();
  SimLoop control;
  List<SimLoop> loops = List.of();
  DeliveryHub hub;
  final List<SimLoop> connectionLoops = new ArrayList<>();
  int connections;

  /** Appends to {@code __positions} are refused. */
  boolean journalRefuses;

  int journalAppends;

  private long version = 1;

  FakeNode(long seed) {
    this.sim = new SimScheduler(seed);
    boot();
  }

  /** A node with the journal topic. */
  static FakeNode started(long seed) {
    FakeNode node = new FakeNode(seed);
    node.createTopic(PositionJournal.TOPIC, 2);
    return node;
  }

  private void boot() {
    control = sim.loop("control");
    loops = List.of(sim.loop("loop-0"), sim.loop("loop-1"));
    metrics = new MetricRegistry();
    hub = new DeliveryHub(this, metrics);
  }

  TopicInfo createTopic(String name, int partitions) {
    List<PartitionAssignment> assignments = new ArrayList<>();
    for (int p = 0; p < partitions; p++) {
      assignments.add(new PartitionAssignment(p, List.of(), "b1", 1, List.of("b1")));
    }
    TopicConfig d = TopicConfig.DEFAULT;
    TopicConfig config =
        new TopicConfig(
            partitions,
            d.retention(),
            d.segmentBytes(),
            d.segmentMillis(),
            d.flush(),
            d.flushIntervalMillis(),
            d.partitioner(),
            d.maxMessageBytes(),
            maxAttempts,
            d.compression(),
            d.acks());
    TopicInfo topic = new TopicInfo(name, UUID.randomUUID(), config, 0, assignments);
    topics.put(name, topic);
    List<FakeLog> created = new ArrayList<>();
    for (int p = 0; p < partitions; p++) {
      created.add(new FakeLog(topic, p, loopOf(topic.id(), p)));
    }
    logs.put(topic.id(), created);
    lead(topic);
    return topic;
  }

  private void lead(TopicInfo topic) {
    for (FakeLog log : logs.get(topic.id())) {
      log.loop = loopOf(topic.id(), log.partition);
      log.lead(hub.dispatcherFor(topic, log.partition, log.loop));
    }
  }

  void deleteTopic(String name) {
    TopicInfo topic = topics.remove(name);
    deleted.add(topic.id());
    logs.get(topic.id()).forEach(log -> log.stop(ErrorCode.RESOURCE_DELETED));
    control.execute(() -> hub.onTopicDeleted(topic));
  }

  FakeLog log(String topic, int partition) {
    return logs.get(topics.get(topic).id()).get(partition);
  }

  /** The process dies and starts again; members are gone without a word. */
  void crash() {
    control.die();
    loops.forEach(SimLoop::die);
    connectionLoops.forEach(SimLoop::die);
    connectionLoops.clear();
    boot();
    topics.values().forEach(this::lead);
  }

  /** Position of a group as the store knows it. */
  Position position(String group, String topic, int partition) {
    return store.table.get(
        new PositionKey(groups.get(group).id(), topics.get(topic).id(), partition));
  }

  TestMember subscribe(SubscribeRequest request) {
    SimLoop loop = sim.loop("connection-" + connections++);
    connectionLoops.add(loop);
    TestMember member = new TestMember(loop);
    member.member = hub.subscribe(request, loop, member);
    return member;
  }

  TestMember subscribe(String topic, String group, GroupInfo.Mode mode) {
    return subscribe(request(topic, group, mode, StartPosition.EARLIEST));
  }

  TestMember queue(String topic) {
    return subscribe(topic, SubscribeRequest.queueOf(topic), GroupInfo.Mode.SHARED);
  }

  SubscribeRequest request(String topic, String group, GroupInfo.Mode mode, StartPosition start) {
    return new SubscribeRequest(
        topic,
        group,
        mode,
        new MemberId("client", "link-" + connections, connections),
        start,
        SubscribeRequest.Options.DEFAULT);
  }

  void run() {
    sim.runUntilIdle();
  }

  void run(long millis) {
    sim.advanceMillis(millis);
  }

  // --- NodeServices

  @Override
  public Loop control() {
    return control;
  }

  @Override
  public List<Loop> loops() {
    return List.copyOf(loops);
  }

  @Override
  public Topology topology() {
    return new Topology("c", 1, version, List.of(), topics, Map.of(), groups, deleted);
  }

  @Override
  public Optional<PartitionRef> partition(TopicInfo topic, int partition) {
    return Optional.of(new FakePartition(logs.get(topic.id()).get(partition)));
  }

  @Override
  public Loop loopOf(UUID topicId, int partition) {
    return loops.get(Math.floorMod(topicId.hashCode() + partition, loops.size()));
  }

  @Override
  public void ensureGroup(GroupInfo wanted, Consumer<Reply<GroupInfo>> done) {
    GroupInfo group = groups.computeIfAbsent(wanted.name(), name -> wanted);
    version++;
    control.execute(() -> done.accept(Reply.ok(group)));
  }

  @Override
  public void removeGroup(String name, Consumer<Reply<String>> done) {
    groups.remove(name);
    version++;
    control.execute(() -> done.accept(Reply.ok(name)));
  }

  @Override
  public PositionStore positionStore() {
    return store;
  }

  @Override
  public CoreOptions options() {
    return options;
  }

  @Override
  public FaultHandler faults() {
    return (what, cause) -> {
      throw new AssertionError(what, cause);
    };
  }

  private final class FakePartition implements PartitionRef {
    private final FakeLog log;

    FakePartition(FakeLog log) {
      this.log = log;
    }

    @Override
    public UUID topicId() {
      return log.topicId();
    }

    @Override
    public int partition() {
      return log.partition;
    }

    @Override
    public void append(AppendRequest request) {
      log.loop.execute(
          () -> {
            AppendResult result = appendNow(request);
            request.owner().execute(() -> request.done().accept(request, result));
          });
    }

    private AppendResult appendNow(AppendRequest request) {
      if (journalRefuses) {
        return new AppendResult.Refused(new BrokerException(ErrorCode.RESOURCE_LIMIT, "injected"));
      }
      journalAppends++;
      return new AppendResult.Appended(log.append(request.records()));
    }

    @Override
    public void status(Loop owner, Consumer<Reply<PartitionStatus>> done) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void offsetForTime(long timestampMillis, Loop owner, Consumer<Reply<Long>> done) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void readBody(BodyRequest request, Loop owner, Consumer<Reply<byte[]>> done) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void read(ReadRequest request, Loop owner, Consumer<Reply<ReadSlice>> done) {
      throw new UnsupportedOperationException();
    }
  }

  /** Merges; nothing is ever lost or late. */
  static final class FakeStore implements PositionStore {
    final Map<PositionKey, Position> table = new HashMap<>();

    @Override
    public void merge(Map<PositionKey, Position> positions) {
      positions.forEach((key, position) -> table.merge(key, position, PositionMerge::merge));
    }

    @Override
    public void lookup(PositionKey key, Consumer<PositionLookup> done) {
      done.accept(new PositionLookup.Unknown());
    }

    @Override
    public void all(Consumer<Reply<Map<PositionKey, Position>>> done) {
      done.accept(Reply.ok(Map.copyOf(table)));
    }
  }
}
