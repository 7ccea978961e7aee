package io.amphora.amqp.node;

import java.util.Locale;
import java.util.Optional;

/**
 * Which node a link is attached to.
 *
 * @param kind what it speaks
 * @param entity what it is the node of: {@code orders} for {@code orders/$management}, else empty
 */
record NodeAddress(Kind kind, String entity) {

  private static final String OF_ENTITY = "/$management";

  enum Kind {
    /** {@code $cbs}: tokens. */
    TOKENS,
    /** {@code $management}: operation, type and name as application properties. */
    OPERATIONS,
    /** {@code /management}: HTTP over AMQP. */
    HTTP
  }

  /** The node of an address; empty for an address of something else. */
  static Optional<NodeAddress> of(String address) {
    // .NET sends the path of a URI, with its slash; /management is what it is.
    String name = address.startsWith("/$") ? address.substring(1) : address;
    String lower = name.toLowerCase(Locale.ROOT);
    return switch (lower) {
      case "$cbs" -> Optional.of(new NodeAddress(Kind.TOKENS, ""));
      case "$management" -> Optional.of(new NodeAddress(Kind.OPERATIONS, ""));
      case "/management" -> Optional.of(new NodeAddress(Kind.HTTP, ""));
      default ->
          lower.endsWith(OF_ENTITY)
              ? Optional.of(new NodeAddress(Kind.OPERATIONS, entity(name)))
              : Optional.empty();
    };
  }

  private static String entity(String name) {
    String entity = name.substring(0, name.length() - OF_ENTITY.length());
    return entity.startsWith("/") ? entity.substring(1) : entity;
  }
}
