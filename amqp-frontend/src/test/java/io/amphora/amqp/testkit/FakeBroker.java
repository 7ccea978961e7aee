package io.amphora.amqp.testkit;

import com.codahale.metrics.MetricRegistry;
import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.delivery.Member;
import io.amphora.core.delivery.MemberListener;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.node.Broker;
import io.amphora.core.node.BrokerStatus;
import io.amphora.core.node.MemberView;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.AppendRequest;
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
import io.amphora.core.transaction.CommitResult;
import io.amphora.core.transaction.LocalTransactions;
import io.amphora.core.transaction.TransactionLimits;
import io.amphora.core.transaction.TransactionSend;
import io.amphora.core.transaction.TransactionWork;
import io.amphora.core.transaction.Transactions;
import io.amphora.wal.RecordBatchBuilder;
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

  /** When true deletions of groups and topics are not answered but kept. */
  public boolean holdDeletions;

  public final List<Runnable> heldDeletions = new ArrayList<>();

  /** When true no spool is opened. */
  public volatile boolean noSpools;

  /** When true spools that are opened answer nothing. */
  public volatile boolean holdSpools;

  /** What was committed, or tried to be. */
  public final List<TransactionWork> commits = new ArrayList<>();

  /** What commits come to. */
  public CommitResult commitResult = new CommitResult.Committed();

  /** When true commits wait for {@link #releaseCommits}. */
  public boolean holdCommits;

  private final List<Runnable> heldCommits = new ArrayList<>();
  public final MetricRegistry metrics = new MetricRegistry();
  private Transactions transactions;

  public FakeBroker(Loop home) {
    this.home = home;
    limit(TransactionLimits.DEFAULT);
  }

  /** Sets the bounds of transactions. */
  public void limit(TransactionLimits limits) {
    transactions = new LocalTransactions(limits, this::commit, metrics);
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
          answer(() -> owner.execute(() -> done.accept(Reply.ok(gone))));
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
          note(request);
          String name =
              request.group().isEmpty() ? "ephemeral-" + requests.size() : request.group();
          FakeGroup group = groups.computeIfAbsent(name, n -> new FakeGroup(this, request));
          group.join(member);
        });
    return member;
  }

  /** Subscriptions are groups of the topology here as soon as somebody joins them. */
  private void note(SubscribeRequest request) {
    GroupInfo group = new GroupInfo(request.group(), UUID.randomUUID(), request.mode(), true);
    if (!group.isEphemeral()) {
      Map<String, GroupInfo> all = new HashMap<>(topology.groups());
      all.putIfAbsent(group.name(), group);
      setGroups(all);
    }
  }

  private void setGroups(Map<String, GroupInfo> all) {
    Topology t = topology;
    topology =
        new Topology(
            t.clusterId(),
            1,
            t.version() + 1,
            t.voters(),
            t.topics(),
            t.users(),
            Map.copyOf(all),
            List.of());
  }

  @Override
  public void deleteGroup(String name, Loop owner, Consumer<Reply<GroupInfo>> done) {
    home.execute(
        () -> {
          Map<String, GroupInfo> all = new HashMap<>(topology.groups());
          GroupInfo known = all.get(name);
          Reply<GroupInfo> reply;
          if (known == null) {
            reply = Reply.failed(ErrorCode.NOT_FOUND, "there is no group " + name);
          } else if (groups.get(name).memberCount() > 0) {
            reply = Reply.failed(ErrorCode.RESOURCE_LOCKED, name + " is in use");
          } else {
            all.remove(name);
            groups.remove(name);
            setGroups(all);
            reply = Reply.ok(known);
          }
          answer(() -> owner.execute(() -> done.accept(reply)));
        });
  }

  private void answer(Runnable deletion) {
    if (holdDeletions) {
      heldDeletions.add(deletion);
    } else {
      deletion.run();
    }
  }

  @Override
  public Transactions transactions() {
    return transactions;
  }

  /** What transactions commit, in order; they end as {@link #commitResult} says. */
  private void commit(TransactionWork work, Loop owner, Consumer<CommitResult> done) {
    Runnable answer =
        () -> {
          commits.add(work);
          if (commitResult instanceof CommitResult.Committed) {
            work.sends().forEach(this::store);
          }
          owner.execute(() -> done.accept(commitResult));
        };
    if (holdCommits) {
      heldCommits.add(answer);
    } else {
      home.execute(answer);
    }
  }

  /** Carries out the commits that were held. */
  public void releaseCommits() {
    heldCommits.forEach(home::execute);
    heldCommits.clear();
  }

  private void store(TransactionSend send) {
    TransactionSend.Stored record = send.record();
    partition(send.topic().name(), send.partition())
        .append(
            new AppendRequest(
                new RecordBatchBuilder(256)
                    .add(record.fields(), record.header(), record.annotations(), record.body()),
                Acks.ALL,
                home,
                (request, result) -> {}));
  }

  @Override
  public void groupMembers(Loop owner, Consumer<Reply<Map<GroupInfo, List<MemberView>>>> done) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void positions(Loop owner, Consumer<Reply<Map<PositionKey, Position>>> done) {
    throw new UnsupportedOperationException();
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
