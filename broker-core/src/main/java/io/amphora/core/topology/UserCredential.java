package io.amphora.core.topology;

/**
 * A user with a salted, hashed password (RFC 5802, SCRAM-SHA-256); the password itself is never
 * kept. Byte fields are Base64.
 */
public record UserCredential(
    String name, String role, String salt, int iterations, String storedKey, String serverKey) {

  static UserCredential of(String name, String role, ScramKeys keys) {
    return new UserCredential(
        name, role, keys.salt(), keys.iterations(), keys.storedKey(), keys.serverKey());
  }

  /** The keys for SCRAM-SHA-256. */
  public ScramKeys sha256() {
    return new ScramKeys(salt, iterations, storedKey, serverKey);
  }

  @Override
  public String toString() {
    return "UserCredential[" + name + ", " + role + "]";
  }
}
