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
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** A connection, a session, a queue and a topic of its own for each test of the suite. */
@Tag("interop")
@ExtendWith(SuiteBroker.class)
abstract class JmsSuite {

  /** For what must come. */
  static final long LIMIT_MILLIS = 20_000;

  Connection connection;
  Session session;
  Queue queue;
  Topic topic;
  private final List<Connection> others = new ArrayList<>();

  @BeforeEach
  void connect() throws JMSException {
    connection = connection("", "");
    session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    queue = session.createQueue("q-" + UUID.randomUUID());
    topic = session.createTopic("t-" + UUID.randomUUID());
  }

  @AfterEach
  void disconnect() throws JMSException {
    for (Connection other : others) {
      other.close();
    }
  }

  static JmsConnectionFactory factory(BrokerProcess broker, String options) {
    JmsConnectionFactory factory =
        new JmsConnectionFactory(
            "amqp://127.0.0.1:" + broker.amqpPort() + "?amqp.idleTimeout=30000" + options);
    factory.setSendTimeout(LIMIT_MILLIS);
    factory.setRequestTimeout(LIMIT_MILLIS);
    return factory;
  }

  /**
   * A started connection, closed with the test.
   *
   * @param clientId "" for none
   * @param options further ones of the client's URI, each with an ampersand in front
   */
  final Connection connection(String clientId, String options) throws JMSException {
    Connection made = factory(SuiteBroker.broker(), options).createConnection();
    others.add(made);
    if (!clientId.isEmpty()) {
      made.setClientID(clientId);
    }
    made.start();
    return made;
  }

  /** An own client id for each test that needs some. */
  static String anyClientId() {
    return "client-" + UUID.randomUUID();
  }

  static void send(Session session, jakarta.jms.Destination to, String... texts)
      throws JMSException {
    try (MessageProducer producer = session.createProducer(to)) {
      for (String text : texts) {
        producer.send(session.createTextMessage(text));
      }
    }
  }

  /** The next message's text; fails when none comes. */
  static String text(MessageConsumer consumer) throws JMSException {
    return ((TextMessage) message(consumer)).getText();
  }

  static Message message(MessageConsumer consumer) throws JMSException {
    Message message = consumer.receive(LIMIT_MILLIS);
    assertThat(message).as("a message").isNotNull();
    return message;
  }

  /** The texts of the next messages. */
  static List<String> texts(MessageConsumer consumer, int count) throws JMSException {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(text(consumer));
    }
    return texts;
  }

  /** Nothing is there: the drain behind it is answered by the broker. */
  static void assertEmpty(MessageConsumer consumer) throws JMSException {
    Message message = consumer.receiveNoWait();
    assertThat(message == null ? null : message.getBody(Object.class)).isNull();
  }

  static String[] numbered(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toArray(String[]::new);
  }
}
