package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.boot.it.BrokerProcess;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.CRC32C;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages of Qpid JMS that are larger than the broker holds in memory, or than all of its heap.
 */
@Tag("interop")
class LargeJmsMessageIT {

  private static final String HEAP = "96m";
  private static final long TIMEOUT_MILLIS = 300_000;
  private static final int CHUNK = 1 << 20;

  @TempDir Path dir;

  private static byte[] chunk(Random random, int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {10 << 20, 100_000_000})
  void shouldCarryLargeMessages(int size) throws Exception {
    try (BrokerProcess broker =
            BrokerProcess.servingWithHeap(
                HEAP, dir, "--set", "topics.default.max-message-size=128MiB");
        Connection connection = connection(broker)) {
      Session session = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
      Queue queue = session.createQueue("large");
      long sent = send(session, queue, size);
      try (MessageConsumer consumer = session.createConsumer(queue)) {
        BytesMessage received = (BytesMessage) consumer.receive(TIMEOUT_MILLIS);
        assertThat(received).isNotNull();
        assertThat(received.getBodyLength()).isEqualTo(size);
        assertThat(received.getStringProperty("kind")).isEqualTo("large");
        assertThat(checksum(received)).as("bytes as they were sent").isEqualTo(sent);
        received.acknowledge();
        TextMessage behind = (TextMessage) consumer.receive(TIMEOUT_MILLIS);
        assertThat(behind.getText()).isEqualTo("behind");
        behind.acknowledge();
      }
    }
  }

  private static Connection connection(BrokerProcess broker) throws JMSException {
    JmsConnectionFactory factory =
        new JmsConnectionFactory(
            "amqp://127.0.0.1:" + broker.amqpPort() + "?amqp.idleTimeout=300000");
    factory.setSendTimeout(TIMEOUT_MILLIS);
    factory.setRequestTimeout(TIMEOUT_MILLIS);
    Connection connection = factory.createConnection();
    connection.start();
    return connection;
  }

  /** Sends one large message and a small one behind it; the checksum of the large one. */
  private static long send(Session session, Queue queue, int size) throws JMSException {
    CRC32C crc = new CRC32C();
    Random random = new Random(size);
    BytesMessage message = session.createBytesMessage();
    for (int left = size; left > 0; left -= CHUNK) {
      byte[] bytes = chunk(random, Math.min(CHUNK, left));
      crc.update(bytes);
      message.writeBytes(bytes);
    }
    message.setStringProperty("kind", "large");
    try (MessageProducer producer = session.createProducer(queue)) {
      producer.send(message);
      producer.send(session.createTextMessage("behind"));
    }
    return crc.getValue();
  }

  private static long checksum(BytesMessage message) throws JMSException {
    CRC32C crc = new CRC32C();
    byte[] some = new byte[CHUNK];
    for (int count = message.readBytes(some); count > 0; count = message.readBytes(some)) {
      crc.update(some, 0, count);
    }
    return crc.getValue();
  }
}
