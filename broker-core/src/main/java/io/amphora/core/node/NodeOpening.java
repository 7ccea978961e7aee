package io.amphora.core.node;

import io.amphora.core.Reply;
import io.amphora.core.partition.PartitionSetup;
import io.amphora.core.replication.ReplicaKey;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.Topology;
import io.amphora.core.topology.TopologyChange;
import io.amphora.wal.LogName;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the partitions of the topology to life: finishes deletions that a crash interrupted, opens
 * all logs, elects all partitions together, and writes the leaders down. Owned by the control loop.
 */
final class NodeOpening {

  private static final Logger LOG = LoggerFactory.getLogger(NodeOpening.class);

  private final BrokerPorts ports;
  private final TopologyJournal journal;
  private final NodeController.Hosting hosting;

  NodeOpening(BrokerPorts ports, TopologyJournal journal, NodeController.Hosting hosting) {
    this.ports = ports;
    this.journal = journal;
    this.hosting = hosting;
  }

  /** Starts; answered when all partitions lead, or with why one cannot. */
  void run(Consumer<Reply<Topology>> done) {
    List<UUID> deleted = journal.current().deleted();
    List<LogName> left =
        ports.wal().existing().stream().filter(n -> deleted.contains(n.topicId())).toList();
    hosting
        .states()
        .forget(left.stream().map(n -> new ReplicaKey(n.topicId(), n.partition())).toList());
    hosting.host().erase(left, erased -> onErased(deleted, erased, done));
  }

  private void onErased(
      List<UUID> deleted, Reply<List<LogName>> erased, Consumer<Reply<Topology>> done) {
    if (erased instanceof Reply.Failed<List<LogName>> failed) {
      LOG.warn("the next start erases deleted topics: {}", failed.error().getMessage());
      open(done);
    } else if (deleted.isEmpty()) {
      open(done);
    } else {
      journal.commit(TopologyChange.erased(journal.durable(), deleted), written -> open(done));
    }
  }

  private void open(Consumer<Reply<Topology>> done) {
    List<PartitionSetup> setups =
        journal.current().topics().values().stream()
            .flatMap(t -> TopicPlan.setups(t, hosting.broker()).stream())
            .toList();
    hosting
        .host()
        .open(
            setups,
            opened -> {
              if (opened instanceof Reply.Failed<List<OpenedPartition>> failed) {
                done.accept(new Reply.Failed<>(failed.error()));
                return;
              }
              hosting.host().show(opened.orThrow());
              hosting.elections().run(opened.orThrow(), led -> onLed(led, done));
            });
  }

  private void onLed(Reply<List<Elections.Led>> led, Consumer<Reply<Topology>> done) {
    if (led instanceof Reply.Failed<List<Elections.Led>> failed) {
      done.accept(new Reply.Failed<>(failed.error()));
      return;
    }
    Map<UUID, List<Elections.Led>> byTopic =
        led.orThrow().stream().collect(Collectors.groupingBy(l -> l.partition().topic().id()));
    List<TopicInfo> topics =
        journal.current().topics().values().stream()
            .map(t -> TopicPlan.withLeaders(t, byTopic.getOrDefault(t.id(), List.of())))
            .toList();
    journal.commit(TopologyChange.withTopics(journal.durable(), topics), done);
  }
}
