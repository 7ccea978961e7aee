package io.amphora.amqp.sasl;

import io.amphora.core.topology.ScramHash;
import io.amphora.core.topology.ScramKeys;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * SCRAM without channel binding (RFC 5802 sections 3 and 5, RFC 7677): the password never travels,
 * and the server proves that it knows the user. A few hashes, no key derivation: quick enough for a
 * loop. An unknown user is refused at the same step as a wrong password.
 */
final class ScramMechanism implements Mechanism {

  private static final Step REFUSED = new Step.Refused(Step.Code.AUTH);

  private enum State {
    FIRST,
    FINAL,
    PROVED
  }

  private final ScramHash hash;
  private final CredentialCheck credentials;
  private final String serverNonce;
  private State state = State.FIRST;
  private @Nullable ScramFirst first;
  private @Nullable ScramKeys keys;
  private String serverFirst = "";

  /**
   * @param serverNonce fresh and random, printable, without commas
   */
  ScramMechanism(ScramHash hash, CredentialCheck credentials, String serverNonce) {
    this.hash = hash;
    this.credentials = credentials;
    this.serverNonce = serverNonce;
  }

  @Override
  public void respond(Optional<byte[]> response, Consumer<Step> next) {
    String text = new String(response.orElse(new byte[0]), StandardCharsets.UTF_8);
    next.accept(
        switch (state) {
          case FIRST -> response.isEmpty() ? new Step.Challenge(new byte[0]) : onFirst(text);
          case FINAL -> onFinal(text);
          case PROVED ->
              text.isEmpty() && first != null
                  ? new Step.Accepted(Identity.user(first.user()))
                  : REFUSED;
        });
  }

  private Step onFirst(String text) {
    Optional<ScramFirst> parsed = ScramFirst.parse(text);
    if (parsed.isEmpty()) {
      return REFUSED;
    }
    first = parsed.get();
    keys = credentials.scramKeys(first.user(), hash);
    serverFirst =
        "r=" + first.nonce() + serverNonce + ",s=" + keys.salt() + ",i=" + keys.iterations();
    state = State.FINAL;
    return challenge(serverFirst);
  }

  /** The order is fixed: channel binding, nonce, extensions that are ignored, proof. */
  private Step onFinal(String text) {
    int proofAt = text.lastIndexOf(",p=");
    if (proofAt < 0 || first == null || keys == null) {
      return REFUSED;
    }
    String withoutProof = text.substring(0, proofAt);
    String expected = "c=" + first.binding() + ",r=" + first.nonce() + serverNonce;
    boolean bound = withoutProof.equals(expected) || withoutProof.startsWith(expected + ",");
    if (!bound) {
      return REFUSED;
    }
    String message = first.bare() + "," + serverFirst + "," + withoutProof;
    byte[] signature = hash.hmac(decoded(keys.storedKey()), message);
    byte[] proof = decoded(text.substring(proofAt + 3));
    if (proof.length != signature.length || !keys.isClientKey(hash, xor(proof, signature))) {
      return REFUSED;
    }
    state = State.PROVED;
    byte[] server = hash.hmac(decoded(keys.serverKey()), message);
    // As a challenge: clients that never see the server's signature give up (conventions 1.4).
    return challenge("v=" + Base64.getEncoder().encodeToString(server));
  }

  private static byte[] decoded(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException malformed) {
      return new byte[0];
    }
  }

  private static byte[] xor(byte[] a, byte[] b) {
    byte[] result = new byte[a.length];
    for (int i = 0; i < a.length; i++) {
      result[i] = (byte) (a[i] ^ b[i]);
    }
    return result;
  }

  private static Step challenge(String text) {
    return new Step.Challenge(text.getBytes(StandardCharsets.UTF_8));
  }
}
