package io.amphora.boot.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Browsers of queues. */
class BrowserIT extends JmsSuite {

  private List<String> browse(Session session) throws JMSException {
    try (QueueBrowser browser = session.createBrowser(queue)) {
      return rest(browser.getEnumeration());
    }
  }

  private static List<String> rest(Enumeration<?> messages) throws JMSException {
    List<String> texts = new ArrayList<>();
    while (messages.hasMoreElements()) {
      texts.add(((TextMessage) messages.nextElement()).getText());
    }
    return texts;
  }

  @Test
  void shouldFindNothingInAnEmptyQueue() throws JMSException {
    assertThat(browse(session)).isEmpty();
    try (QueueBrowser browser = session.createBrowser(queue)) {
      Enumeration<?> none = browser.getEnumeration();
      assertThatThrownBy(none::nextElement).isInstanceOf(NoSuchElementException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000})
  void shouldShowAllAndTakeNothing(int prefetch) throws JMSException {
    send(session, queue, numbered("m", 12));
    Session own =
        connection("", "&jms.prefetchPolicy.all=" + prefetch)
            .createSession(false, Session.AUTO_ACKNOWLEDGE);
    assertThat(browse(own)).containsExactly(numbered("m", 12));
    assertThat(browse(own)).as("a second time").containsExactly(numbered("m", 12));
    assertThat(texts(session.createConsumer(queue), 12)).containsExactly(numbered("m", 12));
  }

  @Test
  void shouldNotShowWhatIsDone() throws JMSException {
    send(session, queue, numbered("m", 4));
    try (MessageConsumer consumer = session.createConsumer(queue)) {
      assertThat(texts(consumer, 2)).containsExactly("m0", "m1");
    }
    assertThat(browse(session)).containsExactly("m2", "m3");
  }

  @Test
  void shouldNotShowWhatIsDoneOutOfOrder() throws JMSException {
    send(session, queue, numbered("m", 3));
    try (Session own = connection.createSession(false, 101);
        MessageConsumer consumer = own.createConsumer(queue)) {
      message(consumer);
      message(consumer).acknowledge();
    }
    assertThat(browse(session)).containsExactly("m0", "m2");
  }

  @Test
  void shouldShowWhatOthersHold() throws JMSException {
    send(session, queue, "held", "free");
    Session slow = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
    assertThat(text(slow.createConsumer(queue))).isEqualTo("held");
    assertThat(browse(session)).contains("held", "free");
  }

  @Test
  void shouldShowNothingOfAnotherQueue() throws JMSException {
    send(session, session.createQueue(queue.getQueueName() + "-other"), "other");
    assertThat(browse(session)).isEmpty();
  }

  @Test
  void shouldEndWhenItIsClosed() throws JMSException {
    send(session, queue, "m");
    QueueBrowser browser = session.createBrowser(queue);
    browser.close();
    assertThatThrownBy(browser::getEnumeration).isInstanceOf(JMSException.class);
    assertThat(text(session.createConsumer(queue))).isEqualTo("m");
  }
}
