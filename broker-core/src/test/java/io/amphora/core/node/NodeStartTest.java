package io.amphora.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.BrokerException;
import io.amphora.core.MembershipView;
import io.amphora.core.Reply;
import io.amphora.core.partition.AppendResult.Appended;
import io.amphora.core.replication.ReplicaStates;
import io.amphora.core.topology.NodeIdentity;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.Topology;
import io.amphora.core.topology.TopologyCodec;
import io.amphora.wal.LogName;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeStartTest {

  private final NodeHarness node = new NodeHarness(2);

  private String refusal() {
    Reply<RunningBroker> reply = node.tryStart();
    assertThat(reply).isInstanceOf(Reply.Failed.class);
    return ((Reply.Failed<RunningBroker>) reply).error().getMessage();
  }

  private void usedDirectory() {
    node.start();
    node.create("orders");
    node.append("orders", 0, "a");
    node.stop();
  }

  private LogName log(String topic) {
    for (LogName name : node.disk.logNames()) {
      if (name.topic().equals(topic)) {
        return name;
      }
    }
    throw new AssertionError("no log of " + topic);
  }

  @Test
  void shouldBootstrapAClusterOfOne() {
    node.start();
    Topology topology = node.broker.topology();
    assertThat(topology.voters()).containsExactly("b1");
    assertThat(topology.term()).isEqualTo(1);
    assertThat(topology.topics()).containsOnlyKeys("__positions", "__transactions");
    assertThat(topology.topics().get("__positions").config().retention())
        .isEqualTo(TopicConfig.Retention.FOREVER);
    assertThat(node.broker.status())
        .isEqualTo(new BrokerStatus("b1", topology.clusterId(), true, "", List.of()));
  }

  @Test
  void shouldTakeAHigherTermAtEachStart() {
    node.start();
    String cluster = node.broker.topology().clusterId();
    long version = node.broker.topology().version();
    node.crash();
    node.start();
    assertThat(node.broker.topology().term()).isEqualTo(2);
    assertThat(node.broker.topology().version()).isGreaterThan(version);
    assertThat(node.broker.topology().clusterId()).isEqualTo(cluster);
    node.crash();
    node.disk.document("node.json", NodeIdentity.of("b1", cluster, 9).encode());
    node.start();
    assertThat(node.broker.topology().term()).as("above what was promised").isEqualTo(10);
    assertThat(node.published).isNotEmpty();
  }

  @Test
  void shouldRefuseTheDirectoryOfAnotherBroker() {
    node.disk.document("node.json", NodeIdentity.of("b2", "c", 1).encode());
    assertThat(refusal()).contains("belongs to broker 'b2'").contains("broker.id");
  }

  @Test
  void shouldRefuseTheTopologyOfAnotherCluster() {
    usedDirectory();
    node.disk.document("node.json", NodeIdentity.of("b1", "another", 5).encode());
    assertThat(refusal()).contains("cluster another");
  }

  @Test
  void shouldRefuseAMissingOrGarbledTopology() {
    usedDirectory();
    byte[] good = node.disk.document("topology.json");
    node.disk.document("topology.json", new byte[0]);
    assertThat(refusal()).contains("topology.json is missing");
    node.disk.document("topology.json", "{}".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    assertThat(refusal()).contains("topology document");
    node.disk.document("topology.json", good);
    node.start();
    assertThat(node.messages("orders", 0)).containsExactly("a");
  }

  /** Whatever is left of a used directory is reason enough not to begin a new cluster in it. */
  @Test
  void shouldNotBeginANewClusterOverTheRestOfAnOldOne() {
    usedDirectory();
    byte[] promises = node.disk.document(ReplicaStates.DOCUMENT);
    node.disk.logNames().forEach(node.disk::lose);
    node.disk.document("topology.json", new byte[0]);
    node.disk.document("node.json", new byte[0]);
    assertThat(refusal()).contains("topology.json is missing");
    assertThat(node.disk.document(ReplicaStates.DOCUMENT)).isEqualTo(promises);
  }

  @Test
  void shouldRefuseMissingPromises() {
    usedDirectory();
    node.disk.document(ReplicaStates.DOCUMENT, new byte[0]);
    assertThat(refusal()).contains("promises is missing");
  }

  @Test
  void shouldRefuseToGoOnWithoutALogThatWasLed() {
    usedDirectory();
    node.disk.lose(log("orders"));
    assertThat(refusal()).contains("orders-0").contains("missing").contains("backup");
    assertThat(log("__positions")).isNotNull();
  }

  @Test
  void shouldNameACorruptLogAndTouchNothing() {
    usedDirectory();
    LogName orders = log("orders");
    node.disk.corrupt(orders, true);
    assertThat(refusal()).contains("orders-0").contains("damaged at offset").contains("backup");
    node.disk.corrupt(orders, false);
    node.start();
    assertThat(node.messages("orders", 0)).containsExactly("a");
  }

  @Test
  void shouldLeaveALogOfAnUnknownTopicAlone() {
    usedDirectory();
    LogName orders = log("orders");
    Topology t = TopologyCodec.decode(node.disk.document("topology.json"));
    Topology without =
        new Topology(
            t.clusterId(),
            t.term(),
            t.version() + 1,
            t.voters(),
            java.util.Map.of("__positions", t.topics().get("__positions")),
            t.users(),
            t.groups(),
            t.deleted());
    node.disk.document("topology.json", TopologyCodec.encode(without));
    node.start();
    assertThat(log("orders")).isEqualTo(orders);
  }

  @Test
  void shouldNotStartBesideAnotherController() {
    node.membership.change(new MembershipView("b1", "b0", List.of("b0", "b1")));
    assertThat(refusal()).contains("'b0' is the controller");
    assertThat(node.disk.document("topology.json")).isEmpty();
  }

  @Test
  void shouldSayWhenTheDiskIsFullAtStart() {
    node.disk.full = true;
    assertThat(refusal()).contains("cannot be written");
  }

  @Test
  void shouldElectAThousandPartitionsWithFewWrites() {
    node.start();
    node.create("wide", TopicConfig.DEFAULT.withPartitions(1000));
    node.append("wide", 999, "x");
    node.crash();
    int before = node.disk.documentWrites;
    node.start();
    assertThat(node.disk.documentWrites - before).isLessThanOrEqualTo(6);
    assertThat(node.status("wide", 0).epoch()).isEqualTo(2);
    assertThat(node.append("wide", 999, "y")).isEqualTo(new Appended(3));
  }

  @Test
  void shouldStopGently() {
    node.start();
    node.create("orders");
    node.append("orders", 0, "a");
    node.stop();
    assertThat(node.quiet.events)
        .containsSubsequence("stop", "stopped orders-0 SHUTTING_DOWN")
        .contains("stopped __positions-0 SHUTTING_DOWN");
    assertThat(node.broker.status().ready()).isFalse();
    assertThat(node.faults.faults).isEmpty();
  }

  @Test
  void shouldSurviveAKillAtEveryStepOfTheFirstStart() {
    for (int steps = 1; steps < 200; steps += 3) {
      NodeHarness each = new NodeHarness(steps);
      each.beginStart(reply -> {});
      for (int i = 0; i < steps && each.scheduler.step(); i++) {}
      each.crash();
      each.start();
      each.create("orders");
      assertThat(each.append("orders", 0, "a")).as("%d steps", steps).isEqualTo(new Appended(1));
    }
  }

  @Test
  void shouldReportErrorsAsBrokerExceptions() {
    node.disk.document("node.json", new byte[] {1, 2, 3});
    Reply<RunningBroker> reply = node.tryStart();
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Failed.class, f -> assertThat(f.error()).isInstanceOf(BrokerException.class));
  }
}
