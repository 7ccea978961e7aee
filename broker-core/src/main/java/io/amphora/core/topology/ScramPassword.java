package io.amphora.core.topology;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes and checks stored passwords (RFC 5802 section 3 with SHA-256, RFC 7677). Takes milliseconds
 * of CPU: never call it on a loop.
 */
public final class ScramPassword {

  /** Iterations of new credentials; RFC 7677 asks for at least 4096. */
  public static final int ITERATIONS = 10_000;

  private static final int SALT_BYTES = 16;
  private static final int KEY_BITS = 256;

  private ScramPassword() {}

  /**
   * A credential with a fresh salt.
   *
   * @param password at least one character
   * @throws IllegalArgumentException when the password is empty
   */
  public static UserCredential create(String name, String role, String password) {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    return create(name, role, password, salt, ITERATIONS);
  }

  static UserCredential create(
      String name, String role, String password, byte[] salt, int iterations) {
    if (password.isEmpty()) {
      throw new IllegalArgumentException("the password is empty");
    }
    byte[] salted = saltedPassword(password, salt, iterations);
    Base64.Encoder base64 = Base64.getEncoder();
    return new UserCredential(
        name,
        role,
        base64.encodeToString(salt),
        iterations,
        base64.encodeToString(sha256(hmac(salted, "Client Key"))),
        base64.encodeToString(hmac(salted, "Server Key")));
  }

  /** Whether the password is the user's; takes the same time for every wrong one. */
  public static boolean verify(UserCredential user, String password) {
    if (password.isEmpty()) {
      return false;
    }
    Base64.Decoder base64 = Base64.getDecoder();
    byte[] salted = saltedPassword(password, base64.decode(user.salt()), user.iterations());
    byte[] stored = sha256(hmac(salted, "Client Key"));
    return MessageDigest.isEqual(stored, base64.decode(user.storedKey()));
  }

  private static byte[] saltedPassword(String password, byte[] salt, int iterations) {
    char[] normalized = Normalizer.normalize(password, Normalizer.Form.NFKC).toCharArray();
    PBEKeySpec spec = new PBEKeySpec(normalized, salt, iterations, KEY_BITS);
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has PBKDF2WithHmacSHA256", e);
    } finally {
      spec.clearPassword();
    }
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  private static byte[] sha256(byte[] input) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(input);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
