package io.amphora.boot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.ClientOptions;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A durable subscriber that comes back while its old connection still hangs goes on at once. */
class StolenSubscriptionIT {

  private static final long LIMIT_SECONDS = 60;

  @Test
  void shouldMoveASubscriptionToTheNewerConnection(@TempDir Path dir) throws Exception {
    try (BrokerProcess broker = BrokerProcess.serving(dir);
        Client client = Client.create(new ClientOptions().id("app"));
        Connection old = client.connect("127.0.0.1", broker.amqpPort());
        Connection fresh = client.connect("127.0.0.1", broker.amqpPort())) {
      Receiver first = subscribe(old);
      send(fresh, "a");
      assertThat(body(receive(first))).isEqualTo("a");

      Receiver second = subscribe(fresh);
      assertThat(body(receive(second))).as("what the first held").isEqualTo("a");
      assertThatThrownBy(() -> first.receive(LIMIT_SECONDS, TimeUnit.SECONDS))
          .hasStackTraceContaining("amqp:link:stolen");
      send(old, "b");
      assertThat(body(receive(second))).isEqualTo("b");
    }
  }

  private static Receiver subscribe(Connection connection) throws Exception {
    ReceiverOptions options = new ReceiverOptions().creditWindow(10).autoAccept(false);
    Receiver receiver = connection.openDurableReceiver("news", "sub", options);
    receiver.openFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    return receiver;
  }

  private static void send(Connection connection, String body) throws Exception {
    connection
        .openSender("news")
        .send(Message.create(body))
        .awaitAccepted(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  private static Delivery receive(Receiver receiver) throws Exception {
    Delivery delivery = receiver.receive(LIMIT_SECONDS, TimeUnit.SECONDS);
    assertThat(delivery).isNotNull();
    return delivery;
  }

  private static String body(Delivery delivery) throws Exception {
    return delivery.<String>message().body();
  }
}
