package io.amphora.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.partition.AppendResult;
import io.amphora.core.partition.CommittedLog;
import io.amphora.core.partition.ReadSlice;
import io.amphora.core.replication.ReplicaKey;
import io.amphora.core.topology.TopicInfo;
import io.amphora.wal.LogRecord;
import io.amphora.wal.RecordBatch;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** What a node has promised so far, and whether it keeps it. */
final class WalkModel {

  private final Map<ReplicaKey, TreeMap<Long, String>> acknowledged = new HashMap<>();
  private final Map<ReplicaKey, Set<String>> sent = new HashMap<>();
  private final Set<String> refused = new HashSet<>();
  private final Map<ReplicaKey, Integer> epochs = new HashMap<>();
  private final Map<ReplicaKey, Long> highWatermarks = new HashMap<>();
  private final Map<UUID, String> created = new HashMap<>();
  private final Set<UUID> deletionAsked = new HashSet<>();
  private final Set<UUID> deleted = new HashSet<>();

  /** Messages known to be acknowledged. */
  int size() {
    return acknowledged.values().stream().mapToInt(Map::size).sum();
  }

  void onCreated(TopicInfo topic) {
    assertThat(created.put(topic.id(), topic.name())).as("a new id").isNull();
  }

  void onDeleteAsked(TopicInfo topic) {
    deletionAsked.add(topic.id());
  }

  void onDeleted(TopicInfo topic) {
    deleted.add(topic.id());
  }

  void onSent(ReplicaKey key, List<String> bodies) {
    sent.computeIfAbsent(key, k -> new HashSet<>()).addAll(bodies);
  }

  void onAnswer(ReplicaKey key, List<String> bodies, AppendResult result) {
    if (result instanceof AppendResult.Refused) {
      refused.addAll(bodies);
    } else if (result instanceof AppendResult.Appended appended) {
      TreeMap<Long, String> log = acknowledged.computeIfAbsent(key, k -> new TreeMap<>());
      for (int i = 0; i < bodies.size(); i++) {
        String before = log.put(appended.baseOffset() + i, bodies.get(i));
        assertThat(before).as("one message an offset").isNull();
      }
    }
  }

  /** After each event: epochs only grow (rule 4), the visible high watermark never falls. */
  void observe(CommittedLog log) {
    ReplicaKey key = new ReplicaKey(log.topicId(), log.partition());
    highWatermarks.merge(
        key,
        log.highWatermark(),
        (before, now) -> {
          assertThat(now).as("high watermark of %s", key).isGreaterThanOrEqualTo(before);
          return now;
        });
  }

  void onLeading(CommittedLog log) {
    ReplicaKey key = new ReplicaKey(log.topicId(), log.partition());
    Integer before = epochs.put(key, log.epoch());
    if (before != null) {
      assertThat(log.epoch()).as("epoch of %s", key).isGreaterThan(before);
    }
  }

  /** With nothing under way: all that was promised is there, and nothing else. */
  void check(NodeHarness node) {
    Map<UUID, TopicInfo> present = new HashMap<>();
    node.broker.topology().topics().values().forEach(t -> present.put(t.id(), t));
    created.forEach(
        (id, name) -> {
          if (!deletionAsked.contains(id)) {
            assertThat(present).as("topic %s", name).containsKey(id);
          }
        });
    assertThat(present.keySet()).as("deleted topics").noneMatch(deleted::contains);
    for (TopicInfo topic : present.values()) {
      for (int i = 0; i < topic.partitions().size() && !topic.isInternal(); i++) {
        checkPartition(node, topic, i);
      }
    }
  }

  private void checkPartition(NodeHarness node, TopicInfo topic, int partition) {
    ReplicaKey key = new ReplicaKey(topic.id(), partition);
    Map<Long, String> found = readAll(node, topic.name(), partition);
    assertThat(found).as("acknowledged in %s", key).containsAllEntriesOf(acked(key));
    assertThat(new HashSet<>(found.values())).as("no repeats").hasSameSizeAs(found.values());
    Set<String> known = sent.getOrDefault(key, Set.of());
    assertThat(found.values()).as("invented in %s", key).allMatch(known::contains);
    assertThat(found.values()).as("refused in %s", key).noneMatch(refused::contains);
    assertThat(node.status(topic.name(), partition).messagesFrom(0)).isEqualTo(found.size());
  }

  private Map<Long, String> acked(ReplicaKey key) {
    return acknowledged.getOrDefault(key, new TreeMap<>());
  }

  private static Map<Long, String> readAll(NodeHarness node, String topic, int partition) {
    Map<Long, String> found = new TreeMap<>();
    long offset = 0;
    while (true) {
      ReadSlice slice = node.read(topic, partition, offset);
      if (slice.batches().isEmpty()) {
        return found;
      }
      for (RecordBatch batch : slice.batches()) {
        assertThat(batch.endOffset()).isLessThanOrEqualTo(slice.highWatermark());
        for (LogRecord record : batch) {
          if (!batch.isControl()) {
            found.put(record.offset(), NodeHarness.text(record));
          }
        }
        offset = batch.endOffset();
      }
    }
  }
}
