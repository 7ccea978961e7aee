package io.amphora.boot.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Time to live. The client's own check is off: it is the broker that must not deliver. */
class ExpirationIT extends JmsSuite {

  private Session own;

  @BeforeEach
  void withoutTheClientsCheck() throws JMSException {
    own =
        connection("", "&jms.localMessageExpiry=false")
            .createSession(false, Session.AUTO_ACKNOWLEDGE);
  }

  /** Sends one that is over when this returns. */
  private void sendExpired(Destination to) throws JMSException {
    Message sent = own.createTextMessage("over");
    own.createProducer(to).send(sent, DeliveryMode.PERSISTENT, 4, 1);
    while (System.currentTimeMillis() <= sent.getJMSExpiration()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void shouldNotDeliverWhatIsOver() throws JMSException {
    sendExpired(queue);
    send(own, queue, "fresh");
    MessageConsumer consumer = own.createConsumer(queue);
    assertThat(text(consumer)).isEqualTo("fresh");
    assertEmpty(consumer);
  }

  @Test
  void shouldNotShowWhatIsOverToABrowser() throws JMSException {
    sendExpired(queue);
    send(own, queue, "fresh");
    try (QueueBrowser browser = own.createBrowser(queue)) {
      assertThat(java.util.Collections.list(browser.getEnumeration())).hasSize(1);
    }
  }

  @Test
  void shouldNotDeliverWhatExpiredWhileADurableSubscriberWasAway() throws JMSException {
    Session client = connection(anyClientId(), "&jms.localMessageExpiry=false").createSession();
    client.createDurableConsumer(topic, "sub").close();
    sendExpired(topic);
    send(own, topic, "fresh");
    assertThat(text(client.createDurableConsumer(topic, "sub"))).isEqualTo("fresh");
  }

  @ParameterizedTest
  @ValueSource(longs = {60_000, 86_400_000, 4_000_000_000L})
  void shouldCarryTheExpiration(long ttl) throws JMSException {
    MessageProducer producer = own.createProducer(queue);
    producer.setTimeToLive(ttl);
    Message sent = own.createMessage();
    producer.send(sent);
    assertThat(message(own.createConsumer(queue)).getJMSExpiration())
        .isEqualTo(sent.getJMSExpiration())
        .isGreaterThan(System.currentTimeMillis());
  }

  @Test
  void shouldKeepForEverWhatHasNone() throws JMSException {
    send(own, queue, "m");
    assertThat(message(own.createConsumer(queue)).getJMSExpiration()).isZero();
  }

  /** Not offered by the broker yet, so the client refuses instead of sending at once. */
  @Test
  void shouldRefuseADelay() throws JMSException {
    MessageProducer producer = own.createProducer(queue);
    producer.setDeliveryDelay(1000);
    assertThatThrownBy(() -> producer.send(own.createMessage())).isInstanceOf(JMSException.class);
    assertEmpty(own.createConsumer(queue));
  }
}
