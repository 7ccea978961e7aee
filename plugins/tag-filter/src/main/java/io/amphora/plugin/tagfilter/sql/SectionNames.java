package io.amphora.plugin.tagfilter.sql;

import io.amphora.plugin.MessageProperty;
import io.amphora.plugin.MessageView;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Fields by section, as AMQP filter expressions name them: {@code properties.subject}. Pure. */
final class SectionNames {

  private static final Map<String, String> SECTIONS =
      Map.of(
          "h", "header",
          "m", "message_annotations",
          "p", "properties",
          "a", "application_properties",
          "d", "delivery_annotations",
          "f", "footer");

  private static final Set<String> NOT_SEEN = Set.of("delivery_annotations", "footer");

  private SectionNames() {}

  /** A name without a known section is that of an application property. */
  static Function<MessageView, @Nullable Object> field(Token name) throws SyntaxException {
    String text = name.text();
    int dot = text.indexOf('.');
    String prefix = dot < 0 ? "" : text.substring(0, dot).toLowerCase(Locale.ROOT);
    String section = SECTIONS.getOrDefault(prefix, prefix);
    String field = text.substring(dot + 1);
    if (NOT_SEEN.contains(section)) {
      throw new SyntaxException(
          "filters do not see the section of '" + text + "'", name.position());
    }
    return switch (section) {
      case "header" -> header(field).orElseThrow(() -> unknown(name));
      case "properties" -> property(field).orElseThrow(() -> unknown(name));
      case "message_annotations" -> message -> message.annotation(field);
      case "application_properties" -> message -> message.applicationProperty(field);
      default -> message -> message.applicationProperty(text);
    };
  }

  private static SyntaxException unknown(Token name) {
    return new SyntaxException("there is no field '" + name.text() + "'", name.position());
  }

  /** A field of the header, by its name in the specification or with underscores. */
  static Optional<Function<MessageView, @Nullable Object>> header(String field) {
    return switch (field.replace('-', '_')) {
      case "durable" -> Optional.of(MessageView::durable);
      case "priority" -> Optional.of(message -> (long) message.priority());
      case "ttl" -> Optional.of(message -> boxed(message.ttlMillis()));
      case "delivery_count" -> Optional.of(message -> (long) message.deliveryCount());
      default -> Optional.empty();
    };
  }

  private static @Nullable Long boxed(OptionalLong value) {
    return value.isPresent() ? (Long) value.getAsLong() : null;
  }

  /** A field of the properties, by its name in the specification or with underscores. */
  static Optional<Function<MessageView, @Nullable Object>> property(String field) {
    String name = field.replace('_', '-');
    Optional<MessageProperty> found =
        Arrays.stream(MessageProperty.values())
            .filter(each -> each.amqpName().equals(name))
            .findFirst();
    return found.map(property -> message -> message.property(property));
  }
}
