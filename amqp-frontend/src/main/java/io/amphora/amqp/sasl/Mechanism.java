package io.amphora.amqp.sasl;

import java.util.Optional;
import java.util.function.Consumer;

/** The server's side of one exchange with one mechanism. Owned by the connection loop. */
interface Mechanism {

  /**
   * Takes what the client said.
   *
   * @param response the initial response, which may be absent, or the answer to a challenge
   * @param next gets what to do now, once, on the connection loop, maybe before this returns
   */
  void respond(Optional<byte[]> response, Consumer<Step> next);
}
