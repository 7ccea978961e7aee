package io.amphora.boot.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions with local transactions. */
class LocalTransactionIT extends JmsSuite {

  private Connection other;
  private Session tx;

  @BeforeEach
  void transacted() throws JMSException {
    other = connection("", "&jms.prefetchPolicy.all=10");
    tx = other.createSession(true, Session.SESSION_TRANSACTED);
  }

  @Test
  void shouldShowWhatIsSentWhenItIsCommitted() throws JMSException {
    MessageConsumer consumer = session.createConsumer(queue);
    send(tx, queue, numbered("m", 3));
    assertEmpty(consumer);
    tx.commit();
    assertThat(texts(consumer, 3)).containsExactly("m0", "m1", "m2");
  }

  @Test
  void shouldDropWhatIsRolledBack() throws JMSException {
    send(tx, queue, "dropped");
    tx.rollback();
    send(tx, queue, "kept");
    tx.commit();
    MessageConsumer consumer = session.createConsumer(queue);
    assertThat(text(consumer)).isEqualTo("kept");
    assertEmpty(consumer);
  }

  @Test
  void shouldTakeWhatIsReceivedWhenItIsCommitted() throws JMSException {
    send(session, queue, numbered("m", 3));
    MessageConsumer consumer = tx.createConsumer(queue);
    texts(consumer, 2);
    tx.commit();
    consumer.close();
    assertThat(text(session.createConsumer(queue))).isEqualTo("m2");
  }

  @Test
  void shouldDeliverAgainWhatIsRolledBack() throws JMSException {
    send(session, queue, numbered("m", 3));
    MessageConsumer consumer = tx.createConsumer(queue);
    texts(consumer, 2);
    tx.rollback();
    Message again = message(consumer);
    assertThat(again.getBody(String.class)).isEqualTo("m0");
    assertThat(again.getJMSRedelivered()).isTrue();
    assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    assertThat(texts(consumer, 2)).containsExactly("m1", "m2");
    tx.commit();
    assertEmpty(consumer);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldMoveFromQueueToQueueOrNotAtAll(boolean commits) throws JMSException {
    Queue to = session.createQueue("to-" + UUID.randomUUID());
    send(session, queue, "moved");
    MessageConsumer from = tx.createConsumer(queue);
    send(tx, to, text(from));
    if (commits) {
      tx.commit();
    } else {
      tx.rollback();
    }
    tx.close();
    MessageConsumer there = session.createConsumer(to);
    MessageConsumer here = session.createConsumer(queue);
    assertThat(text(commits ? there : here)).isEqualTo("moved");
    assertEmpty(commits ? here : there);
  }

  @Test
  void shouldRollBackWhatIsOpenWhenTheSessionIsClosed() throws JMSException {
    send(tx, queue, "open");
    tx.close();
    assertEmpty(session.createConsumer(queue));
  }

  @Test
  void shouldRollBackWhatIsOpenWhenTheConnectionIsClosed() throws JMSException {
    send(session, queue, "taken");
    text(tx.createConsumer(queue));
    send(tx, topic, "open");
    other.close();
    assertThat(text(session.createConsumer(queue))).isEqualTo("taken");
  }

  @Test
  void shouldCommitNothing() throws JMSException {
    tx.commit();
    tx.rollback();
    tx.commit();
  }

  @Test
  void shouldCommitManyInARow() throws JMSException {
    MessageConsumer consumer = session.createConsumer(queue);
    for (int i = 0; i < 20; i++) {
      send(tx, queue, "m" + i);
      if (i % 4 == 3) {
        tx.rollback();
      } else {
        tx.commit();
      }
    }
    assertThat(texts(consumer, 15)).contains("m0", "m18").doesNotContain("m3", "m19");
    assertEmpty(consumer);
  }

  @Test
  void shouldKeepSessionsApart() throws JMSException {
    Session second = other.createSession(true, Session.SESSION_TRANSACTED);
    send(tx, queue, "first");
    send(second, queue, "second");
    second.commit();
    tx.rollback();
    MessageConsumer consumer = session.createConsumer(queue);
    assertThat(text(consumer)).isEqualTo("second");
    assertEmpty(consumer);
  }

  @Test
  void shouldFailTheCommitAfterAFailedSend() throws JMSException {
    send(tx, queue, "good");
    try {
      tx.createProducer(null).send(tx.createQueue("a::b::c"), tx.createMessage());
    } catch (JMSException refused) {
      assertThat(refused).hasMessageNotContaining("closed");
    }
    assertThatThrownBy(tx::commit)
        .isInstanceOf(JMSException.class)
        .hasMessageContaining("amqp:transaction:rollback");
    assertEmpty(session.createConsumer(queue));
  }

  @Test
  void shouldRefuseToRecoverOrToCommitOutside() {
    assertThatThrownBy(tx::recover).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(session::commit).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(session::rollback).isInstanceOf(IllegalStateException.class);
  }
}
