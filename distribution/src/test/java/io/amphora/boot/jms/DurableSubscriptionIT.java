package io.amphora.boot.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Durable subscriptions that are not shared. */
class DurableSubscriptionIT extends JmsSuite {

  private String clientId;
  private Connection client;
  private Session own;

  @BeforeEach
  void client() throws JMSException {
    clientId = anyClientId();
    reconnect();
  }

  private void reconnect() throws JMSException {
    if (client != null) {
      client.close();
    }
    client = connection(clientId, "");
    own = client.createSession(false, Session.AUTO_ACKNOWLEDGE);
  }

  @Test
  void shouldBeginWithWhatIsNew() throws JMSException {
    send(session, topic, "before");
    MessageConsumer consumer = own.createDurableConsumer(topic, "sub");
    send(session, topic, "after");
    assertThat(text(consumer)).isEqualTo("after");
    assertEmpty(consumer);
  }

  @Test
  void shouldKeepWhatComesWhileTheConsumerIsAway() throws JMSException {
    own.createDurableConsumer(topic, "sub").close();
    send(session, topic, numbered("m", 5));
    assertThat(texts(own.createDurableConsumer(topic, "sub"), 5)).containsExactly(numbered("m", 5));
  }

  @Test
  void shouldKeepWhatComesWhileTheConnectionIsAway() throws JMSException {
    own.createDurableSubscriber(topic, "sub");
    reconnect();
    send(session, topic, "kept");
    reconnect();
    assertThat(text(own.createDurableSubscriber(topic, "sub"))).isEqualTo("kept");
  }

  @Test
  void shouldGoOnWhereItWas() throws JMSException {
    MessageConsumer first = own.createDurableConsumer(topic, "sub");
    send(session, topic, numbered("m", 4));
    assertThat(texts(first, 2)).containsExactly("m0", "m1");
    reconnect();
    MessageConsumer second = own.createDurableConsumer(topic, "sub");
    assertThat(texts(second, 2)).containsExactly("m2", "m3");
    assertEmpty(second);
  }

  @Test
  void shouldDeliverAgainWhatWasNotAcknowledged() throws JMSException {
    Session slow = client.createSession(false, Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer first = slow.createDurableConsumer(topic, "sub");
    send(session, topic, "once more");
    assertThat(text(first)).isEqualTo("once more");
    reconnect();
    Message again = message(own.createDurableConsumer(topic, "sub"));
    assertThat(again.getBody(String.class)).isEqualTo("once more");
  }

  @Test
  void shouldStartAfreshAfterUnsubscribe() throws JMSException {
    own.createDurableConsumer(topic, "sub").close();
    send(session, topic, "lost");
    own.unsubscribe("sub");
    MessageConsumer again = own.createDurableConsumer(topic, "sub");
    assertEmpty(again);
    send(session, topic, "new");
    assertThat(text(again)).isEqualTo("new");
  }

  @Test
  void shouldUnsubscribeFromAnotherConnectionOfTheClient() throws JMSException {
    own.createDurableConsumer(topic, "sub");
    reconnect();
    own.unsubscribe("sub");
    send(session, topic, "lost");
    assertEmpty(own.createDurableConsumer(topic, "sub"));
  }

  @Test
  void shouldUnsubscribeAgainAndAgain() throws JMSException {
    for (int i = 0; i < 5; i++) {
      MessageConsumer consumer = own.createDurableConsumer(topic, "sub");
      send(session, topic, "m" + i);
      assertThat(text(consumer)).isEqualTo("m" + i);
      consumer.close();
      own.unsubscribe("sub");
      assertThatThrownBy(() -> own.unsubscribe("sub"))
          .isInstanceOf(InvalidDestinationException.class);
    }
  }

  @Test
  void shouldRefuseToUnsubscribeWhatDoesNotExist() {
    assertThatThrownBy(() -> own.unsubscribe("unknown"))
        .isInstanceOf(InvalidDestinationException.class);
  }

  @Test
  void shouldRefuseToUnsubscribeWhatIsInUse() throws JMSException {
    MessageConsumer consumer = own.createDurableConsumer(topic, "sub");
    assertThatThrownBy(() -> own.unsubscribe("sub")).isInstanceOf(JMSException.class);
    send(session, topic, "goes on");
    assertThat(text(consumer)).isEqualTo("goes on");
  }

  @Test
  void shouldNotUnsubscribeForAnotherClient() throws JMSException {
    own.createDurableConsumer(topic, "sub").close();
    Session stranger = connection(anyClientId(), "").createSession(false, 1);
    assertThatThrownBy(() -> stranger.unsubscribe("sub"))
        .isInstanceOf(InvalidDestinationException.class);
    send(session, topic, "kept");
    assertThat(text(own.createDurableConsumer(topic, "sub"))).isEqualTo("kept");
  }

  @Test
  void shouldKeepNamesAndClientsApart() throws JMSException {
    MessageConsumer a = own.createDurableConsumer(topic, "a");
    MessageConsumer b = own.createDurableConsumer(topic, "b");
    Session other = connection(anyClientId(), "").createSession(false, Session.AUTO_ACKNOWLEDGE);
    MessageConsumer otherA = other.createDurableConsumer(topic, "a");
    send(session, topic, "all");
    assertThat(text(a)).isEqualTo("all");
    assertThat(text(b)).isEqualTo("all");
    assertThat(text(otherA)).isEqualTo("all");
  }

  @Test
  void shouldRefuseASecondConsumer() throws JMSException {
    own.createDurableConsumer(topic, "sub");
    assertThatThrownBy(() -> own.createDurableConsumer(topic, "sub"))
        .isInstanceOf(JMSException.class);
  }

  @Test
  void shouldMoveANameToAnotherTopic() throws JMSException {
    own.createDurableConsumer(topic, "sub").close();
    send(session, topic, "old");
    Topic other = session.createTopic("other-" + UUID.randomUUID());
    MessageConsumer moved = own.createDurableConsumer(other, "sub");
    send(session, other, "new");
    assertThat(text(moved)).isEqualTo("new");
    moved.close();
    assertEmpty(own.createDurableConsumer(topic, "sub"));
  }

  @Test
  void shouldNeedAClientId() {
    assertThatThrownBy(() -> session.createDurableConsumer(topic, "sub"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldTakeNamesOfManyLetters() throws JMSException {
    String name = "s\u00fcb :: /with $all 100% of it";
    own.createDurableConsumer(topic, name).close();
    send(session, topic, "kept");
    MessageConsumer again = own.createDurableConsumer(topic, name);
    assertThat(text(again)).isEqualTo("kept");
    again.close();
    own.unsubscribe(name);
  }

  @Test
  void shouldNotBecomeShared() throws JMSException {
    own.createDurableConsumer(topic, "sub").close();
    assertThatThrownBy(() -> own.createSharedDurableConsumer(topic, "sub"))
        .isInstanceOf(JMSException.class)
        .hasMessageContaining("not shared");
  }
}
