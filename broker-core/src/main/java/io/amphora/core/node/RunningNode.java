package io.amphora.core.node;

import io.amphora.core.CoreMetrics;
import io.amphora.core.ErrorCode;
import io.amphora.core.FaultHandler;
import io.amphora.core.Loop;
import io.amphora.core.PositionStore;
import io.amphora.core.Reply;
import io.amphora.core.delivery.Member;
import io.amphora.core.delivery.MemberListener;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.partition.AppendBudget;
import io.amphora.core.partition.ColdReads;
import io.amphora.core.partition.DiskAlarm;
import io.amphora.core.partition.LoopResources;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.partition.TailMemory;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.Topology;
import io.amphora.core.topology.UserCredential;
import io.amphora.core.transaction.TransactionLog;
import io.amphora.core.transaction.Transactions;
import io.amphora.wal.Spool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node once its topology is its own: opens and elects, then serves. State is owned by the
 * control loop; what front ends read at any time is in volatile snapshots.
 */
final class RunningNode implements RunningBroker, NodeServices {

  private static final Logger LOG = LoggerFactory.getLogger(RunningNode.class);

  /** The journal of positions (ADR 0006). */
  static final String POSITIONS = "__positions";

  /** Segments of the transaction log: what is not needed any more goes a segment at a time. */
  private static final long INTENT_SEGMENT_BYTES = 64L << 20;

  private static final int COLD_READS_PER_LOOP = 8;
  private static final int WAITING_READS_PER_LOOP = 10_000;

  private final BrokerPorts ports;
  private final CoreOptions options;
  private final TopologyJournal journal;
  private final String self;
  private final AppendBudget budget;
  private final DiskAlarm alarm = new DiskAlarm();
  private final List<LoopResources> loops = new ArrayList<>();
  private final DeliveryService delivery;
  private final PartitionHost host;
  private final NodeController.Hosting hosting;
  private final NodeController controller;
  private volatile BrokerStatus status;
  private boolean stopping;

  RunningNode(
      BrokerPorts ports,
      CoreOptions options,
      NodeStart.Foundation foundation,
      Supplier<UUID> ids,
      Function<NodeServices, DeliveryService> deliveries) {
    this.ports = ports;
    this.options = options;
    this.journal = foundation.journal();
    this.self = ports.membership().view().self();
    this.budget = new AppendBudget(options.appendBudgetBytes());
    this.status =
        new BrokerStatus(self, journal.current().clusterId(), false, "starting", List.of());
    CoreMetrics metrics = new CoreMetrics(ports.metrics());
    metrics.wal(ports.wal());
    metrics.gauge("core.append.pending.bytes", budget::used);
    metrics.gauge("core.tail.bytes", () -> loops.stream().mapToLong(l -> l.tail().bytes()).sum());
    for (Loop loop : ports.loops()) {
      TailMemory tail = new TailMemory(options.tailCacheBytes() / ports.loops().size());
      ColdReads reads = new ColdReads(COLD_READS_PER_LOOP, WAITING_READS_PER_LOOP);
      loops.add(new LoopResources(loop, tail, reads, budget, alarm, ports.faults(), metrics));
    }
    this.delivery = deliveries.apply(this);
    Elections elections = new Elections(ports.control(), foundation.states(), ids);
    this.host =
        new PartitionHost(
            ports,
            loops,
            delivery::dispatcherFor,
            elections.events(e -> notReady(String.valueOf(e.getMessage()))));
    this.hosting =
        new NodeController.Hosting(
            self, ports.control(), host, elections, foundation.states(), delivery);
    this.controller = new NodeController(journal, hosting, ids);
  }

  /** Opens and elects everything, then serves. Control loop. */
  void begin(Consumer<Reply<RunningBroker>> done) {
    ports.wal().onDiskLow(ports.control(), this::onDiskLow);
    new NodeOpening(ports, journal, hosting)
        .run(
            reply -> {
              if (reply instanceof Reply.Failed<Topology> failed) {
                done.accept(new Reply.Failed<>(failed.error()));
              } else {
                controller.open();
                ensureOwnTopics(recovered -> onReady(recovered, done));
              }
            });
  }

  private <T> void onReady(Reply<T> reply, Consumer<Reply<RunningBroker>> done) {
    if (reply instanceof Reply.Failed<T> failed) {
      done.accept(new Reply.Failed<>(failed.error()));
      return;
    }
    status = new BrokerStatus(self, topology().clusterId(), true, "", status.alarms());
    LOG.info("broker {} is ready", self);
    scheduleRetention();
    done.accept(Reply.ok(this));
  }

  /** The broker's own topics, then what transactions a crash has left: all of it before users. */
  private void ensureOwnTopics(Consumer<Reply<Integer>> done) {
    TopicConfig forever = TopicConfig.DEFAULT.withRetention(TopicConfig.Retention.FOREVER);
    TopicConfig positions = forever.withPartitions(options.positionsPartitions());
    TopicConfig intents = forever.withSegmentBytes(INTENT_SEGMENT_BYTES);
    ensureOwn(
        POSITIONS,
        positions,
        done,
        () -> ensureOwn(TransactionLog.TOPIC, intents, done, () -> delivery.recover(done)));
  }

