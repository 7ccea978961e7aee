package io.amphora.boot.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Subscriptions that several consumers share. */
class SharedSubscriptionIT extends JmsSuite {

  /** Names are of the broker where the client has no id: each test has its own. */
  private String name;

  @BeforeEach
  void name() {
    name = "sub-" + UUID.randomUUID();
  }

  /** How a subscription is shared. */
  enum Sharing {
    DURABLE,
    PASSING;

    MessageConsumer consumer(Session session, Topic topic, String name) throws JMSException {
      return this == DURABLE
          ? session.createSharedDurableConsumer(topic, name)
          : session.createSharedConsumer(topic, name);
    }
  }

  private Session another(String clientId) throws JMSException {
    return connection(clientId, "&jms.prefetchPolicy.all=1")
        .createSession(false, Session.AUTO_ACKNOWLEDGE);
  }

  private static List<String> all(int count, MessageConsumer... consumers) throws JMSException {
    List<String> seen = new ArrayList<>();
    for (int turn = 0; seen.size() < count; turn++) {
      Message next = consumers[turn % consumers.length].receive(20);
      if (next != null) {
        seen.add(((TextMessage) next).getText());
      }
      assertThat(turn).as("turns").isLessThan(4000);
    }
    return seen;
  }

  @ParameterizedTest
  @EnumSource(Sharing.class)
  void shouldShareBetweenSessionsOfAClient(Sharing sharing) throws JMSException {
    Connection client = connection(anyClientId(), "&jms.prefetchPolicy.all=1");
    Session one = client.createSession(false, Session.AUTO_ACKNOWLEDGE);
    Session two = client.createSession(false, Session.AUTO_ACKNOWLEDGE);
    MessageConsumer a = sharing.consumer(one, topic, name);
    MessageConsumer b = sharing.consumer(two, topic, name);
    send(session, topic, numbered("m", 20));
    assertThat(all(20, a, b)).containsExactlyInAnyOrder(numbered("m", 20));
    assertEmpty(a);
    assertEmpty(b);
  }

  @ParameterizedTest
  @EnumSource(Sharing.class)
  void shouldShareBetweenConnectionsWithoutAClientId(Sharing sharing) throws JMSException {
    MessageConsumer a = sharing.consumer(another(""), topic, name);
    MessageConsumer b = sharing.consumer(another(""), topic, name);
    MessageConsumer c = sharing.consumer(another(""), topic, name);
    send(session, topic, numbered("m", 30));
    assertThat(all(30, a, b, c)).containsExactlyInAnyOrder(numbered("m", 30));
    assertEmpty(a);
    assertEmpty(b);
    assertEmpty(c);
  }

