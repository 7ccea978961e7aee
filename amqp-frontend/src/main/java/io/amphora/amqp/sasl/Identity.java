package io.amphora.amqp.sasl;

/**
 * Who the peer of a connection is.
 *
 * @param kind how much is known
 * @param user the name it proved to have; empty unless it is a {@link Kind#USER}
 * @param expiresMillis end of what proved it, milliseconds since 1970; {@link #NEVER} without one
 */
public record Identity(Kind kind, String user, long expiresMillis) {

  /** What does not expire. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Somebody who may work without saying who it is. */
  public static final Identity ANONYMOUS = new Identity(Kind.ANONYMOUS, "", NEVER);

  /** Somebody who may do nothing but put a token on {@code $cbs}. */
  public static final Identity PENDING = new Identity(Kind.PENDING, "", NEVER);

  /** How much is known of a peer. */
  public enum Kind {
    ANONYMOUS,
    PENDING,
    USER
  }

  /** A user by password or certificate. */
  public static Identity user(String name) {
    return new Identity(Kind.USER, name, NEVER);
  }

  /** A user by a token that is good until then. */
  public static Identity token(String name, long expiresMillis) {
    return new Identity(Kind.USER, name, expiresMillis);
  }

  /** False as long as it may only put a token on {@code $cbs}. */
  public boolean mayWork() {
    return kind != Kind.PENDING;
  }
}
