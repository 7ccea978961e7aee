package io.amphora.amqp.sasl;

import io.amphora.core.topology.ScramHash;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

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

  /** Names, in the order in which a client should try. */
  List<String> offered() {
    return new ArrayList<>(available().keySet());
  }

  /** A fresh exchange; empty when the mechanism was not offered. */
  Optional<Mechanism> start(String name) {
    return Optional.ofNullable(available().get(name)).map(Supplier::get);
  }

  /**
   * Strongest first: several clients take the first that fits them. EXTERNAL only with a verified
   * certificate: Proton takes it whenever it is offered (conventions 1.3). Tokens behind passwords:
   * protonj2 takes any password for a token.
   */
  private Map<String, Supplier<Mechanism>> available() {
    Map<String, Supplier<Mechanism>> all = new LinkedHashMap<>();
    credentials
        .certificateUser()
        .ifPresent(user -> all.put(ExternalMechanism.NAME, () -> new ExternalMechanism(user)));
    for (ScramHash hash : List.of(ScramHash.SHA_512, ScramHash.SHA_256)) {
      if (credentials.offers(hash)) {
        all.put(hash.mechanism(), () -> new ScramMechanism(hash, credentials, nonce()));
      }
    }
    all.put(PlainMechanism.NAME, () -> new PlainMechanism(credentials));
    credentials
        .tokens()
        .ifPresent(
            tokens -> {
              for (BearerMechanism.Form form : BearerMechanism.Form.values()) {
                all.put(form.name(), () -> new BearerMechanism(form, tokens));
              }
            });
    Identity nobody = anonymous ? Identity.ANONYMOUS : Identity.PENDING;
    if (credentials.claims()) {
      all.put(AnonymousMechanism.CLAIMS, () -> new AnonymousMechanism(nobody));
    }
    if (anonymous || credentials.claims()) {
      all.put(AnonymousMechanism.NAME, () -> new AnonymousMechanism(nobody));
    }
    return all;
  }

  private static String nonce() {
    byte[] bytes = new byte[NONCE_BYTES];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
