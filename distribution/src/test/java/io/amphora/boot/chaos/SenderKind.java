package io.amphora.boot.chaos;

import java.util.Map;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.DeliveryMode;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.SenderOptions;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/** The kinds of senders (docs/amqp.md section 3). */
enum SenderKind {
  /** No key: the link stays on a partition. */
  STICKY,
  KEYED,
  ACKS_ONE,
  ACKS_NONE,
  PRE_SETTLED,
  /** To one partition by its address. */
  PARTITION,
  /** Anonymous terminus: by turns to the topic and to a partition. */
  ANONYMOUS,
  /** Messages of many frames. */
  LARGE;

  /** Also the publisher's identity in its messages. */
  int id() {
    return this == LARGE ? Payload.FIRST_LARGE : ordinal();
  }

  /** Whether an answer promises anything. */
  boolean promises() {
    return this != ACKS_NONE && this != PRE_SETTLED;
  }

  int window() {
    return this == LARGE ? 4 : 50;
  }

  long pauseNanos() {
    return this == LARGE ? 60_000_000L : 2_000_000L;
  }

  Sender open(Connection connection, String topic) throws ClientException {
    SenderOptions options = new SenderOptions();
    return switch (this) {
      case STICKY, KEYED, LARGE -> connection.openSender(topic, options);
      case ACKS_ONE -> connection.openSender(topic, options.properties(acks("1")));
      case ACKS_NONE -> connection.openSender(topic, options.properties(acks("0")));
      case PRE_SETTLED ->
          connection.openSender(topic, options.deliveryMode(DeliveryMode.AT_MOST_ONCE));
      case PARTITION ->
          connection.openSender(topic + "/Partitions/1", options.properties(acks("all")));
      case ANONYMOUS -> connection.openAnonymousSender(options);
    };
  }

  private static Map<String, Object> acks(String value) {
    return Map.of("amphora:acks", value);
  }

  Message<byte[]> message(Payload payload, String topic) throws ClientException {
    Message<byte[]> message = Message.create(payload.encode());
    if (this == ANONYMOUS) {
      message.to(payload.sequence() % 2 == 0 ? topic : topic + "/Partitions/2");
    }
    if (this != STICKY && this != PARTITION) {
      message.annotation("x-opt-partition-key", payload.key());
    }
    return message;
  }
}
