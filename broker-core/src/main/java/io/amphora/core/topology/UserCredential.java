package io.amphora.core.topology;

/**
 * A user with a salted, hashed password (RFC 5802, SCRAM-SHA-256); the password itself is never
 * kept. Byte fields are Base64.
 */
public record UserCredential(
    String name, String role, String salt, int iterations, String storedKey, String serverKey) {

  @Override
  public String toString() {
    return "UserCredential[" + name + ", " + role + "]";
  }
}
