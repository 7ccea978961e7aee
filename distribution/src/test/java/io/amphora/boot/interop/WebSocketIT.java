package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.boot.it.BrokerProcess;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.file.Path;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.apache.qpid.protonj2.client.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients over WebSocket, on the AMQP port and on the HTTP port. */
@Tag("interop")
class WebSocketIT {

  private static final long TIMEOUT_MILLIS = 60_000;

  @TempDir static Path dir;
  private static BrokerProcess broker;
  private static BrokerProcess secure;

  @BeforeAll
  static void startBrokers() throws Exception {
    PemFiles files = new PemFiles(dir);
    files.make("broker", "CN=127.0.0.1");
    broker = BrokerProcess.serving(dir.resolve("data"));
    secure =
        BrokerProcess.serving(
            dir.resolve("secure"),
            "--set",
            "listeners.amqps.port=0",
            "--set",
            "listeners.amqps.certificate=" + files.file("broker.crt"),
            "--set",
            "listeners.amqps.key=" + files.file("broker.key"));
  }

  @AfterAll
  static void stopBrokers() {
    broker.close();
    secure.close();
  }

  private static int port(String which) {
    return which.equals("amqp") ? broker.amqpPort() : broker.httpPort();
  }

  @ParameterizedTest
  @CsvSource({
    "amqp, /, amqp",
    "amqp, /$servicebus/websocket, AMQPWSB10",
    "http, /, amqp",
    "http, /$servicebus/websocket/, AMQPWSB10"
  })
  void shouldServeRhea(String which, String path, String protocol) throws Exception {
    String url = "ws://127.0.0.1:" + port(which) + path;
    assertThat(ScriptClient.node("websocket.js", url, protocol)).contains("ok over " + protocol);
  }

  @ParameterizedTest
  @ValueSource(strings = {"amqp", "http"})
  void shouldServeQpidJms(String which) throws Exception {
    exchange("amqpws://127.0.0.1:" + port(which) + "?amqp.idleTimeout=30000");
  }

  @Test
  void shouldServeQpidJmsOverTls() throws Exception {
    String ready = String.join("\n", secure.out());
    String amqps = ready.substring(ready.lastIndexOf(" amqps=") + 7).split("\\s")[0];
    exchange(
        "amqpwss://"
            + amqps
            + "?transport.trustStoreType=PKCS12&transport.trustStorePassword="
            + PemFiles.PASSWORD
            + "&transport.trustStoreLocation="
            + dir.resolve("broker.p12"));
  }

  private static void exchange(String url) throws JMSException {
    JmsConnectionFactory factory = new JmsConnectionFactory(url);
    factory.setSendTimeout(TIMEOUT_MILLIS);
    factory.setRequestTimeout(TIMEOUT_MILLIS);
    try (Connection connection = factory.createConnection()) {
      connection.start();
      Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
      Queue queue = session.createQueue("ws-" + UUID.randomUUID());
      MessageProducer producer = session.createProducer(queue);
      for (int size : new int[] {0, 1000, 100_000, 10 << 20}) {
        byte[] body = new byte[size];
        new Random(size).nextBytes(body);
        BytesMessage sent = session.createBytesMessage();
        sent.writeBytes(body);
        producer.send(sent);
        try (var consumer = session.createConsumer(queue)) {
          BytesMessage received = (BytesMessage) consumer.receive(TIMEOUT_MILLIS);
          byte[] actual = new byte[(int) received.getBodyLength()];
          received.readBytes(actual);
          assertThat(actual).isEqualTo(body);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"amqp", "http"})
  void shouldServeProtonj2(String which) throws Exception {
    ConnectionOptions options = new ConnectionOptions().reconnectEnabled(false);
    options.transportOptions().useWebSockets(true).webSocketPath("/ws");
    String address = "ws-" + UUID.randomUUID();
    try (Client client = Client.create();
        var connection = client.connect("127.0.0.1", port(which), options);
        var sender = connection.openSender(address);
        var receiver = connection.openReceiver(address)) {
      for (int i = 0; i < 500; i++) {
        sender.send(Message.create("n" + i)).awaitAccepted(60, TimeUnit.SECONDS);
      }
      for (int i = 0; i < 500; i++) {
        var delivery = receiver.receive(60, TimeUnit.SECONDS);
        assertThat(delivery.<String>message().body()).isEqualTo("n" + i);
      }
      String large = "x".repeat(10 << 20);
      sender.send(Message.create(large)).awaitAccepted(60, TimeUnit.SECONDS);
      assertThat(receiver.receive(60, TimeUnit.SECONDS).<String>message().body()).isEqualTo(large);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"amqp", "http"})
  void shouldRefusePagesFromElsewhere(String which) {
    var asked =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .subprotocols("amqp")
            .header("Origin", "https://elsewhere.example")
            .buildAsync(
                URI.create("ws://127.0.0.1:" + port(which) + "/"), new WebSocket.Listener() {});
    assertThatThrownBy(() -> asked.get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(WebSocketHandshakeException.class)
        .hasStackTraceContaining("403");
  }
}
