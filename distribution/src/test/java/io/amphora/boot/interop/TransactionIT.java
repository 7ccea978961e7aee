package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.boot.it.BrokerProcess;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TransactionRolledBackException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions as applications on Qpid JMS and protonj2 use them. */
@Tag("interop")
class TransactionIT {

  private static final long TIMEOUT_MILLIS = 20_000;
  private static final long SHORT_MILLIS = 300;

  @TempDir static Path dir;
  private static BrokerProcess broker;
  private static BrokerProcess hasty;

  private Connection connection;
  private Session session;
  private Session plain;
  private Queue from;
  private Queue to;

  @BeforeAll
  static void startBrokers() throws Exception {
    broker = BrokerProcess.serving(dir.resolve("data"));
    hasty = BrokerProcess.serving(dir.resolve("hasty"), "--set", "transactions.timeout=1s");
  }

  @AfterAll
  static void stopBrokers() {
    broker.close();
    hasty.close();
  }

  @BeforeEach
  void connect() throws JMSException {
    connection = QpidJmsIT.connect(broker, "");
    session = connection.createSession(true, Session.SESSION_TRANSACTED);
    plain = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    from = session.createQueue("from-" + UUID.randomUUID());
    to = session.createQueue("to-" + UUID.randomUUID());
    connection.start();
  }

  @AfterEach
  void disconnect() throws JMSException {
    connection.close();
  }

  private void publish(String... texts) throws JMSException {
    MessageProducer producer = plain.createProducer(from);
    for (String text : texts) {
      producer.send(plain.createTextMessage(text));
    }
    producer.close();
  }

  private List<String> drain(Queue queue) throws JMSException {
    List<String> texts = new ArrayList<>();
    MessageConsumer consumer = plain.createConsumer(queue);
    for (Message m = consumer.receive(SHORT_MILLIS);
        m != null;
        m = consumer.receive(SHORT_MILLIS)) {
      texts.add(((TextMessage) m).getText());
    }
    consumer.close();
    return texts;
  }

  private static TextMessage next(MessageConsumer consumer) throws JMSException {
    TextMessage message = (TextMessage) consumer.receive(TIMEOUT_MILLIS);
    assertThat(message).as("a message within %d ms", TIMEOUT_MILLIS).isNotNull();
    return message;
  }

  @Test
  void jmsCommitsWhatWasReceivedAndSent() throws JMSException {
    publish("a", "b", "c");
    MessageConsumer consumer = session.createConsumer(from);
    MessageProducer producer = session.createProducer(to);
    producer.send(session.createTextMessage(next(consumer).getText() + "!"));
    producer.send(session.createTextMessage(next(consumer).getText() + "!"));
    assertThat(drain(to)).isEmpty();
    session.commit();
    assertThat(drain(to)).containsExactly("a!", "b!");
    consumer.close();
    session.close();
    assertThat(drain(from)).containsExactly("c");
  }

  @Test
  void jmsRollsBackWhatWasReceivedAndSent() throws JMSException {
    publish("a", "b");
    MessageConsumer consumer = session.createConsumer(from);
    MessageProducer producer = session.createProducer(to);
    assertThat(next(consumer).getJMSRedelivered()).isFalse();
    next(consumer);
    producer.send(session.createTextMessage("never"));
    session.rollback();
    TextMessage again = next(consumer);
    assertThat(again.getText()).isEqualTo("a");
    assertThat(again.getJMSRedelivered()).isTrue();
    assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    assertThat(next(consumer).getText()).isEqualTo("b");
    session.commit();
    assertThat(drain(to)).isEmpty();
    consumer.close();
    assertThat(drain(from)).isEmpty();
  }

  @Test
  void jmsLosesNothingWhenItDisconnectsInTheMiddle() throws JMSException {
    publish("a", "b");
    try (Connection other = QpidJmsIT.connect(broker, "")) {
      Session transacted = other.createSession(true, Session.SESSION_TRANSACTED);
      other.start();
      MessageConsumer consumer = transacted.createConsumer(from);
      transacted.createProducer(to).send(transacted.createTextMessage("never"));
      assertThat(next(consumer).getText()).isEqualTo("a");
    }
    MessageConsumer consumer = plain.createConsumer(from);
    assertThat(List.of(next(consumer).getText(), next(consumer).getText()))
        .containsExactlyInAnyOrder("a", "b");
    assertThat(drain(to)).isEmpty();
  }

