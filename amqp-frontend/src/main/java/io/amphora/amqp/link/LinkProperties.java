package io.amphora.amqp.link;

import io.amphora.core.partition.Acks;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Receiver;
import org.jspecify.annotations.Nullable;

/** What links ask for in the properties of their attach (docs/amqp.md sections 2 and 3). Pure. */
final class LinkProperties {

  /** When its messages are answered: 0 at once, 1 by the leader, {@code all} by the ISR. */
  static final Symbol ACKS = Symbol.valueOf("amphora:acks");

  /** With which a reader claims a partition (conventions 5.3). */
  private static final Symbol EPOCH = Symbol.valueOf("com.microsoft:epoch");

  /** Echoed, because clients look for what they sent (conventions 3.2). */
  private static final String ECHOED = "com.microsoft:";

  private static final Symbol PAIRED = Symbol.valueOf("paired");

  /** Properties echoed at most. */
  private static final int MOST_ECHOED = 16;

  private LinkProperties() {}

  /** When its messages are answered; empty when it does not say: then the topic does. */
  static Optional<Acks> acks(Link link) {
    return Optional.ofNullable(asked(link)).flatMap(value -> Acks.ofWord(String.valueOf(value)));
  }

  /** False when it asks for something that does not exist. */
  static boolean isLegal(Link link) {
    return asked(link) == null || acks(link).isPresent();
  }

  /** The epoch of a reader; empty when it has none. */
  static OptionalLong epoch(Link link) {
    return of(link).get(EPOCH) instanceof Number number
        ? OptionalLong.of(number.longValue())
        : OptionalLong.empty();
  }

  /** The properties that are in force, as the client wrote them. */
  static Map<Symbol, Object> inForce(Link link) {
    Map<Symbol, Object> echo = new LinkedHashMap<>();
    of(link).entrySet().stream()
        .filter(entry -> isEchoed(link, entry.getKey()) && entry.getValue() != null)
        .limit(MOST_ECHOED)
        .forEach(entry -> echo.put(entry.getKey(), entry.getValue()));
    return echo;
  }

  private static boolean isEchoed(Link link, Symbol key) {
    boolean own = key.equals(ACKS) && link instanceof Receiver;
    return own || key.equals(PAIRED) || key.toString().startsWith(ECHOED);
  }

  private static @Nullable Object asked(Link link) {
    return of(link).get(ACKS);
  }

  private static Map<Symbol, Object> of(Link link) {
    Map<Symbol, Object> properties = link.getRemoteProperties();
    return properties == null ? Map.of() : properties;
  }
}
