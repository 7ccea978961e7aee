package io.amphora.boot.jms;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues. */
class QueueIT extends JmsSuite {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 10, 1000})
  void shouldKeepOrderWithAnyPrefetch(int prefetch) throws JMSException {
    send(session, queue, numbered("m", 30));
    Session own =
        connection("", "&jms.prefetchPolicy.all=" + prefetch)
            .createSession(false, Session.AUTO_ACKNOWLEDGE);
    MessageConsumer consumer = own.createConsumer(queue);
    assertThat(texts(consumer, 30)).containsExactly(numbered("m", 30));
    assertEmpty(consumer);
  }

  @Test
  void shouldKeepMessagesUntilSomebodyComes() throws JMSException {
    try (Connection gone = connection("", "")) {
      send(gone.createSession(false, Session.AUTO_ACKNOWLEDGE), queue, "early");
    }
    assertThat(text(session.createConsumer(queue))).isEqualTo("early");
  }

  @Test
  void shouldGiveEachMessageToOneConsumerOnly() throws JMSException {
    MessageConsumer a = session.createConsumer(queue);
    MessageConsumer b = session.createConsumer(queue);
    send(session, queue, numbered("m", 40));
    List<String> seen = new ArrayList<>();
    for (int i = 0; seen.size() < 40; i++) {
      Message next = (i % 2 == 0 ? a : b).receive(20);
      if (next != null) {
        seen.add(((TextMessage) next).getText());
      }
      assertThat(i).as("turns").isLessThan(4000);
    }
    assertThat(seen).containsExactlyInAnyOrder(numbered("m", 40));
    assertEmpty(a);
    assertEmpty(b);
  }

  @Test
  void shouldKeepQueuesApart() throws JMSException {
    Queue other = session.createQueue("other-" + UUID.randomUUID());
    send(session, queue, "here");
    assertEmpty(session.createConsumer(other));
    assertThat(text(session.createConsumer(queue))).isEqualTo("here");
  }

  @Test
  void shouldGiveBackWhatAClosedConsumerHadPrefetched() throws JMSException {
    send(session, queue, numbered("m", 5));
    MessageConsumer first = session.createConsumer(queue);
    assertThat(text(first)).isEqualTo("m0");
    first.close();
    assertThat(texts(session.createConsumer(queue), 4)).containsExactly("m1", "m2", "m3", "m4");
  }

  @Test
  void shouldGiveBackWhatAClosedConnectionHadPrefetched() throws JMSException {
    send(session, queue, numbered("m", 3));
    Connection other = connection("", "");
    MessageConsumer first =
        other.createSession(false, Session.AUTO_ACKNOWLEDGE).createConsumer(queue);
    assertThat(text(first)).isEqualTo("m0");
    other.close();
    assertThat(texts(session.createConsumer(queue), 2)).containsExactly("m1", "m2");
  }

  @Test
  void shouldReceiveNothingWithinATimeout() throws JMSException {
    assertThat(session.createConsumer(queue).receive(50)).isNull();
  }

  @Test
  void shouldReceiveWithoutWaitingWhatIsThere() throws JMSException {
    send(session, queue, "one", "two");
    MessageConsumer consumer = session.createConsumer(queue);
    assertThat(((TextMessage) consumer.receiveNoWait()).getText()).isEqualTo("one");
    assertThat(((TextMessage) consumer.receiveNoWait()).getText()).isEqualTo("two");
    assertThat(consumer.receiveNoWait()).isNull();
  }

  @Test
  void shouldReceiveWithoutWaitingWhenNothingIsFetchedAhead() throws JMSException {
    send(session, queue, "one");
    Session own =
        connection("", "&jms.prefetchPolicy.all=0").createSession(false, Session.AUTO_ACKNOWLEDGE);
    MessageConsumer consumer = own.createConsumer(queue);
    assertThat(((TextMessage) consumer.receiveNoWait()).getText()).isEqualTo("one");
    assertThat(consumer.receiveNoWait()).isNull();
    assertThat(consumer.receive(50)).isNull();
    send(session, queue, "two");
    assertThat(text(consumer)).isEqualTo("two");
  }

  @Test
  void shouldLeaveToOthersWhatAConsumerWithoutPrefetchDoesNotAskFor() throws JMSException {
    Session own =
        connection("", "&jms.prefetchPolicy.all=0").createSession(false, Session.AUTO_ACKNOWLEDGE);
    MessageConsumer idle = own.createConsumer(queue);
    send(session, queue, numbered("m", 3));
    assertThat(texts(session.createConsumer(queue), 3)).hasSize(3);
    assertEmpty(idle);
  }

  @Test
  void shouldFeedAListener() throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    session
        .createConsumer(queue)
        .setMessageListener(message -> heard.add(new Text(message).value()));
    send(connection("", "").createSession(false, 1), queue, numbered("m", 10));
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      all.add(heard.poll(LIMIT_MILLIS, TimeUnit.MILLISECONDS));
    }
    assertThat(all).containsExactly(numbered("m", 10));
  }

  /** The text of a message, for listeners. */
  record Text(Message message) {
    String value() {
      try {
        return ((TextMessage) message).getText();
      } catch (JMSException e) {
        return e.toString();
      }
    }
  }

  @Test
  void shouldHoldMessagesWhileTheConnectionIsStopped() throws JMSException {
    MessageConsumer consumer = session.createConsumer(queue);
    connection.stop();
    send(connection("", "").createSession(false, 1), queue, "held");
    assertThat(consumer.receive(50)).isNull();
    connection.start();
    assertThat(text(consumer)).isEqualTo("held");
  }

  @Test
  void shouldTakeNonPersistentMessages() throws JMSException {
    MessageProducer producer = session.createProducer(queue);
    producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
    for (String text : numbered("m", 20)) {
      producer.send(session.createTextMessage(text));
    }
    assertThat(texts(session.createConsumer(queue), 20)).containsExactly(numbered("m", 20));
  }

  @Test
  void shouldTakeAndGiveSettledMessages() throws JMSException {
    Session own =
        connection("", "&jms.presettlePolicy.presettleAll=true")
            .createSession(false, Session.AUTO_ACKNOWLEDGE);
    send(own, queue, numbered("m", 20));
    MessageConsumer consumer = own.createConsumer(queue);
    assertThat(texts(consumer, 20)).containsExactly(numbered("m", 20));
    assertEmpty(consumer);
  }

  @Test
  void shouldServeManySessionsOfOneConnection() throws JMSException {
    List<MessageConsumer> consumers = new ArrayList<>();
    List<Queue> queues = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Session own = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
      queues.add(own.createQueue("many-" + i + "-" + UUID.randomUUID()));
      consumers.add(own.createConsumer(queues.get(i)));
      send(own, queues.get(i), "m" + i);
    }
    for (int i = 0; i < 20; i++) {
      assertThat(text(consumers.get(i))).isEqualTo("m" + i);
    }
  }

  @Test
  void shouldCountAQueueAndATopicOfOneNameAsOneLog() throws JMSException {
    MessageConsumer subscriber = session.createConsumer(session.createTopic(queue.getQueueName()));
    MessageConsumer consumer = session.createConsumer(queue);
    send(session, queue, "both");
    assertThat(text(consumer)).isEqualTo("both");
    assertThat(text(subscriber)).isEqualTo("both");
  }
}