  private void ensureOwn(
      String name, TopicConfig config, Consumer<Reply<Integer>> failed, Runnable next) {
    if (topology().topics().containsKey(name)) {
      next.run();
      return;
    }
    controller.createAny(
        name,
        config,
        control().nowMillis(),
        reply -> {
          if (reply instanceof Reply.Failed<TopicInfo> no) {
            failed.accept(new Reply.Failed<>(no.error()));
          } else {
            next.run();
          }
        });
  }

  private void scheduleRetention() {
    control()
        .schedule(
            options.retentionIntervalMillis() * 1_000_000L,
            () -> {
              if (!stopping) {
                host.onRetention(control().nowMillis());
                scheduleRetention();
              }
            });
  }

  private void onDiskLow(boolean low) {
    alarm.set(low);
    if (low) {
      LOG.warn("free disk space is below the reserve: producers are held");
    } else {
      LOG.info("free disk space is back");
    }
    List<String> alarms = low ? List.of("disk low") : List.of();
    status =
        new BrokerStatus(self, status.clusterId(), status.ready(), status.notReadyReason(), alarms);
  }

  private void notReady(String reason) {
    status = new BrokerStatus(self, status.clusterId(), false, reason, status.alarms());
  }

  /** Runs a request on the control loop and answers on its owner's. */
  private <T> void onControl(
      Loop owner, Consumer<Reply<T>> done, Consumer<Consumer<Reply<T>>> request) {
    Consumer<Reply<T>> back = reply -> owner.execute(() -> done.accept(reply));
    control()
        .execute(
            () -> {
              if (stopping) {
                back.accept(Reply.failed(ErrorCode.SHUTTING_DOWN, "the broker is shutting down"));
              } else {
                request.accept(back);
              }
            });
  }

  @Override
  public Topology topology() {
    return journal.current();
  }

  @Override
  public BrokerStatus status() {
    return status;
  }

  @Override
  public void createTopic(
      String name, TopicConfig config, Loop owner, Consumer<Reply<TopicInfo>> done) {
    onControl(
        owner, done, back -> controller.createTopic(name, config, control().nowMillis(), back));
  }

  @Override
  public void createTemporaryTopic(Loop owner, Consumer<Reply<TopicInfo>> done) {
    onControl(owner, done, back -> controller.createTemporary(control().nowMillis(), back));
  }

  @Override
  public void deleteTopic(String name, Loop owner, Consumer<Reply<TopicInfo>> done) {
    onControl(owner, done, back -> controller.deleteTopic(name, back));
  }

  @Override
  public Optional<PartitionRef> partition(TopicInfo topic, int partition) {
    return host.find(topic.id(), partition);
  }

  @Override
  public Reply<Spool> openSpool(Loop owner) {
    return Documents.reply(ports.wal().openSpool(owner), "a large message", spool -> spool);
  }

  @Override
  public Member subscribe(SubscribeRequest request, Loop owner, MemberListener listener) {
    return delivery.subscribe(request, owner, listener);
  }

  @Override
  public void deleteGroup(String name, Loop owner, Consumer<Reply<GroupInfo>> done) {
    onControl(owner, done, back -> delivery.deleteGroup(name, back));
  }

  @Override
  public Transactions transactions() {
    return delivery.transactions();
  }

  @Override
  public void groupMembers(Loop owner, Consumer<Reply<Map<GroupInfo, List<MemberView>>>> done) {
    delivery.groupMembers(owner, done);
  }

  @Override
  public void positions(Loop owner, Consumer<Reply<Map<PositionKey, Position>>> done) {
    ports.positionStore().all(reply -> owner.execute(() -> done.accept(reply)));
  }

  @Override
  public void putUser(UserCredential user, Loop owner, Consumer<Reply<UserCredential>> done) {
    onControl(owner, done, back -> controller.putUser(user, back));
  }

  @Override
  public void deleteUser(String name, Loop owner, Consumer<Reply<String>> done) {
    onControl(owner, done, back -> controller.deleteUser(name, back));
  }

  @Override
  public void stop(Runnable done) {
    control()
        .execute(
            () -> {
              stopping = true;
              notReady("shutting down");
              host.drain(false, () -> delivery.stop(() -> host.drain(true, () -> host.stop(done))));
            });
  }

  @Override
  public Loop control() {
    return ports.control();
  }

  @Override
  public List<Loop> loops() {
    return ports.loops();
  }

  @Override
  public Loop loopOf(UUID topicId, int partition) {
    return host.loopOf(topicId, partition);
  }

  @Override
  public void ensureGroup(GroupInfo wanted, Consumer<Reply<GroupInfo>> done) {
    controller.ensureGroup(wanted, done);
  }

  @Override
  public void removeGroup(String name, Consumer<Reply<String>> done) {
    controller.removeGroup(name, done);
  }

  @Override
  public PositionStore positionStore() {
    return ports.positionStore();
  }

  @Override
  public CoreOptions options() {
    return options;
  }

  @Override
  public FaultHandler faults() {
    return ports.faults();
  }
}
