package io.amphora.amqp.node;

import io.amphora.amqp.codec.MalformedMessageException;
import io.amphora.amqp.codec.Nesting;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.apache.qpid.proton.codec.DroppingWritableBuffer;
import org.apache.qpid.proton.codec.WritableBuffer;
import org.apache.qpid.proton.message.Message;
import org.jspecify.annotations.Nullable;

/** Reads requests and writes answers. Pure. */
final class NodeCodec {

  private static final int SLACK = 1024;

  private NodeCodec() {}

  /** Reads a request; empty when the bytes are no message. */
  static Optional<Request> read(byte[] bytes, int length) {
    Message message = Proton.message();
    try {
      Nesting.check(bytes, 0, length);
      int used = message.decode(bytes, 0, length);
      return used == length ? Optional.of(request(message)) : Optional.empty();
    } catch (MalformedMessageException | RuntimeException e) {
      // The decoder throws what it meets: whatever it is, this is no message.
      return Optional.empty();
    }
  }

  private static Request request(Message message) {
    Properties properties = message.getProperties();
    ApplicationProperties application = message.getApplicationProperties();
    Map<String, Object> values = application == null ? Map.of() : application.getValue();
    Object body = body(message.getBody());
    if (properties == null) {
      return new Request(null, "", "", "", values == null ? Map.of() : values, body);
    }
    Object correlation = properties.getCorrelationId();
    return new Request(
        correlation == null ? properties.getMessageId() : correlation,
        orEmpty(properties.getTo()),
        orEmpty(properties.getSubject()),
        orEmpty(properties.getReplyTo()),
        values == null ? Map.of() : values,
        body);
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static @Nullable Object body(@Nullable Section section) {
    if (section instanceof AmqpValue value) {
      return value.getValue() instanceof Binary binary ? bytes(binary) : value.getValue();
    }
    return section instanceof Data data ? bytes(data.getValue()) : null;
  }

  private static byte[] bytes(Binary binary) {
    ByteBuffer content = binary.asByteBuffer();
    byte[] copy = new byte[content.remaining()];
    content.get(copy);
    return copy;
  }

  /**
   * Writes an answer.
   *
   * @param to where the request wanted it, empty for nowhere
   */
  static byte[] write(Response response, @Nullable Object id, String to) {
    Message message = Proton.message();
    Properties properties = new Properties();
    properties.setCorrelationId(id);
    if (!to.isEmpty()) {
      properties.setTo(to);
    }
    if (!response.subject().isEmpty()) {
      properties.setSubject(response.subject());
    }
    message.setProperties(properties);
    message.setApplicationProperties(new ApplicationProperties(response.properties()));
    message.setBody(new AmqpValue(response.body()));
    DroppingWritableBuffer counted = new DroppingWritableBuffer();
    message.encode(counted);
    // The encoder asks for more room than it fills.
    ByteBuffer out = ByteBuffer.allocate(2 * counted.position() + SLACK);
    message.encode(new WritableBuffer.ByteBufferWrapper(out));
    return Arrays.copyOf(out.array(), out.position());
  }
}
