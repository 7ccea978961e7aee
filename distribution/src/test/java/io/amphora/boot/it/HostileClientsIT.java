package io.amphora.boot.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.Tracker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that say nothing, read nothing or never stop sending cost the broker little: with 192 MiB
 * of heap, less than the backlog of 240 MB that nobody reads, it serves the others meanwhile.
 */
class HostileClientsIT {

  private static final int LARGE = 2_400;
  private static final int HONEST = 3_000;
  private static final long LIMIT_SECONDS = 60;

  @Test
  void shouldServeOthersWhileSomeMisbehave(@TempDir Path dir) throws Exception {
    try (BrokerProcess broker = BrokerProcess.servingWithHeap("192m", dir);
        HostileSockets hostile = new HostileSockets(broker.amqpPort());
        Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", broker.amqpPort())) {
      hostile.halfOpen(500);
      send(connection, "backlog", LARGE, "x".repeat(100_000));
      for (int i = 0; i < 6; i++) {
        hostile.stalledReader("backlog");
      }
      assertThat(hostile.flood("flooded", 200_000_000)).isPositive();
      send(connection, "honest", HONEST, "m");
      assertThat(receive(connection, "honest", HONEST)).isSorted().doesNotHaveDuplicates();
      assertThat(hostile.stillOpen(60_000)).as("half-open connections").isZero();
      BrokerProcess status = broker.command("status");
      assertThat(status.exitCode()).as("%s", status).isZero();
      assertThat(broker.terminate()).as("also while six do not read (B17): %s", broker).isZero();
    }
  }

  private static void send(Connection connection, String topic, int count, String body)
      throws Exception {
    List<Tracker> trackers = new ArrayList<>();
    try (Sender sender = connection.openSender(topic)) {
      for (int i = 0; i < count; i++) {
        Message<String> message = Message.create(body);
        message.property("n", i);
        trackers.add(sender.send(message));
      }
      for (Tracker tracker : trackers) {
        tracker.awaitAccepted(LIMIT_SECONDS, TimeUnit.SECONDS);
      }
    }
  }

  private static List<Integer> receive(Connection connection, String topic, int count)
      throws Exception {
    List<Integer> numbers = new ArrayList<>();
    Receiver receiver = connection.openReceiver(topic);
    while (numbers.size() < count) {
      Delivery delivery = receiver.receive(LIMIT_SECONDS, TimeUnit.SECONDS);
      assertThat(delivery).as("after %d", numbers.size()).isNotNull();
      numbers.add((Integer) delivery.message().property("n"));
    }
    return numbers;
  }
}
