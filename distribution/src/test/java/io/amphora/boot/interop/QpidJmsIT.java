package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.boot.it.BrokerProcess;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application on Qpid JMS expects of a queue. */
@Tag("interop")
class QpidJmsIT {

  private static final long TIMEOUT_MILLIS = 20_000;

  @TempDir static Path dir;
  private static BrokerProcess broker;

  private Connection connection;
  private Session session;
  private Queue queue;

  @BeforeAll
  static void startBroker() throws Exception {
    broker = BrokerProcess.serving(dir.resolve("data"));
  }

  @AfterAll
  static void stopBroker() throws Exception {
    broker.close();
  }

  @BeforeEach
  void connect() throws JMSException {
    connection = connect(broker, "");
    session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    queue = session.createQueue("jms-" + UUID.randomUUID());
  }

  @AfterEach
  void disconnect() throws JMSException {
    connection.close();
  }

  static Connection connect(BrokerProcess broker, String options) throws JMSException {
    JmsConnectionFactory factory =
        new JmsConnectionFactory(
            "amqp://127.0.0.1:" + broker.amqpPort() + "?amqp.idleTimeout=30000" + options);
    factory.setSendTimeout(TIMEOUT_MILLIS);
    factory.setRequestTimeout(TIMEOUT_MILLIS);
    Connection connection = factory.createConnection();
    connection.start();
    return connection;
  }

  private <M extends Message> M roundTrip(M sent, Class<M> type) throws JMSException {
    try (MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue)) {
      producer.send(sent);
      Message received = consumer.receive(TIMEOUT_MILLIS);
      assertThat(received).isInstanceOf(type);
      assertThat(received.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
      return type.cast(received);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1024, 65_536, 1 << 20})
  void shouldCarryBytesOfEverySize(int size) throws JMSException {
    byte[] body = new byte[size];
    new Random(size).nextBytes(body);
    BytesMessage sent = session.createBytesMessage();
    sent.writeBytes(body);

    BytesMessage received = roundTrip(sent, BytesMessage.class);

    byte[] actual = new byte[(int) received.getBodyLength()];
    received.readBytes(actual);
    assertThat(actual).isEqualTo(body);
  }

  @Test
  void shouldCarryTextWithUnicodeProperties() throws JMSException {
    TextMessage sent = session.createTextMessage("snow \u2603 \ud83d\ude00");
    sent.setStringProperty("pr\u00f6p", "\u4e2d\u6587");
    sent.setLongProperty("long", Long.MIN_VALUE);
    sent.setIntProperty("int", -1);
    sent.setByteProperty("byte", (byte) -1);
    sent.setShortProperty("short", (short) -2);
    sent.setBooleanProperty("bool", true);
    sent.setDoubleProperty("double", 0.1);
    sent.setFloatProperty("float", 0.5f);
    sent.setJMSCorrelationID("corr-\u00e9");
    sent.setJMSType("type-\u00df");
    sent.setJMSReplyTo(session.createQueue("reply-here"));

    TextMessage received = roundTrip(sent, TextMessage.class);

    assertThat(received.getText()).isEqualTo(sent.getText());
    assertThat(received.getStringProperty("pr\u00f6p")).isEqualTo("\u4e2d\u6587");
    assertThat(received.getLongProperty("long")).isEqualTo(Long.MIN_VALUE);
    assertThat(received.getIntProperty("int")).isEqualTo(-1);
    assertThat(received.getByteProperty("byte")).isEqualTo((byte) -1);
    assertThat(received.getShortProperty("short")).isEqualTo((short) -2);
    assertThat(received.getBooleanProperty("bool")).isTrue();
    assertThat(received.getDoubleProperty("double")).isEqualTo(0.1);
    assertThat(received.getFloatProperty("float")).isEqualTo(0.5f);
    assertThat(received.getJMSCorrelationID()).isEqualTo("corr-\u00e9");
    assertThat(received.getJMSType()).isEqualTo("type-\u00df");
    assertThat(received.getJMSReplyTo()).isEqualTo(sent.getJMSReplyTo());
  }

