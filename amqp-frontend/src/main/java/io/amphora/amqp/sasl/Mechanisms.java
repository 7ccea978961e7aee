package io.amphora.amqp.sasl;

import io.amphora.core.topology.ScramHash;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Which mechanisms a peer is offered, and the one it chose. */
final class Mechanisms {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int NONCE_BYTES = 18;

  private final boolean anonymous;
  private final CredentialCheck credentials;

  Mechanisms(boolean anonymous, CredentialCheck credentials) {
    this.anonymous = anonymous;
    this.credentials = credentials;
  }

  /**
   * Strongest first: several clients take the first that fits them. EXTERNAL only with a verified
   * certificate: Proton takes it whenever it is offered (conventions 1.3).
   */
  List<String> offered() {
    List<String> names = new ArrayList<>();
    credentials.certificateUser().ifPresent(user -> names.add(ExternalMechanism.NAME));
    names.add(ScramHash.SHA_256.mechanism());
    names.add(PlainMechanism.NAME);
    if (anonymous) {
      names.add(AnonymousMechanism.NAME);
    }
    return names;
  }

  /** A fresh exchange; empty when the mechanism was not offered. */
  Optional<Mechanism> start(String name) {
    if (!offered().contains(name)) {
      return Optional.empty();
    }
    return Optional.of(
        switch (name) {
          case AnonymousMechanism.NAME -> new AnonymousMechanism();
          case ExternalMechanism.NAME ->
              new ExternalMechanism(credentials.certificateUser().orElseThrow());
          case PlainMechanism.NAME -> new PlainMechanism(credentials);
          default -> new ScramMechanism(ScramHash.SHA_256, credentials, nonce());
        });
  }

  private static String nonce() {
    byte[] bytes = new byte[NONCE_BYTES];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
