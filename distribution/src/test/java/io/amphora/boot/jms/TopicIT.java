package io.amphora.boot.jms;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics and their subscribers that are not durable. */
class TopicIT extends JmsSuite {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10})
  void shouldGiveEverySubscriberEveryMessage(int subscribers) throws JMSException {
    List<MessageConsumer> all = new ArrayList<>();
    for (int i = 0; i < subscribers; i++) {
      all.add(session.createConsumer(topic));
    }
    send(session, topic, numbered("m", 10));
    for (MessageConsumer one : all) {
      assertThat(texts(one, 10)).containsExactly(numbered("m", 10));
    }
  }

  @Test
  void shouldNotGiveWhatCameBefore() throws JMSException {
    send(session, topic, "before");
    MessageConsumer consumer = session.createConsumer(topic);
    send(session, topic, "after");
    assertThat(text(consumer)).isEqualTo("after");
    assertEmpty(consumer);
  }

  @Test
  void shouldForgetASubscriberThatLeft() throws JMSException {
    session.createConsumer(topic).close();
    send(session, topic, "meanwhile");
    assertEmpty(session.createConsumer(topic));
  }

  @Test
  void shouldKeepTopicsApart() throws JMSException {
    Topic other = session.createTopic("other-" + UUID.randomUUID());
    MessageConsumer here = session.createConsumer(topic);
    MessageConsumer there = session.createConsumer(other);
    send(session, topic, "here");
    assertThat(text(here)).isEqualTo("here");
    assertEmpty(there);
  }

  @Test
  void shouldReachSubscribersOfOtherConnections() throws JMSException {
    MessageConsumer far =
        connection("", "").createSession(false, Session.AUTO_ACKNOWLEDGE).createConsumer(topic);
    send(session, topic, "far");
    assertThat(text(far)).isEqualTo("far");
  }

  @Test
  void shouldTakeMessagesWithoutASubscriber() throws JMSException {
    send(session, topic, numbered("m", 5));
    MessageConsumer consumer = session.createConsumer(topic);
    assertEmpty(consumer);
  }
}
