package io.amphora.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.Reply;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.CommittedLog;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.replication.ReplicaKey;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One node walks at random through appends, crashes, failed forces, full disks, creations and
 * deletions, and must keep what it promised. A failure names its seed, which replays it: {@code
 * -Dwalk.seed=N -Dtest=NodeRandomWalkTest}.
 */
class NodeRandomWalkTest {

  private static final int SEEDS = 40;
  private static final int STEPS = 250;
  private static final String[] NAMES = {"a", "b", "c"};

  private NodeHarness node;
  private WalkModel model;
  private Random random;
  private int bodies;
  private final Set<CommittedLog> seen = new HashSet<>();

  static List<Long> seeds() {
    Long one = Long.getLong("walk.seed");
    if (one != null) {
      return List.of(one);
    }
    List<Long> seeds = new ArrayList<>();
    for (long seed = 1; seed <= SEEDS; seed++) {
      seeds.add(seed);
    }
    return seeds;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void shouldKeepItsPromises(long seed) {
    walk(seed);
    assertThat(model.size()).as("the walk got somewhere").isPositive();
  }

  @Test
  void shouldWalkTheSameWayFromTheSameSeed() {
    walk(5);
    int first = model.size();
    long time = node.scheduler.nanos();
    walk(5);
    assertThat(model.size()).isEqualTo(first);
    assertThat(node.scheduler.nanos()).isEqualTo(time);
  }

  private void walk(long seed) {
    node = new NodeHarness(seed);
    model = new WalkModel();
    random = node.scheduler.random();
    bodies = 0;
    seen.clear();
    node.start();
    for (int i = 0; i < STEPS; i++) {
      act();
      observe();
      if (!node.faults.faults.isEmpty()) {
        restart();
      }
    }
    calmDown();
    restart();
    model.check(node);
  }

  private void act() {
    switch (random.nextInt(20)) {
      case 0 -> restart();
      case 1 -> node.disk.full = random.nextBoolean();
      case 2 -> node.wal.diskLow(random.nextInt(3) == 0);
      case 3 -> node.disk.queueFull = random.nextInt(3) == 0;
      case 4, 5, 6 -> create();
      case 7 -> delete();
      case 8 -> node.scheduler.advanceMillis(random.nextInt(500));
      case 9 -> node.wal.thread().hold(random.nextInt(3) == 0);
      case 10 -> node.disk.failNextWrite = random.nextInt(10) == 0;
      case 11 -> settleAndCheck();
      default -> append();
    }
    int steps = random.nextInt(30);
    for (int i = 0; i < steps && node.scheduler.step(); i++) {
      observe();
    }
  }

  private void append() {
    List<TopicInfo> topics =
        node.broker.topology().topics().values().stream()
            .filter(t -> !t.isInternal())
            .sorted((x, y) -> x.name().compareTo(y.name()))
            .toList();
    if (topics.isEmpty()) {
      return;
    }
    TopicInfo topic = topics.get(random.nextInt(topics.size()));
    int partition = random.nextInt(topic.partitions().size());
    List<String> batch = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      batch.add("m" + bodies++);
    }
    ReplicaKey key = new ReplicaKey(topic.id(), partition);
    PartitionRef ref = node.broker.partition(topic, partition).orElse(null);
    if (ref == null) {
      return;
    }
    model.onSent(key, batch);
    Acks acks = random.nextInt(4) == 0 ? Acks.LEADER : Acks.ALL;
    node.appendLater(
        ref, acks, result -> model.onAnswer(key, batch, result), batch.toArray(new String[0]));
  }

  private void create() {
    String name = NAMES[random.nextInt(NAMES.length)];
    TopicConfig config = TopicConfig.DEFAULT.withPartitions(1 + random.nextInt(3));
    node.broker.createTopic(
        name,
        config,
        node.client,
        reply -> {
          if (reply instanceof Reply.Ok<TopicInfo> ok) {
            model.onCreated(ok.value());
          }
        });
  }

  private void delete() {
    TopicInfo topic = node.broker.topology().topics().get(NAMES[random.nextInt(NAMES.length)]);
    if (topic == null) {
      return;
    }
    model.onDeleteAsked(topic);
    node.broker.deleteTopic(
        topic.name(),
        node.client,
        reply -> {
          if (reply instanceof Reply.Ok<TopicInfo> ok) {
            model.onDeleteAsked(ok.value());
            model.onDeleted(ok.value());
          }
        });
  }

  private void calmDown() {
    node.disk.full = false;
    node.disk.queueFull = false;
    node.disk.failNextWrite = false;
    node.wal.thread().hold(false);
    node.wal.diskLow(false);
  }

  private void settleAndCheck() {
    calmDown();
    node.scheduler.advanceMillis(2000);
    observe();
    if (node.faults.faults.isEmpty()) {
      model.check(node);
    }
  }

  /** Kills the node, maybe again while it starts, until it is up. */
  private void restart() {
    observe();
    node.crash();
    node.faults.faults.clear();
    calmDown();
    while (random.nextInt(3) == 0) {
      node.beginStart(reply -> {});
      for (int i = random.nextInt(80); i > 0 && node.scheduler.step(); i--) {
        observe();
      }
      node.crash();
    }
    node.start();
    observe();
  }

  private void observe() {
    for (CommittedLog log : List.copyOf(node.quiet.leading.values())) {
      if (seen.add(log)) {
        model.onLeading(log);
      }
      model.observe(log);
    }
  }
}
