package io.amphora.boot.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The simplified interface. */
class ContextIT extends JmsSuite {

  private JMSContext context;

  @BeforeEach
  void context() {
    context = factory(SuiteBroker.broker(), "").createContext(JMSContext.CLIENT_ACKNOWLEDGE);
  }

  @AfterEach
  void closeContext() {
    context.close();
  }

  @Test
  void shouldSendAndReceiveBodies() {
    context.createProducer().setProperty("p", 7).setPriority(9).send(queue, "text");
    context.createProducer().send(queue, new byte[] {1, 2});
    context.createProducer().send(queue, Map.of("key", 42));
    JMSConsumer consumer = context.createConsumer(queue);
    assertThat(consumer.receiveBody(String.class, LIMIT_MILLIS)).isEqualTo("text");
    assertThat(consumer.receiveBody(byte[].class, LIMIT_MILLIS)).containsExactly(1, 2);
    assertThat(consumer.receiveBody(Map.class, LIMIT_MILLIS)).containsEntry("key", 42);
    context.acknowledge();
    assertThat(consumer.receiveNoWait()).isNull();
  }

  @Test
  void shouldRecoverAndAcknowledge() throws Exception {
    context.createProducer().send(queue, "again");
    JMSConsumer consumer = context.createConsumer(queue);
    assertThat(consumer.receive(LIMIT_MILLIS)).isNotNull();
    context.recover();
    Message second = consumer.receive(LIMIT_MILLIS);
    assertThat(second.getJMSRedelivered()).isTrue();
    context.acknowledge();
    assertEmpty(session.createConsumer(queue));
  }

  @Test
  void shouldShareASubscription() {
    String name = anyClientId();
    JMSConsumer a = context.createSharedDurableConsumer(topic, name);
    context.createProducer().send(topic, "shared");
    assertThat(a.receiveBody(String.class, LIMIT_MILLIS)).isEqualTo("shared");
    context.acknowledge();
    a.close();
    context.unsubscribe(name);
    assertThatThrownBy(() -> context.unsubscribe(name))
        .isInstanceOf(InvalidDestinationRuntimeException.class);
  }

  @Test
  void shouldSubscribeDurably() {
    try (JMSContext own = factory(SuiteBroker.broker(), "").createContext()) {
      own.setClientID(anyClientId());
      own.createDurableConsumer(topic, "sub").close();
      context.createProducer().send(topic, "kept");
      JMSConsumer again = own.createDurableConsumer(topic, "sub");
      assertThat(again.receiveBody(String.class, LIMIT_MILLIS)).isEqualTo("kept");
    }
  }

  @Test
  void shouldMakeFurtherContextsOfOneConnection() {
    try (JMSContext second = context.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
      second.createProducer().send(queue, "m");
    }
    JMSConsumer consumer = context.createConsumer(queue);
    assertThat(consumer.receiveBody(String.class, LIMIT_MILLIS)).isEqualTo("m");
  }
}
