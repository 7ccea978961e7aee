package io.amphora.amqp.node;

import io.amphora.amqp.link.RequestNodes.Connected;
import io.amphora.amqp.sasl.Identity;
import io.amphora.amqp.sasl.TokenCheck;
import io.amphora.core.Reply;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Bearer tokens that come when the connection is open: the first makes somebody of a peer that may
 * not work yet, later ones prolong that. Owned by the connection loop.
 */
final class Bearer {

  private final Connected connection;
  private final Runnable changed;

  /**
   * @param changed told when the connection is good for longer
   */
  Bearer(Connected connection, Runnable changed) {
    this.connection = connection;
    this.changed = changed;
  }

  /** Whether there are keys to check tokens with. */
  boolean isServed() {
    return connection.engine().tokens().isPresent();
  }

  /**
   * Checks a token and takes it.
   *
   * @param done gets what is wrong with it; empty when it was taken
   */
  void put(String token, Consumer<Optional<String>> done) {
    Optional<TokenCheck> check = connection.engine().tokens();
    if (check.isEmpty()) {
      done.accept(Optional.of("there are no keys to check tokens with"));
      return;
    }
    check.get().check(token, reply -> connection.later().accept(() -> done.accept(take(reply))));
  }

  private Optional<String> take(Reply<Identity> reply) {
    if (reply instanceof Reply.Failed<Identity> failed) {
      return Optional.of(String.valueOf(failed.error().getMessage()));
    }
    Identity proved = reply.orThrow();
    Identity now = connection.engine().identity();
    if (now.kind() == Identity.Kind.USER && !now.user().equals(proved.user())) {
      return Optional.of("the token is for another user than the connection");
    }
    boolean renews = now.kind() == Identity.Kind.USER && now.expiresMillis() != Identity.NEVER;
    if (!now.mayWork() || renews) {
      connection.engine().identify(proved);
      changed.run();
    }
    return Optional.empty();
  }
}
