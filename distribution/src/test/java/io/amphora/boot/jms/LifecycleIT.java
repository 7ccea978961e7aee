package io.amphora.boot.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is closed, and what is refused. */
class LifecycleIT extends JmsSuite {

  /** What may be closed while a consumer waits. */
  enum Closed {
    CONSUMER,
    SESSION,
    CONNECTION
  }

  @ParameterizedTest
  @EnumSource(Closed.class)
  void shouldEndAReceiveThatWaits(Closed closed) throws Exception {
    Connection other = connection("", "");
    Session own = other.createSession(false, Session.AUTO_ACKNOWLEDGE);
    MessageConsumer consumer = own.createConsumer(queue);
    CountDownLatch running = new CountDownLatch(1);
    CompletableFuture<Message> received =
        CompletableFuture.supplyAsync(
            () -> {
              running.countDown();
              try {
                return consumer.receive();
              } catch (JMSException e) {
                return null;
              }
            });
    running.await();
    switch (closed) {
      case CONSUMER -> consumer.close();
      case SESSION -> own.close();
      case CONNECTION -> other.close();
      default -> throw new AssertionError(closed);
    }
    assertThat(received.get(LIMIT_MILLIS, TimeUnit.MILLISECONDS)).isNull();
    send(session, queue, "not lost");
    assertThat(text(session.createConsumer(queue))).isEqualTo("not lost");
  }

  @Test
  void shouldCloseAnythingTwice() throws JMSException {
    MessageConsumer consumer = session.createConsumer(queue);
    MessageProducer producer = session.createProducer(queue);
    consumer.close();
    consumer.close();
    producer.close();
    producer.close();
    session.close();
    session.close();
    connection.close();
    connection.close();
  }

  @Test
  void shouldRefuseEverythingAfterTheSession() throws JMSException {
    MessageConsumer consumer = session.createConsumer(queue);
    session.close();
    assertThatThrownBy(() -> session.createConsumer(queue))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> session.createTextMessage()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(session::createTemporaryQueue).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(session::recover).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldRefuseEverythingAfterTheConnection() throws JMSException {
    connection.close();
    assertThatThrownBy(() -> connection.createSession(false, Session.AUTO_ACKNOWLEDGE))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(connection::start).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> session.createProducer(queue))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldRefuseNoDestination() {
    assertThatThrownBy(() -> session.createConsumer(null))
        .isInstanceOf(InvalidDestinationException.class);
    assertThatThrownBy(() -> session.createBrowser(null))
        .isInstanceOf(InvalidDestinationException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a::b::c", "__positions", "$cbs-not", "a/../b", "x/Partitions/99"})
  void shouldRefuseWhatIsNoQueueAndGoOn(String name) throws JMSException {
    assertThatThrownBy(() -> session.createConsumer(session.createQueue(name)))
        .isInstanceOf(JMSException.class);
    assertThatThrownBy(() -> session.createProducer(session.createQueue(name)))
        .isInstanceOf(JMSException.class);
    send(session, queue, "goes on");
    assertThat(text(session.createConsumer(queue))).isEqualTo("goes on");
  }

  @ParameterizedTest
  @ValueSource(strings = {"with/slash", "with space", "d\u00f6ts.and-dashes", "100%25", "a:b", "A"})
  void shouldTakeNamesOfManyForms(String form) throws JMSException {
    var named = session.createQueue(form + "-" + queue.getQueueName());
    send(session, named, "there");
    Message received = message(session.createConsumer(named));
    assertThat(received.getBody(String.class)).isEqualTo("there");
    assertThat(received.getJMSDestination()).isEqualTo(named);
  }

  @Test
  void shouldTellOfItself() throws JMSException {
    ConnectionMetaData data = connection.getMetaData();
    assertThat(data.getJMSMajorVersion()).isEqualTo(3);
    assertThat(data.getJMSMinorVersion()).isEqualTo(1);
    assertThat(Collections.list(data.getJMSXPropertyNames()).stream().map(String::valueOf))
        .contains("JMSXDeliveryCount", "JMSXGroupID");
  }

  @Test
  void shouldServeManyConnectionsInTurn() throws JMSException {
    for (int i = 0; i < 30; i++) {
      try (Connection one = connection("", "")) {
        Session own = one.createSession(false, Session.AUTO_ACKNOWLEDGE);
        send(own, queue, "m" + i);
        assertThat(text(own.createConsumer(queue))).isEqualTo("m" + i);
      }
    }
  }

  @Test
  void shouldNotCallAnAskedForCloseAFailure() throws Exception {
    CountDownLatch heard = new CountDownLatch(1);
    Connection other = connection("", "");
    other.setExceptionListener(e -> heard.countDown());
    other.close();
    assertThat(heard.getCount()).isEqualTo(1);
  }
}
