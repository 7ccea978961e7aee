package io.amphora.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.amqp.testkit.FakeBroker;
import io.amphora.amqp.testkit.VertxLoop;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real client through a real socket, against a broker in memory. */
@Timeout(30)
class JmsOverSocketTest {

  private ServerRig rig;
  private FakeBroker broker;
  private int port;

  @BeforeEach
  void start() throws Exception {
    rig = new ServerRig();
    broker = rig.broker.withTopic("orders", 1);
    port = rig.port;
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  private Connection connect(String options) throws Exception {
    return new JmsConnectionFactory("amqp://127.0.0.1:" + port + "?" + options).createConnection();
  }

  @Test
  void shouldSendAndReceiveInOrder() throws Exception {
    try (Connection connection = connect("jms.prefetchPolicy.all=10")) {
      connection.start();
      Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
      MessageProducer producer = session.createProducer(session.createQueue("orders"));
      for (int i = 0; i < 500; i++) {
        producer.send(session.createTextMessage("message " + i));
      }
      MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
      for (int i = 0; i < 500; i++) {
        TextMessage message = (TextMessage) consumer.receive(5000);
        assertThat(message.getText()).isEqualTo("message " + i);
        assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
      }
      assertThat(consumer.receiveNoWait()).isNull();
    }
  }

  @Test
  void shouldCarryALargeMessageInManyFrames() throws Exception {
    try (Connection connection = connect("amqp.maxFrameSize=4096")) {
      connection.start();
      Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
      byte[] content = new byte[3 << 20];
      new java.util.Random(1).nextBytes(content);
      BytesMessage message = session.createBytesMessage();
      message.writeBytes(content);
      session.createProducer(session.createQueue("large")).send(message);
      MessageConsumer consumer = session.createConsumer(session.createQueue("large"));
      BytesMessage received = (BytesMessage) consumer.receive(10000);
      byte[] back = new byte[content.length];
      assertThat(received.readBytes(back)).isEqualTo(content.length);
      assertThat(back).isEqualTo(content);
    }
  }

  @Test
  void shouldLetAnAnonymousProducerRouteByDestination() throws Exception {
    try (Connection connection = connect("")) {
      connection.start();
      Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
      MessageProducer producer = session.createProducer(null);
      producer.send(session.createQueue("new-one"), session.createTextMessage("a"));
      producer.send(session.createQueue("orders"), session.createTextMessage("b"));
      MessageConsumer consumer = session.createConsumer(session.createQueue("new-one"));
      assertThat(((TextMessage) consumer.receive(5000)).getText()).isEqualTo("a");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PLAIN", "SCRAM-SHA-256"})
  void shouldLetInOnlyWhoKnowsThePassword(String mechanism) throws Exception {
    broker.withUser(io.amphora.core.topology.ScramPassword.create("ada", "admin", "secret"));
    JmsConnectionFactory factory =
        new JmsConnectionFactory("amqp://127.0.0.1:" + port + "?amqp.saslMechanisms=" + mechanism);
    try (Connection right = factory.createConnection("ada", "secret")) {
      right.start();
    }
    for (String user : List.of("ada", "eve")) {
      assertThatThrownBy(() -> factory.createConnection(user, "wrong").start())
          .isInstanceOf(jakarta.jms.JMSSecurityException.class);
    }
  }

  @Test
  void shouldFailToListenOnATakenPort() {
    AmqpOptions options =
        new AmqpOptions(
            "127.0.0.1", port, true, true, AmqpOptions.Limits.DEFAULT, Optional.empty());
    Vertx other = Vertx.vertx();
    Context context = ((VertxInternal) other).createEventLoopContext();
    ConnectionLoop loop = new ConnectionLoop(context, new VertxLoop(other, context));
    AmqpServer second = new AmqpServer(other, List.of(loop), broker);
    assertThatThrownBy(
            () ->
                second
                    .listen(options)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(10, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(java.net.BindException.class);
    other.close();
  }

  @Test
  void shouldTellClientsThatTheBrokerStops() throws Exception {
    try (Connection connection = connect("")) {
      java.util.concurrent.CompletableFuture<String> told =
          new java.util.concurrent.CompletableFuture<>();
      connection.setExceptionListener(e -> told.complete(e.getMessage()));
      connection.start();
      rig.server.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
      assertThat(told.get(10, TimeUnit.SECONDS)).contains("the broker stops");
    }
  }

  @Test
  void shouldServeATopicToSubscribersThatAreThere() throws Exception {
    try (Connection connection = connect("")) {
      connection.start();
      Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
      MessageProducer producer = session.createProducer(session.createTopic("orders"));
      producer.send(session.createTextMessage("early"));
      MessageConsumer one = session.createConsumer(session.createTopic("orders"));
      MessageConsumer two = session.createConsumer(session.createTopic("orders"));
      producer.send(session.createTextMessage("late"));
      assertThat(((TextMessage) one.receive(5000)).getText()).isEqualTo("late");
      assertThat(((TextMessage) two.receive(5000)).getText()).isEqualTo("late");
    }
  }

  @Test
  void shouldRedeliverAfterRecoverWithACount() throws Exception {
    try (Connection connection = connect("")) {
      connection.start();
      Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
      session.createProducer(session.createQueue("orders")).send(session.createTextMessage("x"));
      MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
      assertThat(consumer.receive(5000)).isNotNull();
      session.close();
      Session again = connection.createSession(Session.AUTO_ACKNOWLEDGE);
      TextMessage message =
          (TextMessage) again.createConsumer(again.createQueue("orders")).receive(5000);
      assertThat(message.getText()).isEqualTo("x");
      assertThat(message.getJMSRedelivered()).isTrue();
    }
  }
}
