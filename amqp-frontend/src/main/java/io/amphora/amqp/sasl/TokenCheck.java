package io.amphora.amqp.sasl;

import io.amphora.core.Reply;
import java.util.function.Consumer;

/**
 * Whose a bearer token is, without blocking the caller. Used by OAUTHBEARER and XOAUTH2, and by
 * {@code $cbs}. Owned by the connection loop.
 */
public interface TokenCheck {

  /**
   * Starts a check.
   *
   * @param token a JSON web token (RFC 7519) in its compact form, as the client sent it
   * @param done gets the user and the time at which the token is good no longer, once, on the loop
   *     of the connection, maybe before this returns. {@code UNAUTHORIZED} when the token is not
   *     good, with a reason that may be shown to the client; any other error when nobody can tell
   *     now
   */
  void check(String token, Consumer<Reply<Identity>> done);
}
