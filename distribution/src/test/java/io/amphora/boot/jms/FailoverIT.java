package io.amphora.boot.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.boot.it.BrokerProcess;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.jms.JmsConnection;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code failover:} goes on over a restart of the broker, and over its death. */
@Tag("interop")
class FailoverIT {

  private static final long LIMIT_SECONDS = 120;

  @TempDir private Path data;
  private BrokerProcess broker;
  private int port;
  private Connection connection;
  private Restored restored;

  @BeforeEach
  void start() throws Exception {
    broker = BrokerProcess.serving(data);
    port = broker.amqpPort();
  }

  @AfterEach
  void stop() throws Exception {
    if (connection != null) {
      connection.close();
    }
    broker.close();
  }

  private Connection connect(String clientId) throws JMSException {
    JmsConnectionFactory factory =
        new JmsConnectionFactory(
            "failover:(amqp://127.0.0.1:%d)?failover.reconnectDelay=50&jms.prefetchPolicy.all=10"
                .formatted(port));
    connection = factory.createConnection();
    if (!clientId.isEmpty()) {
      connection.setClientID(clientId);
    }
    restored = new Restored();
    ((JmsConnection) connection).addConnectionListener(restored);
    connection.start();
    return connection;
  }

  private void again(boolean killed) throws Exception {
    if (killed) {
      broker.kill();
    } else {
      assertThat(broker.terminate()).isZero();
    }
    broker = BrokerProcess.serving(data, "--set", "listeners.amqp.port=" + port);
    assertThat(restored.await(LIMIT_SECONDS)).as("restored").isTrue();
  }

  private static Message message(MessageConsumer consumer) throws JMSException {
    Message message = consumer.receive(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
    assertThat(message).isNotNull();
    return message;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldDeliverAgainWhatWasNotAcknowledged(boolean killed) throws Exception {
    Session own = connect("").createSession(false, Session.CLIENT_ACKNOWLEDGE);
    Queue queue = own.createQueue("q");
    MessageProducer producer = own.createProducer(queue);
    for (int i = 0; i < 4; i++) {
      producer.send(own.createTextMessage("m" + i));
    }
    MessageConsumer consumer = own.createConsumer(queue);
    message(consumer).acknowledge();
    message(consumer);
    again(killed);
    Set<String> left = new HashSet<>();
    while (left.size() < 3) {
      Message next = message(consumer);
      left.add(next.getBody(String.class));
      next.acknowledge();
    }
    // An acknowledgement that was not journaled when it died may be forgotten.
    assertThat(left).contains("m1", "m2", "m3");
    assertThat(consumer.receiveNoWait()).isNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldSendAgainWhatWasNotAnswered(boolean killed) throws Exception {
    Session own = connect("").createSession(false, Session.AUTO_ACKNOWLEDGE);
    Queue queue = own.createQueue("q");
    CountDownLatch some = new CountDownLatch(20);
    CompletableFuture<List<String>> sent =
        CompletableFuture.supplyAsync(() -> sendUntilRestored(own, queue, some));
    assertThat(some.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    again(killed);
    List<String> accepted = sent.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    MessageConsumer consumer = own.createConsumer(queue);
    Set<String> received = new HashSet<>();
    for (Message next = message(consumer); next != null; next = consumer.receive(500)) {
      received.add(((TextMessage) next).getText());
    }
    assertThat(received).containsAll(accepted);
  }

  private List<String> sendUntilRestored(Session own, Queue queue, CountDownLatch some) {
    List<String> accepted = new ArrayList<>();
    try (MessageProducer producer = own.createProducer(queue)) {
      for (int i = 0; !restored.is() || i < 40; i++) {
        try {
          producer.send(own.createTextMessage("m" + i));
          accepted.add("m" + i);
        } catch (JMSException e) {
          // Its fate is unknown, and the application is told so.
        }
        some.countDown();
      }
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
    return accepted;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldKeepDurableSubscriptionsAndClientIds(boolean killed) throws Exception {
    Session own = connect("app").createSession(false, Session.AUTO_ACKNOWLEDGE);
    Topic topic = own.createTopic("t");
    MessageConsumer consumer = own.createDurableConsumer(topic, "sub");
    own.createDurableConsumer(topic, "away").close();
    own.createProducer(topic).send(own.createTextMessage("before"));
    assertThat(message(consumer).getBody(String.class)).isEqualTo("before");
    again(killed);
    own.createProducer(topic).send(own.createTextMessage("after"));
    Message next = message(consumer);
    while (next.getBody(String.class).equals("before")) {
      next = message(consumer);
    }
    assertThat(next.getBody(String.class)).isEqualTo("after");
    MessageConsumer away = own.createDurableConsumer(topic, "away");
    assertThat(message(away).getBody(String.class)).isEqualTo("before");
    assertThat(message(away).getBody(String.class)).isEqualTo("after");
    away.close();
    own.unsubscribe("away");
  }

  @Test
  void shouldNotRememberASubscriptionThatWasUnsubscribed() throws Exception {
    Session own = connect("app").createSession(false, Session.AUTO_ACKNOWLEDGE);
    Topic topic = own.createTopic("t");
    own.createDurableConsumer(topic, "sub").close();
    own.createProducer(topic).send(own.createTextMessage("before"));
    own.unsubscribe("sub");
    again(true);
    MessageConsumer consumer = own.createDurableConsumer(topic, "sub");
    assertThat(consumer.receiveNoWait()).isNull();
  }

  @Test
  void shouldGoOnWithAListenerAndATemporaryQueue() throws Exception {
    Session own = connect("").createSession(false, Session.AUTO_ACKNOWLEDGE);
    Queue queue = own.createTemporaryQueue();
    CountDownLatch heard = new CountDownLatch(1);
    own.createConsumer(queue).setMessageListener(message -> heard.countDown());
    again(false);
    Session sender = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    sender.createProducer(queue).send(sender.createMessage());
    assertThat(heard.await(LIMIT_SECONDS, TimeUnit.SECONDS)).as("heard").isTrue();
  }
}
