package io.amphora.boot.jms;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Header fields, those that clients set and those that the broker does. */
class HeadersIT extends JmsSuite {

  private Message roundTrip(Message sent) throws JMSException {
    send(sent);
    try (MessageConsumer consumer = session.createConsumer(queue)) {
      return message(consumer);
    }
  }

  private void send(Message sent) throws JMSException {
    try (MessageProducer producer = session.createProducer(queue)) {
      producer.send(sent);
    }
  }

  /** The kinds of destinations that a message can name. */
  enum Kind {
    QUEUE,
    TOPIC,
    TEMPORARY_QUEUE,
    TEMPORARY_TOPIC;

    Destination of(JmsSuite suite) throws JMSException {
      return switch (this) {
        case QUEUE -> suite.queue;
        case TOPIC -> suite.topic;
        case TEMPORARY_QUEUE -> suite.session.createTemporaryQueue();
        case TEMPORARY_TOPIC -> suite.session.createTemporaryTopic();
      };
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void shouldKeepTheKindOfReplyTo(Kind kind) throws JMSException {
    Destination replies = kind.of(this);
    Message sent = session.createMessage();
    sent.setJMSReplyTo(replies);
    Destination received = roundTrip(sent).getJMSReplyTo();
    assertThat(received).isEqualTo(replies).hasSameClassAs(replies);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void shouldNameTheDestination(Kind kind) throws JMSException {
    Destination to = kind.of(this);
    MessageConsumer consumer = session.createConsumer(to);
    session.createProducer(to).send(session.createMessage());
    assertThat(message(consumer).getJMSDestination()).isEqualTo(to).hasSameClassAs(to);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
  void shouldCarryThePriority(int priority) throws JMSException {
    MessageProducer producer = session.createProducer(queue);
    producer.setPriority(priority);
    producer.send(session.createMessage());
    assertThat(message(session.createConsumer(queue)).getJMSPriority()).isEqualTo(priority);
  }

  @ParameterizedTest
  @ValueSource(ints = {DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT})
  void shouldCarryTheDeliveryMode(int mode) throws JMSException {
    MessageProducer producer = session.createProducer(queue);
    producer.setDeliveryMode(mode);
    producer.send(session.createMessage());
    assertThat(message(session.createConsumer(queue)).getJMSDeliveryMode()).isEqualTo(mode);
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "corr-\u00e9", "ID:AMQP_NO_PREFIX:own", "ID:AMQP_ULONG:77"})
  void shouldCarryACorrelationId(String id) throws JMSException {
    Message sent = session.createMessage();
    sent.setJMSCorrelationID(id);
    assertThat(roundTrip(sent).getJMSCorrelationID()).isEqualTo(id);
  }

  @Test
  void shouldCarryACorrelationIdOfBytes() throws JMSException {
    Message sent = session.createMessage();
    byte[] id = "bytes".getBytes(StandardCharsets.UTF_8);
    sent.setJMSCorrelationIDAsBytes(id);
    assertThat(roundTrip(sent).getJMSCorrelationIDAsBytes()).isEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(strings = {"STRING", "UUID", "UUID_STRING", "PREFIXED_UUID_STRING"})
  void shouldKeepAMessageIdOfEachType(String type) throws JMSException {
    Connection other = connection("", "&jms.messageIDPolicy.messageIDType=" + type);
    Session own = other.createSession(false, Session.AUTO_ACKNOWLEDGE);
    Message sent = own.createMessage();
    own.createProducer(queue).send(sent);
    Message received = message(session.createConsumer(queue));
    assertThat(received.getJMSMessageID()).startsWith("ID:").isEqualTo(sent.getJMSMessageID());
  }

  @Test
  void shouldCarryTheType() throws JMSException {
    Message sent = session.createMessage();
    sent.setJMSType("type-\u00df");
    assertThat(roundTrip(sent).getJMSType()).isEqualTo("type-\u00df");
  }

  @Test
  void shouldCarryTheGroup() throws JMSException {
    Message sent = session.createMessage();
    sent.setStringProperty("JMSXGroupID", "g");
    sent.setIntProperty("JMSXGroupSeq", 5);
    Message received = roundTrip(sent);
    assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("g");
    assertThat(received.getIntProperty("JMSXGroupSeq")).isEqualTo(5);
  }

  @Test
  void shouldCarryTheTimestamp() throws JMSException {
    Message sent = session.createMessage();
    Message received = roundTrip(sent);
    assertThat(received.getJMSTimestamp()).isPositive().isEqualTo(sent.getJMSTimestamp());
    assertThat(received.getJMSDeliveryTime()).isEqualTo(received.getJMSTimestamp());
  }

  @Test
  void shouldLeaveOutWhatTheProducerSwitchesOff() throws JMSException {
    MessageProducer producer = session.createProducer(queue);
    producer.setDisableMessageID(true);
    producer.setDisableMessageTimestamp(true);
    producer.send(session.createMessage());
    Message received = message(session.createConsumer(queue));
    assertThat(received.getJMSMessageID()).isNull();
    assertThat(received.getJMSTimestamp()).isZero();
  }

  @Test
  void shouldSayThatItIsTheFirstDelivery() throws JMSException {
    Message received = roundTrip(session.createMessage());
    assertThat(received.getJMSRedelivered()).isFalse();
    assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
  }

  @Test
  void shouldCarryTheUserWhenTheClientSetsIt() throws JMSException {
    Connection other = connection("", "&jms.populateJMSXUserID=true&jms.username=alice");
    Session own = other.createSession(false, Session.AUTO_ACKNOWLEDGE);
    own.createProducer(queue).send(own.createMessage());
    assertThat(message(session.createConsumer(queue)).getStringProperty("JMSXUserID"))
        .isEqualTo("alice");
  }
}