  @Test
  void shouldCarryMapStreamAndObject() throws JMSException {
    MapMessage map = session.createMapMessage();
    map.setString("k", "v");
    map.setBytes("b", new byte[] {1, 2});
    assertThat(roundTrip(map, MapMessage.class).getBytes("b")).containsExactly(1, 2);

    StreamMessage stream = session.createStreamMessage();
    stream.writeInt(42);
    stream.writeString("s");
    StreamMessage streamed = roundTrip(stream, StreamMessage.class);
    assertThat(streamed.readInt()).isEqualTo(42);
    assertThat(streamed.readString()).isEqualTo("s");

    ObjectMessage object = session.createObjectMessage(UUID.fromString("0-0-0-0-7"));
    assertThat(roundTrip(object, ObjectMessage.class).getObject())
        .hasToString("00000000-0000-0000-0000-000000000007");

    assertThat(roundTrip(session.createMessage(), Message.class).getJMSDeliveryMode()).isEqualTo(2);
  }

  @Test
  void shouldAnswerReceiveNoWaitAtOnce() throws JMSException {
    MessageConsumer consumer = session.createConsumer(queue);
    assertThat(consumer.receiveNoWait()).isNull();
    session.createProducer(queue).send(session.createTextMessage("one"));
    assertThat(consumer.receive(TIMEOUT_MILLIS)).isNotNull();
    assertThat(consumer.receiveNoWait()).isNull();
  }

  @Test
  void shouldRedeliverAfterRecoverAndCountIt() throws JMSException {
    Session clientAck = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
    session.createProducer(queue).send(session.createTextMessage("again"));
    MessageConsumer consumer = clientAck.createConsumer(queue);
    Message first = consumer.receive(TIMEOUT_MILLIS);
    assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    clientAck.recover();
    Message second = consumer.receive(TIMEOUT_MILLIS);
    assertThat(second.getJMSRedelivered()).isTrue();
    assertThat(second.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    second.acknowledge();
  }

  private void shouldKeepOrder(String options) throws JMSException {
    try (Connection other = connect(broker, options)) {
      Session own = other.createSession(false, Session.AUTO_ACKNOWLEDGE);
      MessageProducer producer = own.createProducer(queue);
      MessageConsumer consumer = own.createConsumer(queue);
      for (int i = 0; i < 20; i++) {
        producer.send(own.createTextMessage("m" + i));
      }
      for (int i = 0; i < 20; i++) {
        assertThat(((TextMessage) consumer.receive(TIMEOUT_MILLIS)).getText()).isEqualTo("m" + i);
      }
      assertThat(consumer.receiveNoWait()).isNull();
    }
  }

  @Test
  void shouldKeepOrderWithAPrefetchOfOne() throws JMSException {
    shouldKeepOrder("&jms.prefetchPolicy.all=1");
  }

  @Test
  void shouldTakeAndGiveSettledMessages() throws JMSException {
    shouldKeepOrder("&jms.presettlePolicy.presettleAll=true");
  }

  @Test
  void shouldShareOneQueueBetweenTwoConnections() throws JMSException {
    int count = 200;
    try (Connection other = connect(broker, "&jms.prefetchPolicy.all=10")) {
      Session otherSession = other.createSession(false, Session.AUTO_ACKNOWLEDGE);
      List<String> seen = new ArrayList<>();
      try (Connection third = connect(broker, "&jms.prefetchPolicy.all=10")) {
        Session thirdSession = third.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer a = otherSession.createConsumer(queue);
        MessageConsumer b = thirdSession.createConsumer(queue);
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < count; i++) {
          producer.send(session.createTextMessage("m" + i));
        }
        int fromA = 0;
        int fromB = 0;
        while (fromA + fromB < count) {
          Message m = a.receive(10);
          if (m != null) {
            seen.add(((TextMessage) m).getText());
            fromA++;
          }
          m = b.receive(10);
          if (m != null) {
            seen.add(((TextMessage) m).getText());
            fromB++;
          }
        }
        assertThat(fromA).isPositive();
        assertThat(fromB).isPositive();
      }
      assertThat(seen).hasSize(count).doesNotHaveDuplicates();
    }
  }

  @Test
  void shouldGiveEachTopicSubscriberEveryMessage() throws JMSException {
    var topic = session.createTopic("jms-topic-" + UUID.randomUUID());
    MessageConsumer a = session.createConsumer(topic);
    MessageConsumer b = session.createConsumer(topic);
    session.createProducer(topic).send(session.createTextMessage("to all"));
    assertThat(((TextMessage) a.receive(TIMEOUT_MILLIS)).getText()).isEqualTo("to all");
    assertThat(((TextMessage) b.receive(TIMEOUT_MILLIS)).getText()).isEqualTo("to all");
  }

  @Test
  void shouldSendThroughAnAnonymousProducer() throws JMSException {
    MessageProducer anonymous = session.createProducer(null);
    anonymous.send(queue, session.createTextMessage("by address"));
    MessageConsumer consumer = session.createConsumer(queue);
    assertThat(((TextMessage) consumer.receive(TIMEOUT_MILLIS)).getText()).isEqualTo("by address");
  }

