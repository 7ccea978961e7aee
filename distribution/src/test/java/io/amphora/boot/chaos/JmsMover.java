package io.amphora.boot.chaos;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.jspecify.annotations.Nullable;

/** A mover on a transacted session of Qpid JMS. */
final class JmsMover implements TransactionMover {

  private final int port;
  private final AtomicInteger committed;
  private volatile @Nullable Throwable surprise;

  JmsMover(int port, AtomicInteger committed) {
    this.port = port;
    this.committed = committed;
  }

  @Override
  public @Nullable Throwable surprise() {
    return surprise;
  }

  @Override
  public void run() {
    JmsConnectionFactory factory =
        new JmsConnectionFactory("amqp://127.0.0.1:" + port + "?jms.prefetchPolicy.all=4");
    factory.setSendTimeout(20_000);
    factory.setRequestTimeout(20_000);
    try (Connection connection = factory.createConnection()) {
      Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
      MessageConsumer consumer = session.createConsumer(session.createQueue("a"));
      MessageProducer toB = session.createProducer(session.createQueue("b"));
      MessageProducer toC = session.createProducer(session.createQueue("c"));
      connection.start();
      while (true) {
        TextMessage message = (TextMessage) consumer.receive(5_000);
        if (message == null) {
          session.rollback();
          continue;
        }
        toB.send(session.createTextMessage(message.getText()));
        toC.send(session.createTextMessage(message.getText()));
        session.commit();
        committed.incrementAndGet();
      }
    } catch (JMSException e) {
      // The broker was killed.
    } catch (RuntimeException e) {
      surprise = e;
    }
  }
}
