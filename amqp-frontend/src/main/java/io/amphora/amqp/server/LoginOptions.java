package io.amphora.amqp.server;

import io.amphora.amqp.token.Jwts;
import java.util.Optional;

/**
 * How clients of all listeners may prove who they are, besides passwords and certificates.
 *
 * @param tokens checks bearer tokens; empty when none are taken
 * @param claims where a token may be put on {@code $cbs} after the connection opened
 */
public record LoginOptions(Optional<Jwts> tokens, Claims claims) {

  /** Where {@code $cbs} is. */
  public enum Claims {
    NOWHERE,
    /** On listeners whose clients need no token. */
    WHERE_ANONYMOUS,
    /** Also on the others, when tokens can be checked: clients may do nothing else before. */
    EVERYWHERE
  }

  /** Passwords and certificates only. */
  public static final LoginOptions PLAIN = new LoginOptions(Optional.empty(), Claims.NOWHERE);

  /**
   * Whether a listener has {@code $cbs}.
   *
   * @param anonymous whether its clients may come without a user
   */
  public boolean hasClaims(boolean anonymous) {
    return switch (claims) {
      case NOWHERE -> false;
      case WHERE_ANONYMOUS -> anonymous;
      case EVERYWHERE -> anonymous || tokens.isPresent();
    };
  }
}
