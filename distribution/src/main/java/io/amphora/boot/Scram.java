package io.amphora.boot;

import io.amphora.core.topology.UserCredential;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** Turns a password into what is kept of it (RFC 5802 section 3, SCRAM-SHA-256 of RFC 7677). */
final class Scram {

  private static final int ITERATIONS = 10_000;
  private static final int SALT_BYTES = 16;
  private static final int KEY_BITS = 256;

  private Scram() {}

  /** A credential with a new salt. */
  static UserCredential credential(String name, String role, String password) {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    return derive(name, role, password, Base64.getEncoder().encodeToString(salt), ITERATIONS);
  }

  /** True when the credential was made from that password. */
  static boolean matches(UserCredential kept, String password) {
    UserCredential derived =
        derive(kept.name(), kept.role(), password, kept.salt(), kept.iterations());
    return MessageDigest.isEqual(
        derived.storedKey().getBytes(StandardCharsets.US_ASCII),
        kept.storedKey().getBytes(StandardCharsets.US_ASCII));
  }

  static UserCredential derive(
      String name, String role, String password, String salt, int iterations) {
    try {
      byte[] salted =
          SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
              .generateSecret(
                  new PBEKeySpec(
                      password.toCharArray(),
                      Base64.getDecoder().decode(salt),
                      iterations,
                      KEY_BITS))
              .getEncoded();
      byte[] storedKey = MessageDigest.getInstance("SHA-256").digest(hmac(salted, "Client Key"));
      Base64.Encoder base64 = Base64.getEncoder();
      return new UserCredential(
          name,
          role,
          salt,
          iterations,
          base64.encodeToString(storedKey),
          base64.encodeToString(hmac(salted, "Server Key")));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime lacks SCRAM-SHA-256", e);
    }
  }

  private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
  }
}
