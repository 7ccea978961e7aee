package io.amphora.amqp.filter;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.UnsignedLong;

/**
 * Filters that are known. The descriptor counts, in either form; clients choose keys as they like,
 * so the key counts only for a value without descriptor (conventions 3.6).
 */
enum FilterKind {
  /** RabbitMQ's start of a stream. */
  STREAM_OFFSET("rabbitmq:stream-offset-spec", List.of(), List.of()),

  /** A selector: the standard code, and Microsoft's (conventions 0.2). */
  SELECTOR(
      "apache.org:selector-filter:string",
      List.of(0x468C00000004L, 0x137000000AL),
      List.of("jms-selector", "selector")),

  /** Our own start. */
  START("amphora:start", List.of(), List.of());

  private final String symbol;
  private final List<Long> codes;
  private final List<String> keys;

  FilterKind(String symbol, List<Long> codes, List<String> keys) {
    this.symbol = symbol;
    this.codes = codes;
    this.keys = keys;
  }

  /** The kind of an entry of a filter map; empty when it is not known. */
  static Optional<FilterKind> of(Object key, Object value) {
    return Arrays.stream(values()).filter(kind -> kind.matches(key, value)).findFirst();
  }

  private boolean matches(Object key, Object value) {
    if (!(value instanceof DescribedType described)) {
      return symbol.equals(key.toString()) || keys.contains(key.toString());
    }
    return described.getDescriptor() instanceof UnsignedLong code
        ? codes.contains(code.longValue())
        : symbol.equals(String.valueOf(described.getDescriptor()));
  }
}
