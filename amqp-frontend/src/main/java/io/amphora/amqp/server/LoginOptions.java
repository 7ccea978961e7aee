package io.amphora.amqp.server;

import io.amphora.amqp.token.Jwts;
import java.util.Optional;

/**
 * How clients of all listeners may prove who they are, besides passwords and certificates.
 *
 * @param tokens checks bearer tokens; empty when none are taken
 * @param claims whether a token may be put on {@code $cbs} after the connection opened; on a
 *     listener that is not for anonymous clients this needs {@code tokens}
 */
public record LoginOptions(Optional<Jwts> tokens, boolean claims) {

  /** Passwords and certificates only. */
  public static final LoginOptions PLAIN = new LoginOptions(Optional.empty(), false);
}
