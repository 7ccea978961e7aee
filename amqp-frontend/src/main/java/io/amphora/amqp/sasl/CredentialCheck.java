package io.amphora.amqp.sasl;

import io.amphora.core.topology.ScramHash;
import io.amphora.core.topology.ScramKeys;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** What is known of users, without blocking the caller. */
public interface CredentialCheck {

  /** What the check came to. */
  enum Verdict {
    /** The password is right. */
    OK,
    /** No such user, or a wrong password: the client must not try again by itself. */
    WRONG,
    /** The back end has trouble: the client may try again. */
    UNAVAILABLE
  }

  /** Makes the checks of one connection. */
  interface ForConnection {
    /**
     * @param loop where answers arrive
     * @param certificateUser see {@link CredentialCheck#certificateUser}
     */
    CredentialCheck on(Executor loop, Optional<String> certificateUser);
  }

  /** Who the client's certificate names, when there is one that TLS verified. */
  default Optional<String> certificateUser() {
    return Optional.empty();
  }

  /**
   * Whether SCRAM with this hash is offered: clients choose the strongest, so only what works for
   * every user is.
   */
  default boolean offers(ScramHash hash) {
    return hash == ScramHash.SHA_256;
  }

  /** Whether clients may come as nobody, to put a token on {@code $cbs}. */
  default boolean claims() {
    return false;
  }

  /** Checks bearer tokens; empty when there are no keys to check them with. */
  default Optional<TokenCheck> tokens() {
    return Optional.empty();
  }

  /**
   * Starts a check.
   *
   * @param done gets the verdict once, on the loop of the connection
   */
  void check(String user, String password, Consumer<Verdict> done);

  /**
   * The user's keys. For a user that does not exist or has none for that hash: keys that no
   * password fits, the same at each call, so that a peer cannot tell which users there are.
   */
  ScramKeys scramKeys(String user, ScramHash hash);
}
