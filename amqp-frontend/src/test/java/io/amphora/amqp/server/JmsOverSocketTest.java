package io.amphora.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real client through a real socket, against a broker in memory. */
@Timeout(30)
class JmsOverSocketTest {

  private final Vertx vertx = Vertx.vertx();
  private FakeBroker broker;
  private AmqpServer server;
  private int port;

  @BeforeEach
  void start() throws Exception {
    Context home = ((VertxInternal) vertx).createEventLoopContext();
    broker = new FakeBroker(new VertxLoop(vertx, home)).withTopic("orders", 1);
    List<ConnectionLoop> loops = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Context context = ((VertxInternal) vertx).createEventLoopContext();
      loops.add(new ConnectionLoop(context, new VertxLoop(vertx, context)));
    }
    AmqpOptions options = new AmqpOptions("127.0.0.1", 0, true, true, AmqpOptions.Limits.DEFAULT);
    server = new AmqpServer(vertx, loops, broker, options);
    port = server.listen().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  @AfterEach
  void stop() throws Exception {
    server.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
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
}