  private List<String> browse() throws JMSException {
    List<String> texts = new ArrayList<>();
    try (QueueBrowser browser = session.createBrowser(queue)) {
      Enumeration<?> messages = browser.getEnumeration();
      while (messages.hasMoreElements()) {
        texts.add(((TextMessage) messages.nextElement()).getText());
      }
    }
    return texts;
  }

  @Test
  void shouldBrowseWhatTheQueueHoldsAndTakeNothing() throws JMSException {
    assertThat(browse()).isEmpty();
    MessageProducer producer = session.createProducer(queue);
    for (int i = 0; i < 5; i++) {
      producer.send(session.createTextMessage("m" + i));
    }
    assertThat(browse()).containsExactly("m0", "m1", "m2", "m3", "m4");
    try (MessageConsumer consumer = session.createConsumer(queue)) {
      assertThat(((TextMessage) consumer.receive(TIMEOUT_MILLIS)).getText()).isEqualTo("m0");
    }
    assertThat(browse()).containsExactly("m1", "m2", "m3", "m4");
    try (MessageConsumer consumer = session.createConsumer(queue)) {
      assertThat(((TextMessage) consumer.receive(TIMEOUT_MILLIS)).getText()).isEqualTo("m1");
    }
  }

  private void requestAndReply(Destination replies) throws JMSException {
    MessageConsumer answers = session.createConsumer(replies);
    Message request = session.createTextMessage("question");
    request.setJMSReplyTo(replies);
    session.createProducer(queue).send(request);
    try (Connection other = connect(broker, "")) {
      Session server = other.createSession(false, Session.AUTO_ACKNOWLEDGE);
      Message asked = server.createConsumer(queue).receive(TIMEOUT_MILLIS);
      Message reply = server.createTextMessage("answer");
      reply.setJMSCorrelationID(asked.getJMSMessageID());
      server.createProducer(asked.getJMSReplyTo()).send(reply);
    }
    Message answer = answers.receive(TIMEOUT_MILLIS);
    assertThat(((TextMessage) answer).getText()).isEqualTo("answer");
    assertThat(answer.getJMSCorrelationID()).isEqualTo(request.getJMSMessageID());
    answers.close();
  }

  @Test
  void shouldAnswerOverATemporaryQueue() throws JMSException {
    TemporaryQueue replies = session.createTemporaryQueue();
    requestAndReply(replies);
    replies.delete();
    Queue gone = session.createQueue(replies.getQueueName());
    long deadline = System.nanoTime() + TIMEOUT_MILLIS * 1_000_000;
    while (isKnown(gone)) {
      assertThat(System.nanoTime() - deadline).as("the topic is deleted").isNegative();
    }
  }

  /** The broker deletes a temporary topic after it has answered the detach. */
  private boolean isKnown(Queue address) throws JMSException {
    try {
      session.createProducer(address).close();
      return true;
    } catch (InvalidDestinationException e) {
      return false;
    }
  }

  @Test
  void shouldAnswerOverATemporaryTopic() throws JMSException {
    requestAndReply(session.createTemporaryTopic());
  }

  @Test
  void shouldSendALotAsynchronously() throws Exception {
    int count = 5_000;
    MessageProducer producer = session.createProducer(queue);
    Completions completions = new Completions(count);
    for (int i = 0; i < count; i++) {
      producer.send(session.createTextMessage("m" + i), completions);
    }
    completions.await(TIMEOUT_MILLIS);
    MessageConsumer consumer = session.createConsumer(queue);
    for (int i = 0; i < count; i++) {
      assertThat(((TextMessage) consumer.receive(TIMEOUT_MILLIS)).getText()).isEqualTo("m" + i);
    }
  }

  @Test
  void shouldRefuseAnUnknownQueueWhenTopicsAreNotCreated() throws Exception {
    try (BrokerProcess strict =
            BrokerProcess.serving(dir.resolve("strict"), "--set", "topics.auto-create=false");
        Connection other = connect(strict, "")) {
      Session otherSession = other.createSession(false, Session.AUTO_ACKNOWLEDGE);
      Queue unknown = otherSession.createQueue("unknown");
      assertThatThrownBy(() -> otherSession.createConsumer(unknown))
          .isInstanceOf(InvalidDestinationException.class);
      assertThatThrownBy(() -> otherSession.createProducer(unknown))
          .isInstanceOf(InvalidDestinationException.class);
    }
  }
}
