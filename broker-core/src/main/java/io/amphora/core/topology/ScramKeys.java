package io.amphora.core.topology;

import java.security.MessageDigest;
import java.util.Base64;

/**
 * What a server keeps of a password for one hash (RFC 5802 section 3). Byte fields are Base64.
 *
 * @param salt random, at least 16 bytes
 * @param iterations of the key derivation, at least 4096
 * @param storedKey {@code H(ClientKey)}
 * @param serverKey {@code HMAC(SaltedPassword, "Server Key")}
 */
public record ScramKeys(String salt, int iterations, String storedKey, String serverKey) {

  /** Derives the keys; takes milliseconds of CPU, never on a loop. */
  static ScramKeys derive(ScramHash hash, String password, byte[] salt, int iterations) {
    byte[] salted = hash.salted(password, salt, iterations);
    Base64.Encoder base64 = Base64.getEncoder();
    return new ScramKeys(
        base64.encodeToString(salt),
        iterations,
        base64.encodeToString(hash.digest(hash.hmac(salted, "Client Key"))),
        base64.encodeToString(hash.hmac(salted, "Server Key")));
  }

  /** Whether the stored key is the hash of this client key; takes the same time for all. */
  public boolean isClientKey(ScramHash hash, byte[] clientKey) {
    return MessageDigest.isEqual(hash.digest(clientKey), Base64.getDecoder().decode(storedKey));
  }

  @Override
  public String toString() {
    return "ScramKeys[" + iterations + " iterations]";
  }
}
