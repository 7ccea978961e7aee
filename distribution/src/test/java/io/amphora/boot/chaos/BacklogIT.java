package io.amphora.boot.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.boot.it.BrokerProcess;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.Tracker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A million messages of 1 KiB pile up in front of a broker with a heap of 256 MB and are drained in
 * order. The number can be changed with {@code -Dbacklog.messages}.
 */
@Tag("chaos")
class BacklogIT {

  private static final int MESSAGES = Integer.getInteger("backlog.messages", 1_000_000);
  private static final int SIZE = 1024;
  private static final int IN_FLIGHT = 2_000;
  private static final String QUEUE = "backlog";

  @Test
  void shouldKeepAMillionMessagesInASmallHeap(@TempDir Path dir) throws Exception {
    try (BrokerProcess broker = BrokerProcess.serving(dir.resolve("data"));
        Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", broker.amqpPort())) {
      long start = System.nanoTime();
      publish(connection);
      long published = System.nanoTime();
      drain(connection);
      long drained = System.nanoTime();
      System.out.printf(
          "%d messages: published at %d/s, drained at %d/s (client included)%n",
          MESSAGES, rate(published - start), rate(drained - published));
      connection.close();
      assertThat(broker.terminate()).isZero();
    }
  }

  private static long rate(long nanos) {
    return MESSAGES * 1_000_000_000L / nanos;
  }

  private static void publish(Connection connection) throws Exception {
    ArrayDeque<Tracker> inFlight = new ArrayDeque<>();
    try (Sender sender = connection.openSender(QUEUE)) {
      for (int i = 0; i < MESSAGES; i++) {
        byte[] body = new byte[SIZE];
        ByteBuffer.wrap(body).putInt(i).putInt(SIZE - 4, ~i);
        inFlight.add(sender.send(Message.create(body)));
        if (inFlight.size() > IN_FLIGHT) {
          confirm(inFlight.remove());
        }
      }
      for (Tracker tracker : inFlight) {
        confirm(tracker);
      }
    }
  }

  private static void confirm(Tracker tracker) throws Exception {
    tracker.settlementFuture().get();
    assertThat(tracker.remoteState().isAccepted()).isTrue();
  }

  private static void drain(Connection connection) throws Exception {
    ReceiverOptions options = new ReceiverOptions().creditWindow(1_000);
    try (Receiver receiver = connection.openReceiver(QUEUE, options)) {
      for (int i = 0; i < MESSAGES; i++) {
        Delivery delivery = receiver.receive();
        byte[] body = delivery.<byte[]>message().body();
        if (body.length != SIZE
            || ByteBuffer.wrap(body).getInt() != i
            || ByteBuffer.wrap(body).getInt(SIZE - 4) != ~i) {
          throw new AssertionError("message " + i + " is not what was sent");
        }
      }
      assertThat(receiver.tryReceive()).isNull();
    }
  }
}
