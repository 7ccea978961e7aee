package io.amphora.plugin.tagfilter.sql;

import io.amphora.plugin.MessageProperty;
import io.amphora.plugin.MessageView;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What names stand for in a JMS selector, as the JMS mapping of AMQP has it: JMS header fields,
 * {@code amqp.} with a field of the header or of the properties, {@code amqp.annotation.} or {@code
 * m.} with a message annotation; everything else is an application property. Pure.
 */
final class JmsNames {

  private static final String AMQP = "amqp.";
  private static final String ANNOTATION = "amqp.annotation.";
  private static final String SHORT_ANNOTATION = "m.";

  private static final Map<String, Function<MessageView, @Nullable Object>> FIELDS =
      new HashMap<>();

  static {
    FIELDS.put("JMSMessageID", JmsNames::messageId);
    FIELDS.put("JMSCorrelationID", JmsNames::correlationId);
    FIELDS.put("JMSTimestamp", of(MessageProperty.CREATION_TIME));
    FIELDS.put("JMSExpiration", of(MessageProperty.ABSOLUTE_EXPIRY_TIME));
    FIELDS.put("JMSType", of(MessageProperty.SUBJECT));
    FIELDS.put("JMSDestination", of(MessageProperty.TO));
    FIELDS.put("JMSReplyTo", of(MessageProperty.REPLY_TO));
    FIELDS.put("JMSPriority", message -> (long) message.priority());
    FIELDS.put("JMSDeliveryMode", JmsNames::deliveryMode);
    FIELDS.put("JMSRedelivered", message -> message.deliveryCount() > 0);
    FIELDS.put("JMSXDeliveryCount", message -> message.deliveryCount() + 1L);
    FIELDS.put("JMSXGroupID", of(MessageProperty.GROUP_ID));
    FIELDS.put("JMSXGroupSeq", of(MessageProperty.GROUP_SEQUENCE));
    FIELDS.put("JMSXUserID", message -> text(message.property(MessageProperty.USER_ID)));
    FIELDS.put("amqp.delivery_mode", JmsNames::deliveryMode);
    FIELDS.put("amqp.redelivered", message -> message.deliveryCount() > 0);
  }

  private JmsNames() {}

  private static Function<MessageView, @Nullable Object> of(MessageProperty property) {
    return message -> message.property(property);
  }

  static Function<MessageView, @Nullable Object> field(Token name) throws SyntaxException {
    String text = name.text();
    Function<MessageView, @Nullable Object> known = FIELDS.get(text);
    if (known != null) {
      return known;
    } else if (text.startsWith(ANNOTATION)) {
      return annotation(text.substring(ANNOTATION.length()));
    } else if (text.startsWith(SHORT_ANNOTATION)) {
      return annotation(text.substring(SHORT_ANNOTATION.length()));
    } else if (text.startsWith(AMQP)) {
      String field = text.substring(AMQP.length());
      Optional<Function<MessageView, @Nullable Object>> header = SectionNames.header(field);
      return header
          .or(() -> SectionNames.property(field))
          .orElseThrow(
              () -> new SyntaxException("there is no field '" + text + "'", name.position()));
    }
    return message -> message.applicationProperty(text);
  }

  private static Function<MessageView, @Nullable Object> annotation(String name) {
    return message -> message.annotation(name);
  }

  private static String deliveryMode(MessageView message) {
    return message.durable() ? "PERSISTENT" : "NON_PERSISTENT";
  }

  /** Every id has the prefix ID: in JMS. */
  private static @Nullable Object messageId(MessageView message) {
    Object id = message.property(MessageProperty.MESSAGE_ID);
    return id instanceof String text && !text.startsWith("ID:")
        ? "ID:AMQP_NO_PREFIX:" + text
        : typed(id);
  }

  /** A string is an id of the application's own when it has no prefix. */
  private static @Nullable Object correlationId(MessageView message) {
    return typed(message.property(MessageProperty.CORRELATION_ID));
  }

  private static @Nullable Object typed(@Nullable Object id) {
    if (id instanceof Number number) {
      return "ID:AMQP_ULONG:" + number;
    } else if (id instanceof UUID uuid) {
      return "ID:AMQP_UUID:" + uuid;
    } else if (id instanceof byte[] binary) {
      return "ID:AMQP_BINARY:" + HexFormat.of().withUpperCase().formatHex(binary);
    }
    return id;
  }

  private static @Nullable Object text(@Nullable Object value) {
    return value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : value;
  }
}
