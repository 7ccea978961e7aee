package io.amphora.amqp.link;

import io.amphora.core.partition.Acks;
import java.util.Map;
import java.util.Optional;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.engine.Link;
import org.jspecify.annotations.Nullable;

/** What a sender asks for in the properties of its attach (docs/amqp.md section 3). Pure. */
final class LinkProperties {

  /** When its messages are answered: 0 at once, 1 by the leader, {@code all} by the ISR. */
  static final Symbol ACKS = Symbol.valueOf("amphora:acks");

  private LinkProperties() {}

  /** When its messages are answered; empty when it does not say: then the topic does. */
  static Optional<Acks> acks(Link link) {
    return Optional.ofNullable(asked(link)).flatMap(value -> Acks.ofWord(String.valueOf(value)));
  }

  /** False when it asks for something that does not exist. */
  static boolean isLegal(Link link) {
    return asked(link) == null || acks(link).isPresent();
  }

  /** The properties that are in force, as the client wrote them. */
  static Map<Symbol, Object> inForce(Link link) {
    Object value = asked(link);
    return value == null ? Map.of() : Map.of(ACKS, value);
  }

  private static @Nullable Object asked(Link link) {
    Map<Symbol, Object> properties = link.getRemoteProperties();
    return properties == null ? null : properties.get(ACKS);
  }
}
