package io.amphora.boot.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Producers: with a destination and without, waiting and not. */
class ProducerIT extends JmsSuite {

  @ParameterizedTest
  @EnumSource(HeadersIT.Kind.class)
  void shouldSendAnywhereWithoutADestination(HeadersIT.Kind kind) throws JMSException {
    Destination to = kind.of(this);
    var consumer = session.createConsumer(to);
    MessageProducer anonymous = session.createProducer(null);
    anonymous.send(to, session.createTextMessage("by address"));
    assertThat(text(consumer)).isEqualTo("by address");
    assertThat(anonymous.getDestination()).isNull();
  }

  @Test
  void shouldSendToManyQueuesInTurn() throws JMSException {
    MessageProducer anonymous = session.createProducer(null);
    List<Queue> queues = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      queues.add(session.createQueue("turn-" + i + "-" + UUID.randomUUID()));
    }
    for (int i = 0; i < 20; i++) {
      anonymous.send(queues.get(i % 5), session.createTextMessage("m" + i));
    }
    for (int i = 0; i < 5; i++) {
      assertThat(texts(session.createConsumer(queues.get(i)), 4))
          .containsExactly("m" + i, "m" + (i + 5), "m" + (i + 10), "m" + (i + 15));
    }
  }

  @Test
  void shouldRejectAnIllegalAddressAndGoOn() throws JMSException {
    MessageProducer anonymous = session.createProducer(null);
    Queue illegal = session.createQueue("a::b::c");
    assertThatThrownBy(() -> anonymous.send(illegal, session.createMessage()))
        .isInstanceOf(JMSException.class);
    anonymous.send(queue, session.createTextMessage("goes on"));
    assertThat(text(session.createConsumer(queue))).isEqualTo("goes on");
  }

  /** What completions said, in the order they came. */
  private static final class Heard implements CompletionListener {
    private final BlockingQueue<String> words = new LinkedBlockingQueue<>();

    @Override
    public void onCompletion(Message message) {
      try {
        words.add(((TextMessage) message).getText());
      } catch (JMSException e) {
        words.add(e.toString());
      }
    }

    @Override
    public void onException(Message message, Exception exception) {
      words.add(exception.getClass().getSimpleName());
    }

    String next() throws InterruptedException {
      return words.poll(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT})
  void shouldCompleteInOrder(int mode) throws Exception {
    MessageProducer producer = session.createProducer(queue);
    producer.setDeliveryMode(mode);
    Heard heard = new Heard();
    for (String text : numbered("m", 100)) {
      producer.send(session.createTextMessage(text), heard);
    }
    for (String text : numbered("m", 100)) {
      assertThat(heard.next()).isEqualTo(text);
    }
    assertThat(texts(session.createConsumer(queue), 100)).containsExactly(numbered("m", 100));
  }

  /** The client tells of the last ones from a thread of its own, after the close maybe. */
  @Test
  void shouldCompleteWhatWasSentBeforeTheProducerIsClosed() throws Exception {
    Heard heard = new Heard();
    try (MessageProducer producer = session.createProducer(queue)) {
      for (String text : numbered("m", 50)) {
        producer.send(session.createTextMessage(text), heard);
      }
    }
    for (String text : numbered("m", 50)) {
      assertThat(heard.next()).isEqualTo(text);
    }
  }

  @Test
  void shouldCompleteWithTheReasonOfARefusal() throws Exception {
    Heard heard = new Heard();
    MessageProducer anonymous = session.createProducer(null);
    anonymous.send(session.createQueue("a::b::c"), session.createTextMessage("bad"), heard);
    anonymous.send(queue, session.createTextMessage("good"), heard);
    assertThat(List.of(heard.next(), heard.next()))
        .contains("good")
        .anyMatch(word -> word.endsWith("Exception"));
  }

  @Test
  void shouldOverrideTheDefaultsOfTheProducer() throws JMSException {
    MessageProducer producer = session.createProducer(queue);
    producer.setPriority(1);
    producer.send(session.createMessage(), DeliveryMode.NON_PERSISTENT, 8, 60_000);
    Message received = message(session.createConsumer(queue));
    assertThat(received.getJMSPriority()).isEqualTo(8);
    assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
    assertThat(received.getJMSExpiration()).isPositive();
  }

  @Test
  void shouldRefuseWhatIsNoMessageOrNoDestination() throws JMSException {
    MessageProducer producer = session.createProducer(queue);
    assertThatThrownBy(() -> producer.send(null)).isInstanceOf(MessageFormatException.class);
    assertThatThrownBy(() -> producer.send(queue, session.createMessage()))
        .isInstanceOf(UnsupportedOperationException.class);
    MessageProducer anonymous = session.createProducer(null);
    assertThatThrownBy(() -> anonymous.send(session.createMessage()))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> anonymous.send((Destination) null, session.createMessage()))
        .isInstanceOf(InvalidDestinationException.class);
  }

  @Test
  void shouldRefuseToSendAfterClose() throws JMSException {
    MessageProducer producer = session.createProducer(queue);
    producer.close();
    assertThatThrownBy(() -> producer.send(session.createMessage()))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldSendFromManySessionsAtOnce() throws Exception {
    List<Thread> threads = new ArrayList<>();
    BlockingQueue<Exception> failures = new LinkedBlockingQueue<>();
    for (int t = 0; t < 4; t++) {
      Session own = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
      String prefix = "t" + t + "-";
      threads.add(
          new Thread(
              () -> {
                try {
                  send(own, queue, numbered(prefix, 25));
                } catch (JMSException e) {
                  failures.add(e);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    List<String> all = texts(session.createConsumer(queue), 100);
    assertThat(all).doesNotHaveDuplicates();
    assertThat(all.stream().filter(text -> text.startsWith("t2-")))
        .containsExactly(numbered("t2-", 25));
  }
}
