package io.amphora.core.topology;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Makes and checks stored passwords (RFC 5802 section 3), for all hashes. Takes milliseconds of
 * CPU: never call it on a loop.
 */
public final class ScramPassword {

  /** Iterations of new credentials; RFC 7677 asks for at least 4096. */
  public static final int ITERATIONS = 10_000;

  private static final int SALT_BYTES = 16;

  private ScramPassword() {}

  /**
   * A credential with fresh salts.
   *
   * @param password at least one character
   * @throws IllegalArgumentException when the password is empty
   */
  public static UserCredential create(String name, String role, String password) {
    if (password.isEmpty()) {
      throw new IllegalArgumentException("the password is empty");
    }
    SecureRandom random = new SecureRandom();
    Map<ScramHash, ScramKeys> keys = new EnumMap<>(ScramHash.class);
    for (ScramHash hash : ScramHash.values()) {
      byte[] salt = new byte[SALT_BYTES];
      random.nextBytes(salt);
      keys.put(hash, ScramKeys.derive(hash, password, salt, ITERATIONS));
    }
    return new UserCredential(name, role, Map.copyOf(keys));
  }

  /**
   * Whether there is such a user, with that password; takes the same time for every wrong one and
   * for nobody, so that names cannot be probed.
   */
  public static boolean verify(Optional<UserCredential> user, String password) {
    boolean right = verify(user.orElse(Nobody.CREDENTIAL), password);
    return right && user.isPresent();
  }

  /** Made once, when it is needed. */
  private static final class Nobody {
    static final UserCredential CREDENTIAL = create("nobody", "", "nobody");
  }

  /** Whether the password is the user's; takes the same time for every wrong one. */
  public static boolean verify(UserCredential user, String password) {
    ScramKeys keys = user.keys().get(ScramHash.SHA_256);
    if (password.isEmpty() || keys == null) {
      return false;
    }
    byte[] salt = Base64.getDecoder().decode(keys.salt());
    byte[] salted = ScramHash.SHA_256.salted(password, salt, keys.iterations());
    byte[] clientKey = ScramHash.SHA_256.hmac(salted, "Client Key");
    return keys.isClientKey(ScramHash.SHA_256, clientKey);
  }
}
