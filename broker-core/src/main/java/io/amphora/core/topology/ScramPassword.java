package io.amphora.core.topology;

import java.security.SecureRandom;
import java.util.Base64;

/**
 * Makes and checks stored passwords (RFC 5802 section 3 with SHA-256, RFC 7677). Takes milliseconds
 * of CPU: never call it on a loop.
 */
public final class ScramPassword {

  /** Iterations of new credentials; RFC 7677 asks for at least 4096. */
  public static final int ITERATIONS = 10_000;

  private static final int SALT_BYTES = 16;

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
    return UserCredential.of(
        name, role, ScramKeys.derive(ScramHash.SHA_256, password, salt, iterations));
  }

  /** Whether the password is the user's; takes the same time for every wrong one. */
  public static boolean verify(UserCredential user, String password) {
    if (password.isEmpty()) {
      return false;
    }
    byte[] salt = Base64.getDecoder().decode(user.salt());
    byte[] salted = ScramHash.SHA_256.salted(password, salt, user.iterations());
    byte[] clientKey = ScramHash.SHA_256.hmac(salted, "Client Key");
    return user.sha256().isClientKey(ScramHash.SHA_256, clientKey);
  }
}
