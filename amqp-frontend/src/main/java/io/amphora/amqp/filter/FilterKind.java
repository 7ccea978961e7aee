package io.amphora.amqp.filter;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.UnsignedLong;

/**
 * Filters that are known. The descriptor counts, in either form; clients choose keys as they like,
 * so the key counts only for a value without descriptor (conventions 3.6).
 */
enum FilterKind {
  /** RabbitMQ's start of a stream. */
  STREAM_OFFSET("rabbitmq:stream-offset-spec"),

  /** A selector. */
  SELECTOR("apache.org:selector-filter:string"),

  /** Our own start. */
  START("amphora:start");

  /** Codes of a selector: the standard one, and Microsoft's (conventions 0.2). */
  private static final Set<Long> SELECTOR_CODES = Set.of(0x468C00000004L, 0x137000000AL);

  private static final Set<String> SELECTOR_KEYS = Set.of("jms-selector", "selector");

  private final String symbol;

  FilterKind(String symbol) {
    this.symbol = symbol;
  }

  /** The kind of an entry of a filter map; empty when it is not known. */
  static Optional<FilterKind> of(Object key, Object value) {
    return Arrays.stream(values()).filter(kind -> kind.matches(key, value)).findFirst();
  }

  private boolean matches(Object key, Object value) {
    if (!(value instanceof DescribedType described)) {
      String name = key.toString();
      return symbol.equals(name) || (this == SELECTOR && SELECTOR_KEYS.contains(name));
    }
    return described.getDescriptor() instanceof UnsignedLong code
        ? this == SELECTOR && SELECTOR_CODES.contains(code.longValue())
        : symbol.equals(String.valueOf(described.getDescriptor()));
  }
}
