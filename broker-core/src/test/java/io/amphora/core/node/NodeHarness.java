package io.amphora.core.node;

import com.codahale.metrics.MetricRegistry;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.AppendRequest;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.partition.PartitionStatus;
import io.amphora.core.partition.ReadRequest;
import io.amphora.core.partition.ReadSlice;
import io.amphora.core.sim.SimDisk;
import io.amphora.core.sim.SimFaults;
import io.amphora.core.sim.SimLoop;
import io.amphora.core.sim.SimMembership;
import io.amphora.core.sim.SimPositionStore;
import io.amphora.core.sim.SimScheduler;
import io.amphora.core.sim.SimWal;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.transaction.TransactionLimits;
import io.amphora.wal.LogRecord;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

/** One node in one thread: starts, crashes, and asks it things. */
final class NodeHarness {

  static final CoreOptions OPTIONS =
      new CoreOptions(1 << 20, 4096, 100, 1000, 1, 60_000, TransactionLimits.DEFAULT);

  final SimScheduler scheduler;
  final SimDisk disk = new SimDisk();
  final SimMembership membership = new SimMembership("b1");
  final List<long[]> published = new ArrayList<>();
  Function<NodeServices, DeliveryService> deliveries = services -> this.quiet;
  CoreOptions options = OPTIONS;
  QuietDelivery quiet = new QuietDelivery();
  SimFaults faults = new SimFaults();
  SimWal wal;
  SimLoop client;
  private final List<SimLoop> loops = new ArrayList<>();
  private SimLoop control;
  RunningBroker broker;

  NodeHarness(long seed) {
    scheduler = new SimScheduler(seed);
  }

  /** Starts and expects success. */
  NodeHarness start() {
    return orThrow(tryStart());
  }

  private NodeHarness orThrow(Reply<RunningBroker> reply) {
    broker = reply.orThrow();
    return this;
  }

  /** Starts, runs until nothing moves, and tells what came of it. */
  Reply<RunningBroker> tryStart() {
    Answer<RunningBroker> answer = new Answer<>();
    beginStart(answer);
    scheduler.runUntilIdle();
    if (!answer.isThere()) {
      scheduler.advanceMillis(1000); // something is tried again
    }
    return answer.get();
  }

  void beginStart(Consumer<Reply<RunningBroker>> done) {
    quiet = new QuietDelivery();
    wal = new SimWal(disk, scheduler);
    client = scheduler.loop("client");
    control = scheduler.loop("control");
    loops.clear();
    loops.add(scheduler.loop("loop-0"));
    loops.add(scheduler.loop("loop-1"));
    BrokerPorts ports =
        new BrokerPorts(
            List.<Loop>copyOf(loops),
            control,
            wal,
            membership,
            (term, version, document) -> published.add(new long[] {term, version}),
            new SimPositionStore(),
            faults,
            new MetricRegistry());
    LocalBroker.start(ports, options, this::nextId, s -> deliveries.apply(s), done);
  }

  private UUID nextId() {
    return new UUID(scheduler.random().nextLong(), scheduler.random().nextLong());
  }

  /** The process is killed; what was not forced may be lost. */
  void crash() {
    wal.die();
    client.die();
    control.die();
    loops.forEach(SimLoop::die);
    disk.crash(scheduler.random());
  }

  /** A gentle stop. */
  void stop() {
    boolean[] stopped = new boolean[1];
    broker.stop(() -> stopped[0] = true);
    scheduler.runUntilIdle();
    if (!stopped[0]) {
      throw new AssertionError("does not stop");
    }
    wal.close();
    client.die();
    control.die();
    loops.forEach(SimLoop::die);
  }

  TopicInfo create(String name) {
    return create(name, TopicConfig.DEFAULT);
  }

  TopicInfo create(String name, TopicConfig config) {
    return ask((Consumer<Reply<TopicInfo>> done) -> broker.createTopic(name, config, client, done))
        .orThrow();
  }

  Reply<TopicInfo> delete(String name) {
    return ask(done -> broker.deleteTopic(name, client, done));
  }

  PartitionRef partition(String topic, int partition) {
    return broker.partition(broker.topology().topics().get(topic), partition).orElseThrow();
  }

  PartitionStatus status(String topic, int partition) {
    return ask((Consumer<Reply<PartitionStatus>> d) ->
            partition(topic, partition).status(client, d))
        .orThrow();
  }

  ReadSlice read(String topic, int partition, long offset) {
    ReadRequest request = new ReadRequest(offset, 1 << 20);
    return ask((Consumer<Reply<ReadSlice>> d) ->
            partition(topic, partition).read(request, client, d))
        .orThrow();
  }

  /** Bodies of all messages of a partition. */
  List<String> messages(String topic, int partition) {
    List<String> found = new ArrayList<>();
    long offset = 0;
    while (true) {
      ReadSlice slice = read(topic, partition, offset);
      if (slice.batches().isEmpty()) {
        return found;
      }
      for (RecordBatch batch : slice.batches()) {
        offset = batch.endOffset();
        if (!batch.isControl()) {
          for (LogRecord record : batch) {
            found.add(text(record));
          }
        }
      }
    }
  }

  static String text(LogRecord record) {
    return StandardCharsets.UTF_8.decode(record.body()).toString();
  }

  AppendResult append(String topic, int partition, String... bodies) {
    List<AppendResult> results = new ArrayList<>();
    appendLater(partition(topic, partition), Acks.ALL, results::add, bodies);
    scheduler.runUntilIdle();
    if (results.size() != 1) {
      throw new AssertionError("answers: " + results);
    }
    return results.get(0);
  }

  void appendLater(PartitionRef ref, Acks acks, Consumer<AppendResult> done, String... bodies) {
    ref.append(new AppendRequest(batch(bodies), acks, client, (r, result) -> done.accept(result)));
  }

  static RecordBatchBuilder batch(String... bodies) {
    RecordBatchBuilder builder = new RecordBatchBuilder(256);
    ByteBuffer none = ByteBuffer.allocate(0);
    for (String body : bodies) {
      builder.add(
          RecordFields.NONE, none, none, ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)));
    }
    return builder;
  }

  <T> Reply<T> ask(Consumer<Consumer<Reply<T>>> question) {
    Answer<T> answer = new Answer<>();
    question.accept(answer);
    scheduler.runUntilIdle();
    return answer.get();
  }

  /** Waits for exactly one reply. */
  static final class Answer<T> implements Consumer<Reply<T>> {
    private final List<Reply<T>> replies = new ArrayList<>();

    @Override
    public void accept(Reply<T> reply) {
      replies.add(reply);
    }

    boolean isThere() {
      return !replies.isEmpty();
    }

    Reply<T> get() {
      if (replies.size() != 1) {
        throw new AssertionError("replies: " + replies);
      }
      return replies.get(0);
    }
  }
}
