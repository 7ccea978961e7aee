package io.amphora.boot.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Temporary queues and topics. */
class TemporaryDestinationIT extends JmsSuite {

  private Session elsewhere() throws JMSException {
    return connection("", "").createSession(false, Session.AUTO_ACKNOWLEDGE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldCarryAnAnswer(boolean ofQueue) throws JMSException {
    Destination replies = ofQueue ? session.createTemporaryQueue() : session.createTemporaryTopic();
    MessageConsumer answers = session.createConsumer(replies);
    Message request = session.createTextMessage("question");
    request.setJMSReplyTo(replies);
    session.createProducer(queue).send(request);
    Session other = elsewhere();
    Message asked = message(other.createConsumer(queue));
    other.createProducer(null).send(asked.getJMSReplyTo(), other.createTextMessage("answer"));
    assertThat(text(answers)).isEqualTo("answer");
  }

  @Test
  void shouldNameEachOtherwise() throws JMSException {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      names.add(session.createTemporaryQueue().getQueueName());
      names.add(session.createTemporaryTopic().getTopicName());
    }
    assertThat(names).hasSize(20);
  }

  @Test
  void shouldKeepWhatComesBeforeTheConsumerOfAQueue() throws JMSException {
    TemporaryQueue mine = session.createTemporaryQueue();
    send(elsewhere(), mine, "early");
    assertThat(text(session.createConsumer(mine))).isEqualTo("early");
  }

  @Test
  void shouldFanOutATemporaryTopic() throws JMSException {
    TemporaryTopic mine = session.createTemporaryTopic();
    MessageConsumer a = session.createConsumer(mine);
    MessageConsumer b = session.createConsumer(mine);
    send(elsewhere(), mine, "both");
    assertThat(text(a)).isEqualTo("both");
    assertThat(text(b)).isEqualTo("both");
  }

  @Test
  void shouldRefuseSendersOnceItIsDeleted() throws JMSException {
    TemporaryQueue mine = session.createTemporaryQueue();
    Session other = elsewhere();
    send(other, mine, "still there");
    mine.delete();
    assertThatThrownBy(() -> other.createProducer(mine))
        .isInstanceOf(InvalidDestinationException.class);
    assertThatThrownBy(() -> other.createProducer(null).send(mine, other.createMessage()))
        .isInstanceOf(JMSException.class);
  }

  @Test
  void shouldGoWithItsConnection() throws JMSException {
    Connection owner = connection("", "");
    TemporaryQueue theirs = owner.createSession(false, 1).createTemporaryQueue();
    send(session, theirs, "still there");
    owner.close();
    long until = System.nanoTime() + LIMIT_MILLIS * 1_000_000;
    while (isThere(theirs)) {
      assertThat(System.nanoTime() - until).as("nanoseconds over the limit").isNegative();
    }
  }

  private boolean isThere(TemporaryQueue queue) throws JMSException {
    try (MessageProducer producer = session.createProducer(queue)) {
      return true;
    } catch (InvalidDestinationException gone) {
      return false;
    }
  }

  @Test
  void shouldOutliveTheSessionThatMadeIt() throws JMSException {
    Session own = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    TemporaryQueue mine = own.createTemporaryQueue();
    own.close();
    send(elsewhere(), mine, "there");
    assertThat(text(session.createConsumer(mine))).isEqualTo("there");
  }

  @Test
  void shouldBelongToItsConnection() throws JMSException {
    TemporaryQueue mine = session.createTemporaryQueue();
    Session other = elsewhere();
    assertThatThrownBy(() -> other.createConsumer(mine))
        .isInstanceOf(InvalidDestinationException.class);
  }

  @Test
  void shouldNotBeDeletedUnderItsConsumer() throws JMSException {
    TemporaryQueue mine = session.createTemporaryQueue();
    MessageConsumer consumer = session.createConsumer(mine);
    assertThatThrownBy(mine::delete).isInstanceOf(IllegalStateException.class);
    consumer.close();
    mine.delete();
  }

  @Test
  void shouldNotBeCreatedByAnEqualName() {
    assertThatThrownBy(() -> session.createConsumer(session.createQueue("amphora.tmp.of-nobody")))
        .isInstanceOf(InvalidDestinationException.class);
  }
}
