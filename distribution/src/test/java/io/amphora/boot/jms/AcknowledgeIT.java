package io.amphora.boot.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Acknowledge modes, and what comes again. */
class AcknowledgeIT extends JmsSuite {

  /** Qpid's own: each message by itself. */
  private static final int INDIVIDUAL = 101;

  private void assertDone() throws JMSException {
    try (Connection fresh = connection("", "")) {
      assertEmpty(fresh.createSession(false, Session.AUTO_ACKNOWLEDGE).createConsumer(queue));
    }
  }

  private static int count(Message message) throws JMSException {
    return message.getIntProperty("JMSXDeliveryCount");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Session.AUTO_ACKNOWLEDGE,
        Session.CLIENT_ACKNOWLEDGE,
        Session.DUPS_OK_ACKNOWLEDGE,
        INDIVIDUAL
      })
  void shouldBeDoneWhenAcknowledged(int mode) throws JMSException {
    send(session, queue, numbered("m", 5));
    Session own = connection.createSession(false, mode);
    MessageConsumer consumer = own.createConsumer(queue);
    for (int i = 0; i < 5; i++) {
      Message next = message(consumer);
      assertThat(next.getBody(String.class)).isEqualTo("m" + i);
      next.acknowledge();
    }
    own.close();
    assertDone();
  }

  @ParameterizedTest
  @ValueSource(ints = {Session.CLIENT_ACKNOWLEDGE, INDIVIDUAL})
  void shouldComeAgainWhenTheSessionIsClosedBefore(int mode) throws JMSException {
    send(session, queue, numbered("m", 3));
    Session own = connection.createSession(false, mode);
    assertThat(texts(own.createConsumer(queue), 2)).containsExactly("m0", "m1");
    own.close();
    assertThat(texts(session.createConsumer(queue), 3)).containsExactly("m0", "m1", "m2");
  }

  @ParameterizedTest
  @ValueSource(ints = {Session.CLIENT_ACKNOWLEDGE, INDIVIDUAL})
  void shouldComeAgainWhenTheConnectionIsClosedBefore(int mode) throws JMSException {
    send(session, queue, numbered("m", 3));
    Connection other = connection("", "");
    assertThat(texts(other.createSession(false, mode).createConsumer(queue), 3)).hasSize(3);
    other.close();
    assertThat(texts(session.createConsumer(queue), 3)).containsExactly("m0", "m1", "m2");
  }

  @ParameterizedTest
  @ValueSource(ints = {Session.CLIENT_ACKNOWLEDGE, INDIVIDUAL, Session.DUPS_OK_ACKNOWLEDGE})
  void shouldDeliverAgainInOrderAfterRecover(int mode) throws JMSException {
    send(session, queue, numbered("m", 3));
    Session own = connection.createSession(false, mode);
    MessageConsumer consumer = own.createConsumer(queue);
    int taken = mode == Session.DUPS_OK_ACKNOWLEDGE ? 0 : 3;
    texts(consumer, taken);
    own.recover();
    for (int i = 0; i < 3; i++) {
      Message again = message(consumer);
      assertThat(again.getBody(String.class)).isEqualTo("m" + i);
      assertThat(again.getJMSRedelivered()).isEqualTo(taken > 0);
      again.acknowledge();
    }
  }

  @Test
  void shouldAcknowledgeAllThatTheSessionHas() throws JMSException {
    send(session, queue, numbered("m", 4));
    Session own = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer consumer = own.createConsumer(queue);
    texts(consumer, 3);
    message(consumer).acknowledge();
    own.close();
    assertDone();
  }

  @Test
  void shouldAcknowledgeOneAlone() throws JMSException {
    send(session, queue, numbered("m", 4));
    Session own = connection.createSession(false, INDIVIDUAL);
    MessageConsumer consumer = own.createConsumer(queue);
    message(consumer);
    message(consumer).acknowledge();
    message(consumer);
    own.close();
    assertThat(texts(session.createConsumer(queue), 3)).containsExactly("m0", "m2", "m3");
  }

  @Test
  void shouldCountDeliveries() throws JMSException {
    send(session, queue, "again");
    Session own = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer consumer = own.createConsumer(queue);
    for (int i = 1; i <= 5; i++) {
      Message next = message(consumer);
      assertThat(count(next)).isEqualTo(i);
      assertThat(next.getJMSRedelivered()).isEqualTo(i > 1);
      if (i < 5) {
        own.recover();
      } else {
        next.acknowledge();
      }
    }
  }

  @Test
  void shouldParkWhatFailsAgainAndAgain() throws JMSException {
    send(session, queue, "poison", "good");
    Session own =
        connection("", "&jms.prefetchPolicy.all=1")
            .createSession(false, Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer consumer = own.createConsumer(queue);
    int seen = 0;
    Message next = message(consumer);
    while (next.getBody(String.class).equals("poison")) {
      assertThat(count(next)).isEqualTo(++seen);
      own.recover();
      next = message(consumer);
    }
    assertThat(seen).as("the default of max-attempts").isEqualTo(16);
    assertThat(next.getBody(String.class)).isEqualTo("good");
  }

  @Test
  void shouldGiveUpWhereTheClientsPolicySays() throws JMSException {
    send(session, queue, "poison", "good");
    Session own =
        connection("", "&jms.redeliveryPolicy.maxRedeliveries=2&jms.prefetchPolicy.all=1")
            .createSession(false, Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer consumer = own.createConsumer(queue);
    for (int i = 1; i <= 3; i++) {
      assertThat(count(message(consumer))).isEqualTo(i);
      own.recover();
    }
    assertThat(text(consumer)).isEqualTo("good");
  }

  @Test
  void shouldDeliverAgainWhatAListenerFailsOn() throws Exception {
    send(session, queue, "twice");
    BlockingQueue<Integer> counts = new LinkedBlockingQueue<>();
    Session own = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    own.createConsumer(queue)
        .setMessageListener(
            message -> {
              int count = countOf(message);
              counts.add(count);
              if (count < 2) {
                throw new IllegalArgumentException("fails once");
              }
            });
    assertThat(List.of(poll(counts), poll(counts))).containsExactly(1, 2);
    own.close();
    assertDone();
  }

  private static int countOf(Message message) {
    try {
      return count(message);
    } catch (JMSException e) {
      return -1;
    }
  }

  private static int poll(BlockingQueue<Integer> counts) throws InterruptedException {
    return counts.poll(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Test
  void shouldDeliverAgainWithoutAPrefetch() throws JMSException {
    send(session, queue, "one", "two");
    Session own =
        connection("", "&jms.prefetchPolicy.all=0")
            .createSession(false, Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer consumer = own.createConsumer(queue);
    assertThat(text(consumer)).isEqualTo("one");
    own.recover();
    assertThat(texts(consumer, 2)).containsExactly("one", "two");
  }

  @Test
  void shouldRefuseToAcknowledgeAfterTheSession() throws JMSException {
    send(session, queue, "m");
    Session own = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
    Message message = message(own.createConsumer(queue));
    own.close();
    assertThatThrownBy(message::acknowledge).isInstanceOf(IllegalStateException.class);
  }
}
