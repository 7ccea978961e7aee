package io.amphora.boot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.ClientOptions;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Sender;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What other brokers got wrong over restarts and with odd names (docs/hardening.md). */
class FieldBugsIT {

  private static final long LIMIT_SECONDS = 60;

  @TempDir private Path dir;

  /** B22: the client's id is not "in use" after a restart, and what came meanwhile is there. */
  @Test
  void shouldTakeADurableSubscriberBackAfterARestart() throws Exception {
    for (int life = 0; life < 3; life++) {
      try (BrokerProcess broker = BrokerProcess.serving(dir);
          Client client = Client.create(new ClientOptions().id("app"));
          Connection connection = client.connect("127.0.0.1", broker.amqpPort())) {
        ReceiverOptions options = new ReceiverOptions().creditWindow(10);
        Receiver receiver = connection.openDurableReceiver("news", "sub", options);
        receiver.openFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (life > 0) {
          assertThat(body(receiver)).isEqualTo("unread " + (life - 1));
        }
        send(connection, "news", Message.create("read " + life));
        assertThat(body(receiver)).isEqualTo("read " + life);
        receiver.detach();
        send(connection, "news", Message.create("unread " + life));
        if (life == 0) {
          assertThat(broker.terminate()).isZero();
        } else {
          broker.kill();
        }
      }
    }
  }

  /** B31: a topic keeps what it accepted, whatever the header says or does not. */
  @Test
  void shouldKeepMessagesWithoutAHeaderOverAKill() throws Exception {
    try (BrokerProcess broker = BrokerProcess.serving(dir);
        Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", broker.amqpPort())) {
      send(connection, "kept", Message.create("no header"));
      send(connection, "kept", Message.create("not durable").durable(false));
      send(connection, "kept", Message.create("durable").durable(true));
      broker.kill();
    }
    try (BrokerProcess broker = BrokerProcess.serving(dir);
        Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", broker.amqpPort())) {
      Receiver receiver = connection.openReceiver("kept");
      assertThat(List.of(body(receiver), body(receiver), body(receiver)))
          .containsExactly("no header", "not durable", "durable");
    }
  }

  /** B86: what one side makes the other finds; what is no name is made by neither. */
  @Test
  void shouldKnowOddNamesOnBothSides() throws Exception {
    List<String> legal = List.of("ä€😀", "100%", "%41", "a b", "a/b/c", "x", "n".repeat(249));
    List<String> illegal = List.of("a\0b", "a\rb", ".", "..", "a/../b", "/a", "a/", "a::b::c");
    try (BrokerProcess broker = BrokerProcess.serving(dir);
        Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", broker.amqpPort())) {
      for (String name : legal) {
        assertThat(create(broker, name)).as(name).isEqualTo(201);
        send(connection, encoded(name), Message.create(name));
        assertThat(body(connection.openReceiver(encoded(name)))).isEqualTo(name);
        assertThat(call(broker, "DELETE", "topics/" + encoded(name), "")).as(name).isEqualTo(204);
      }
      for (String name : illegal) {
        assertThat(create(broker, name)).as("'%s'", name).isEqualTo(400);
      }
      assertThat(create(broker, "n".repeat(250))).isEqualTo(400);
      assertThatThrownBy(
              () -> connection.openSender("n".repeat(250)).openFuture().get(60, TimeUnit.SECONDS))
          .hasStackTraceContaining("amqp:invalid-field");
      assertThat(new Figures(broker).get("topics").path("items")).isEmpty();
    }
  }

  /** B80: a client that gives up waiting again and again gets a message once, and all of it. */
  @Test
  void shouldFinishAMessageThatIsPolledForMeanwhile() throws Exception {
    byte[] sent = new byte[20 << 20];
    new Random(80).nextBytes(sent);
    try (BrokerProcess broker = BrokerProcess.serving(dir);
        Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", broker.amqpPort())) {
      try (Sender sender = connection.openSender("polled")) {
        sender.send(Message.create(sent)).awaitAccepted(LIMIT_SECONDS, TimeUnit.SECONDS);
      }
      Receiver receiver = connection.openReceiver("polled");
      Delivery delivery = null;
      for (int i = 0; delivery == null && i < 60_000; i++) {
        delivery = receiver.receive(1, TimeUnit.MILLISECONDS);
      }
      assertThat(delivery).isNotNull();
      assertThat(delivery.<byte[]>message().body()).isEqualTo(sent);
      assertThat(receiver.receive(500, TimeUnit.MILLISECONDS)).as("only once").isNull();
    }
  }

  private static int create(BrokerProcess broker, String name) throws Exception {
    return call(broker, "PUT", "topics/" + encoded(name), "{}");
  }

  private static int call(BrokerProcess broker, String method, String path, String body)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(broker.httpUrl() + "/api/v1/" + path))
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.ofString())
        .statusCode();
  }

  /** As in an address: percent-encoding is decoded once. */
  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static void send(Connection connection, String address, Message<String> message)
      throws Exception {
    try (Sender sender = connection.openSender(address)) {
      sender.send(message).awaitAccepted(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static String body(Receiver receiver) throws Exception {
    Delivery delivery = receiver.receive(LIMIT_SECONDS, TimeUnit.SECONDS);
    assertThat(delivery).isNotNull();
    return delivery.<String>message().body();
  }
}