  @ParameterizedTest
  @EnumSource(Sharing.class)
  void shouldHandOnWhatAConsumerLeaves(Sharing sharing) throws JMSException {
    MessageConsumer stays = sharing.consumer(another(""), topic, name);
    Session leaving = connection("", "").createSession(false, Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer goes = sharing.consumer(leaving, topic, name);
    send(session, topic, numbered("m", 10));
    message(goes);
    leaving.close();
    assertThat(all(10, stays)).containsExactlyInAnyOrder(numbered("m", 10));
  }

  @ParameterizedTest
  @EnumSource(Sharing.class)
  void shouldGiveEachSubscriptionEverything(Sharing sharing) throws JMSException {
    MessageConsumer a = sharing.consumer(another(""), topic, name);
    MessageConsumer b = sharing.consumer(another(""), topic, name + "-other");
    MessageConsumer plain = session.createConsumer(topic);
    send(session, topic, numbered("m", 5));
    assertThat(texts(a, 5)).containsExactly(numbered("m", 5));
    assertThat(texts(b, 5)).containsExactly(numbered("m", 5));
    assertThat(texts(plain, 5)).containsExactly(numbered("m", 5));
  }

  @ParameterizedTest
  @EnumSource(Sharing.class)
  void shouldNotMixAClientsNameWithThatOfAll(Sharing sharing) throws JMSException {
    MessageConsumer mine = sharing.consumer(another(anyClientId()), topic, name);
    MessageConsumer ofAll = sharing.consumer(another(""), topic, name);
    send(session, topic, "m");
    assertThat(text(mine)).isEqualTo("m");
    assertThat(text(ofAll)).isEqualTo("m");
  }

  @ParameterizedTest
  @EnumSource(Sharing.class)
  void shouldRefuseAnotherTopicWhileItIsInUse(Sharing sharing) throws JMSException {
    MessageConsumer first = sharing.consumer(another(""), topic, name);
    Topic other = session.createTopic("other-" + UUID.randomUUID());
    Session second = another("");
    assertThatThrownBy(() -> sharing.consumer(second, other, name))
        .isInstanceOf(JMSException.class)
        .hasMessageContaining("in use");
    send(session, topic, "unharmed");
    assertThat(text(first)).isEqualTo("unharmed");
  }

  @Test
  void shouldKeepWhatComesWhileNobodyConsumes() throws JMSException {
    another("").createSharedDurableConsumer(topic, name).close();
    send(session, topic, numbered("m", 3));
    assertThat(texts(another("").createSharedDurableConsumer(topic, name), 3))
        .containsExactly(numbered("m", 3));
  }

  @Test
  void shouldEndThePassingOneWithItsLastConsumer() throws JMSException {
    Session own = another("");
    MessageConsumer a = own.createSharedConsumer(topic, name);
    MessageConsumer b = own.createSharedConsumer(topic, name);
    a.close();
    send(session, topic, "still");
    assertThat(text(b)).isEqualTo("still");
    b.close();
    send(session, topic, "lost");
    assertEmpty(own.createSharedConsumer(topic, name));
  }

  @Test
  void shouldKeepDurableAndPassingOnesOfANameApart() throws JMSException {
    Session own = another("");
    MessageConsumer durable = own.createSharedDurableConsumer(topic, name);
    MessageConsumer passing = own.createSharedConsumer(topic, name);
    send(session, topic, "both");
    assertThat(text(durable)).isEqualTo("both");
    assertThat(text(passing)).isEqualTo("both");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldUnsubscribe(boolean withClientId) throws JMSException {
    Session own = another(withClientId ? anyClientId() : "");
    own.createSharedDurableConsumer(topic, name).close();
    send(session, topic, "lost");
    own.unsubscribe(name);
    assertThatThrownBy(() -> own.unsubscribe(name)).isInstanceOf(InvalidDestinationException.class);
    assertEmpty(own.createSharedDurableConsumer(topic, name));
  }

  /** The client cannot know of the other: it is the broker that refuses. */
  @Test
  void shouldRefuseToUnsubscribeWhatAnotherConnectionUses() throws JMSException {
    MessageConsumer used = another("").createSharedDurableConsumer(topic, name);
    Session own = another("");
    assertThatThrownBy(() -> own.unsubscribe(name))
        .isInstanceOf(JMSException.class)
        .isNotInstanceOf(InvalidDestinationException.class)
        .hasMessageContaining("in use");
    send(session, topic, "unharmed");
    assertThat(text(used)).isEqualTo("unharmed");
    used.close();
    own.unsubscribe(name);
  }

  @Test
  void shouldNotBecomeUnshared() throws JMSException {
    Session own = another(anyClientId());
    own.createSharedDurableConsumer(topic, name).close();
    assertThatThrownBy(() -> own.createDurableConsumer(topic, name))
        .isInstanceOf(JMSException.class)
        .hasMessageContaining("is shared");
  }

  @Test
  void shouldMoveToAnotherTopicOnceItIsFree() throws JMSException {
    Session own = another("");
    own.createSharedDurableConsumer(topic, name).close();
    Topic other = session.createTopic("other-" + UUID.randomUUID());
    MessageConsumer moved = own.createSharedDurableConsumer(other, name);
    send(session, other, "new");
    assertThat(text(moved)).isEqualTo("new");
  }
}
