package io.amphora.boot.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.ClientOptions;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What groups have done, counted and put aside is the same after a restart as before, with members
 * attached and messages unsettled when the broker ended (field bug B128).
 */
class CountersOverRestartIT {

  private static final String TOPIC = "counters";
  private static final int MESSAGES = 12;

  /** Per group: all but m0, m1, m5, m7 (accepted) and m6 (rejected). */
  private static final long OPEN = 7;

  private static final long LIMIT_SECONDS = 60;
  private static final long QUIET_SECONDS = 3;

  /** What is left, with its failed attempts. */
  private static final Map<String, Long> LEFT =
      Map.of("m2", 2L, "m3", 0L, "m4", 1L, "m8", 0L, "m9", 0L, "m10", 0L, "m11", 0L);

  @TempDir private Path dir;

  private interface End {
    void end(BrokerProcess broker) throws Exception;
  }

  private interface Opening {
    Receiver on(Connection connection) throws ClientException;
  }

  private static final Map<String, Opening> GROUPS =
      new TreeMap<>(
          Map.of(
              TOPIC + "::$queue",
              c -> c.openReceiver(TOPIC, options()),
              "billing",
              c -> c.openReceiver(TOPIC + "::billing", options()),
              TOPIC + "::app|sub",
              c -> c.openDurableReceiver(TOPIC, "sub", options())));

  private static ReceiverOptions options() {
    return new ReceiverOptions().creditWindow(0).autoAccept(false);
  }

  private static Connection connect(Client client, BrokerProcess broker) throws ClientException {
    return client.connect("127.0.0.1", broker.amqpPort());
  }

  @Test
  void shouldCountOnAfterAGracefulStop() throws Exception {
    shouldCountOn(broker -> assertThat(broker.terminate()).isZero());
  }

  @Test
  void shouldCountOnAfterAKill() throws Exception {
    shouldCountOn(BrokerProcess::kill);
  }

  private void shouldCountOn(End end) throws Exception {
    Map<String, List<JsonNode>> groups = new HashMap<>();
    Map<String, List<Long>> partitions = new HashMap<>();
    try (BrokerProcess broker = BrokerProcess.serving(dir)) {
      broker.command("topic", "create", TOPIC, "--partitions", "2");
      try (Client client = Client.create(new ClientOptions().id("app"));
          Connection connection = connect(client, broker)) {
        work(connection);
        Figures figures = new Figures(broker);
        for (String group : GROUPS.keySet()) {
          figures.await(group, OPEN, 1, 2);
        }
        read(figures, groups, partitions);
        end.end(broker);
      }
    }
    assertThat(groups.values()).as("two partitions each").allSatisfy(g -> assertThat(g).hasSize(2));
    try (BrokerProcess broker = BrokerProcess.serving(dir)) {
      Map<String, List<JsonNode>> groupsNow = new HashMap<>();
      Map<String, List<Long>> partitionsNow = new HashMap<>();
      Figures figures = new Figures(broker);
      read(figures, groupsNow, partitionsNow);
      assertThat(groupsNow).isEqualTo(groups);
      partitions.computeIfPresent("end", (figure, ends) -> afterTheStart(ends));
      partitions.computeIfPresent("highWatermark", (figure, ends) -> afterTheStart(ends));
      assertThat(partitionsNow).isEqualTo(partitions);
      finish(broker, figures);
      assertThat(broker.terminate()).isZero();
    }
  }

  /** Each start of a broker writes one record of its own. */
  private static List<Long> afterTheStart(List<Long> ends) {
    return ends.stream().map(end -> end + 1).toList();
  }

  private static void read(
      Figures figures, Map<String, List<JsonNode>> groups, Map<String, List<Long>> partitions)
      throws Exception {
    for (String group : GROUPS.keySet()) {
      groups.put(group, figures.of(group));
    }
    for (String figure : List.of("logStart", "end", "highWatermark", "messages")) {
      partitions.put(figure, figures.partitions(TOPIC, figure));
    }
  }

  // --- before

  private static void work(Connection connection) throws Exception {
    List<Receiver> receivers = new ArrayList<>();
    for (Opening group : GROUPS.values()) {
      Receiver receiver = group.on(connection);
      receiver.openFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
      receivers.add(receiver);
    }
    send(connection);
    for (Receiver receiver : receivers) {
      settleSome(receiver);
    }
  }

  /** Even numbers to one partition, odd ones to the other. */
  private static void send(Connection connection) throws Exception {
    for (int partition = 0; partition < 2; partition++) {
      try (Sender sender = connection.openSender(TOPIC + "/Partitions/" + partition)) {
        for (int i = partition; i < MESSAGES; i += 2) {
          sender.send(Message.create("m" + i)).awaitAccepted(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
      }
    }
  }

  /** The rejection comes last on its partition: what shows it in the journal shows the rest. */
  private static void settleSome(Receiver receiver) throws Exception {
    receiver.addCredit(MESSAGES);
    Map<String, Delivery> got = new HashMap<>();
    for (int i = 0; i < MESSAGES; i++) {
      Delivery delivery = receive(receiver);
      got.put(body(delivery), delivery);
    }
    got.remove("m2").modified(true, false);
    receiver.addCredit(1);
    Delivery again = receive(receiver);
    assertThat(body(again)).isEqualTo("m2");
    assertThat(again.message().deliveryCount()).isEqualTo(1);
    again.modified(true, false);
    for (String body : List.of("m7", "m1", "m5", "m0")) {
      got.remove(body).accept();
    }
    got.remove("m3").release();
    got.remove("m4").modified(true, false);
    got.remove("m6").reject("test:bad", "of no use");
    assertThat(got.keySet()).as("unsettled").containsExactlyInAnyOrder("m8", "m9", "m10", "m11");
  }

  private static Delivery receive(Receiver receiver) throws ClientException {
    Delivery delivery = receiver.receive(LIMIT_SECONDS, TimeUnit.SECONDS);
    assertThat(delivery).as("a delivery on %s", receiver.address()).isNotNull();
    return delivery;
  }

  private static String body(Delivery delivery) throws ClientException {
    return delivery.<String>message().body();
  }

  // --- after

  /** All that was left comes with its count, nothing else does, and then nothing is left. */
  private static void finish(BrokerProcess broker, Figures figures) throws Exception {
    try (Client client = Client.create(new ClientOptions().id("app"));
        Connection connection = connect(client, broker)) {
      for (Map.Entry<String, Opening> group : GROUPS.entrySet()) {
        Receiver receiver = group.getValue().on(connection);
        assertThat(drain(receiver)).as(group.getKey()).isEqualTo(LEFT);
        figures.await(group.getKey(), 0, 1, 0);
        receiver.close();
      }
    }
  }

  private static Map<String, Long> drain(Receiver receiver) throws Exception {
    Map<String, Long> counts = new HashMap<>();
    receiver.addCredit(2 * MESSAGES);
    Delivery delivery = receive(receiver);
    while (delivery != null) {
      String body = body(delivery);
      assertThat(counts).as("twice").doesNotContainKey(body);
      counts.put(body, delivery.message().deliveryCount());
      delivery.accept();
      delivery = receiver.receive(QUIET_SECONDS, TimeUnit.SECONDS);
    }
    return counts;
  }
}
