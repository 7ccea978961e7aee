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
 * Clients that say nothing, read nothing or never stop sending cost the broker little: with the
 * documented least of heap, a fraction of the backlog that nobody reads, it serves the others
 * meanwhile, and is what it was when they are gone.
 */
class HostileClientsIT {

  private static final String HEAP = "96m";
  private static final int STALLED = 6;

  /** An eighth of 64 MiB for what receivers do not read, and a few messages too many for each. */
  private static final long HELD_MOST = (8L << 20) + STALLED * 500_000;

  private static final int LARGE = 2_400;
  private static final int ROUNDS = 10;
  private static final int MESSAGES = 100;
  private static final long LIMIT_SECONDS = 60;

  /** 30 s to open, and a timer that looks four times in that time (docs/amqp.md section 6). */
  private static final long HALF_OPEN_MILLIS = 40_000;

  @Test
  void shouldServeOthersWhileSomeMisbehave(@TempDir Path dir) throws Exception {
    try (BrokerProcess broker = BrokerProcess.servingWithHeap(HEAP, dir);
        Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", broker.amqpPort())) {
      send(connection, "backlog", LARGE, "x".repeat(100_000));
      flood(broker, connection);
      Footprint before = Footprint.of(broker);
      try (HostileSockets hostile = new HostileSockets(broker.amqpPort())) {
        hostile.halfOpen(500);
        for (int i = 0; i < STALLED; i++) {
          hostile.stalledReader("backlog");
        }
        Footprint during = Footprint.of(broker);
        assertThat(during.heldBytes()).isBetween(1L, HELD_MOST);
        assertThat(during.threads()).isLessThan(before.threads() + 10);
        flood(broker, connection);
        assertThat(hostile.stillOpenAfter(HALF_OPEN_MILLIS)).as("half-open connections").isZero();
        assertThat(Footprint.of(broker).connections())
            .isLessThanOrEqualTo(before.connections() + STALLED);
      }
      Footprint.assertBackAt(before, broker);
      try (HostileSockets hostile = new HostileSockets(broker.amqpPort())) {
        for (int i = 0; i < STALLED; i++) {
          hostile.stalledReader("backlog");
        }
        assertThat(broker.terminate()).as("also while six do not read (B17): %s", broker).isZero();
      }
    }
  }

  /** Honest messages come and go while two others send as much as they can, from first to last. */
  private static void flood(BrokerProcess broker, Connection connection) throws Exception {
    try (Flood greedy = new Flood(broker.amqpPort(), "flooded", true);
        Flood deaf = new Flood(broker.amqpPort(), "flooded", false)) {
      long start = System.nanoTime();
      long floodedBefore = greedy.bytes();
      try (Sender sender = connection.openSender("honest");
          Receiver receiver = connection.openReceiver("honest")) {
        for (int round = 0; round < ROUNDS; round++) {
          int first = round * MESSAGES;
          send(sender, first, MESSAGES, "m");
          assertThat(receive(receiver)).isSorted().doesNotHaveDuplicates().startsWith(first);
          assertThat(greedy.goesOn() && deaf.goesOn()).as("the floods go on").isTrue();
        }
      }
      long millis = (System.nanoTime() - start) / 1_000_000;
      assertThat(greedy.bytes() - floodedBefore).as("flooded in %d ms", millis).isPositive();
      assertThat(deaf.bytes()).isPositive();
      System.out.printf(
          "%d honest messages in %d ms, beside %d and %d MB of two floods%n",
          ROUNDS * MESSAGES, millis, greedy.bytes() / 1_000_000, deaf.bytes() / 1_000_000);
    }
  }

  private static void send(Connection connection, String topic, int count, String body)
      throws Exception {
    try (Sender sender = connection.openSender(topic)) {
      send(sender, 0, count, body);
    }
  }

  private static void send(Sender sender, int first, int count, String body) throws Exception {
    List<Tracker> trackers = new ArrayList<>();
    for (int i = first; i < first + count; i++) {
      Message<String> message = Message.create(body);
      message.property("n", i);
      trackers.add(sender.send(message));
    }
    for (Tracker tracker : trackers) {
      tracker.awaitAccepted(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static List<Integer> receive(Receiver receiver) throws Exception {
    List<Integer> numbers = new ArrayList<>();
    while (numbers.size() < MESSAGES) {
      Delivery delivery = receiver.receive(LIMIT_SECONDS, TimeUnit.SECONDS);
      assertThat(delivery).as("after %d", numbers.size()).isNotNull();
      numbers.add((Integer) delivery.message().property("n"));
    }
    return numbers;
  }
}
