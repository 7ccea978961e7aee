package io.amphora.boot.jms;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies and properties of every type that JMS has arrive as they were sent. */
class MessageTypesIT extends JmsSuite {

  private <M extends Message> M roundTrip(M sent, Class<M> type) throws JMSException {
    try (MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue)) {
      producer.send(sent);
      Message received = message(consumer);
      assertThat(received).isInstanceOf(type);
      assertThat(received.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
      return type.cast(received);
    }
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(strings = {"a", "snow \u2603 \ud83d\ude00", "line\nline\0end"})
  void shouldCarryText(String text) throws JMSException {
    assertThat(roundTrip(session.createTextMessage(text), TextMessage.class).getText())
        .isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 255, 256, 65_536, 300_000, 3_000_000})
  void shouldCarryBytes(int size) throws JMSException {
    byte[] body = new byte[size];
    new Random(size).nextBytes(body);
    BytesMessage sent = session.createBytesMessage();
    sent.writeBytes(body);
    BytesMessage received = roundTrip(sent, BytesMessage.class);
    byte[] actual = new byte[(int) received.getBodyLength()];
    received.readBytes(actual);
    assertThat(actual).isEqualTo(body);
  }

  static Stream<Object> values() {
    return Stream.of(
        true,
        (byte) -1,
        (short) -300,
        'x',
        Integer.MIN_VALUE,
        Long.MAX_VALUE,
        0.5f,
        Double.MIN_VALUE,
        "text",
        new byte[] {1, 2, 3});
  }

  @ParameterizedTest
  @MethodSource("values")
  void shouldCarryAMapOf(Object value) throws JMSException {
    MapMessage sent = session.createMapMessage();
    sent.setObject("key", value);
    sent.setObject("none", null);
    MapMessage received = roundTrip(sent, MapMessage.class);
    assertThat(received.getObject("key")).isEqualTo(value).hasSameClassAs(value);
    assertThat(received.itemExists("none")).isTrue();
    assertThat(received.getObject("none")).isNull();
    assertThat(received.itemExists("other")).isFalse();
  }

  @ParameterizedTest
  @MethodSource("values")
  void shouldCarryAStreamOf(Object value) throws JMSException {
    StreamMessage sent = session.createStreamMessage();
    sent.writeObject(value);
    sent.writeObject(null);
    StreamMessage received = roundTrip(sent, StreamMessage.class);
    assertThat(received.readObject()).isEqualTo(value).hasSameClassAs(value);
    assertThat(received.readObject()).isNull();
  }

  static Stream<Serializable> objects() {
    return Stream.of("text", 42, UUID.fromString("0-0-0-0-7"), new ArrayList<>(List.of("a", "b")));
  }

  @ParameterizedTest
  @MethodSource("objects")
  void shouldCarryAnObject(Serializable value) throws JMSException {
    try (var trusting = connection("", "&jms.deserializationPolicy.allowList=*")) {
      var own = trusting.createSession(false, 1);
      own.createProducer(queue).send(own.createObjectMessage(value));
      ObjectMessage received = (ObjectMessage) message(own.createConsumer(queue));
      assertThat(received.getObject()).isEqualTo(value);
    }
  }

  @Test
  void shouldCarryAMessageWithoutABody() throws JMSException {
    Message received = roundTrip(session.createMessage(), Message.class);
    assertThat(received)
        .isNotInstanceOfAny(TextMessage.class, BytesMessage.class, MapMessage.class);
  }

  static Stream<Object> properties() {
    return values().filter(value -> !(value instanceof byte[]) && !(value instanceof Character));
  }

  @ParameterizedTest
  @MethodSource("properties")
  void shouldCarryAPropertyOf(Object value) throws JMSException {
    Message sent = session.createMessage();
    sent.setObjectProperty("some_property", value);
    Message received = roundTrip(sent, Message.class);
    assertThat(received.getObjectProperty("some_property")).isEqualTo(value).hasSameClassAs(value);
  }

  @Test
  void shouldCarryManyPropertiesAndNullOnes() throws JMSException {
    Message sent = session.createMessage();
    for (int i = 0; i < 200; i++) {
      sent.setIntProperty("p" + i, i);
    }
    sent.setStringProperty("nothing", null);
    Message received = roundTrip(sent, Message.class);
    assertThat(Collections.list(received.getPropertyNames()).stream().map(String::valueOf))
        .contains("p0", "p199", "nothing");
    assertThat(received.getIntProperty("p7")).isEqualTo(7);
    assertThat(received.getObjectProperty("nothing")).isNull();
  }

  @Test
  void shouldForwardAReceivedMessageWithItsProperties() throws JMSException {
    TextMessage sent = session.createTextMessage("round");
    sent.setStringProperty("kept", "yes");
    TextMessage first = roundTrip(sent, TextMessage.class);
    TextMessage second = roundTrip(first, TextMessage.class);
    assertThat(second.getText()).isEqualTo("round");
    assertThat(second.getStringProperty("kept")).isEqualTo("yes");
  }

  @Test
  void shouldKeepTheOrderOfAStream() throws JMSException {
    StreamMessage sent = session.createStreamMessage();
    List<Object> all = values().toList();
    for (Object value : all) {
      sent.writeObject(value);
    }
    StreamMessage received = roundTrip(sent, StreamMessage.class);
    for (Object value : all) {
      assertThat(Arrays.deepToString(new Object[] {received.readObject()}))
          .isEqualTo(Arrays.deepToString(new Object[] {value}));
    }
  }
}