  @Test
  void jmsWorksInSeveralSessionsAtOnce() throws JMSException {
    Session second = connection.createSession(true, Session.SESSION_TRANSACTED);
    session.createProducer(to).send(session.createTextMessage("one"));
    second.createProducer(to).send(second.createTextMessage("two"));
    second.commit();
    assertThat(drain(to)).containsExactly("two");
    session.rollback();
    session.createProducer(to).send(session.createTextMessage("three"));
    session.commit();
    assertThat(drain(to)).containsExactly("three");
  }

  @Test
  void jmsCommitsManyInARow() throws JMSException {
    MessageProducer producer = session.createProducer(to);
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      sent.add("m" + i);
      producer.send(session.createTextMessage("m" + i));
      if (i % 2 == 1) {
        session.commit();
      }
    }
    assertThat(drain(to)).isEqualTo(sent);
  }

  @Test
  void jmsHearsThatATransactionTookTooLong() throws Exception {
    try (Connection slow = QpidJmsIT.connect(hasty, "")) {
      Session transacted = slow.createSession(true, Session.SESSION_TRANSACTED);
      Queue queue = transacted.createQueue("slow");
      transacted.createProducer(queue).send(transacted.createTextMessage("never"));
      TimeUnit.MILLISECONDS.sleep(2_500);
      assertThatThrownBy(transacted::commit).isInstanceOf(TransactionRolledBackException.class);
      transacted.createProducer(queue).send(transacted.createTextMessage("x"));
      transacted.commit();
      slow.start();
      MessageConsumer consumer = transacted.createConsumer(queue);
      assertThat(next(consumer).getText()).isEqualTo("x");
    }
  }

  // --- protonj2

  private static ReceiverOptions manual() {
    return new ReceiverOptions().autoAccept(false).creditWindow(1);
  }

  private static org.apache.qpid.protonj2.client.Connection open(Client client)
      throws ClientException {
    return client.connect("127.0.0.1", broker.amqpPort());
  }

  private static Delivery next(Receiver receiver) throws ClientException {
    Delivery delivery = receiver.receive(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    assertThat(delivery).as("a delivery within %d ms", TIMEOUT_MILLIS).isNotNull();
    return delivery;
  }

  private static void send(Sender sender, String text) throws ClientException {
    sender
        .send(org.apache.qpid.protonj2.client.Message.create(text))
        .awaitSettlement(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Test
  void protonj2CommitsAndRollsBack() throws Exception {
    publish("a", "b");
    try (Client client = Client.create();
        org.apache.qpid.protonj2.client.Connection wire = open(client)) {
      org.apache.qpid.protonj2.client.Session work = wire.openSession();
      Receiver receiver = work.openReceiver(from.getQueueName(), manual());
      Sender sender = work.openSender(to.getQueueName());
      work.beginTransaction();
      Delivery first = next(receiver);
      assertThat((Object) first.message().body()).isEqualTo("a");
      first.accept();
      send(sender, "a!");
      work.commitTransaction();
      work.beginTransaction();
      next(receiver).accept();
      send(sender, "never");
      work.rollbackTransaction();
      Delivery again = next(receiver);
      assertThat((Object) again.message().body()).isEqualTo("b");
      assertThat(again.message().deliveryCount()).isEqualTo(1);
      again.accept();
      receiver.close();
    }
    assertThat(drain(to)).containsExactly("a!");
    assertThat(drain(from)).isEmpty();
  }

  @Test
  void protonj2LosesNothingWhenItDisconnectsInTheMiddle() throws Exception {
    publish("a");
    try (Client client = Client.create();
        org.apache.qpid.protonj2.client.Connection wire = open(client)) {
      org.apache.qpid.protonj2.client.Session work = wire.openSession();
      work.beginTransaction();
      next(work.openReceiver(from.getQueueName(), manual())).accept();
      send(work.openSender(to.getQueueName()), "never");
    }
    MessageConsumer consumer = plain.createConsumer(from);
    assertThat(next(consumer).getText()).isEqualTo("a");
    assertThat(drain(to)).isEmpty();
  }
}
