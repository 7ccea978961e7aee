package io.amphora.core.topology;

import java.util.Map;
import java.util.Optional;

/**
 * A user with a salted, hashed password (RFC 5802); the password itself is never kept.
 *
 * @param keys by hash; for SHA-256 always, for others since there are users with them
 */
public record UserCredential(String name, String role, Map<ScramHash, ScramKeys> keys) {

  /** The keys for a mechanism, when the password was set since it exists. */
  public Optional<ScramKeys> keysFor(ScramHash hash) {
    return Optional.ofNullable(keys.get(hash));
  }

  /** Whether the user can log in with every mechanism there is. */
  public boolean isComplete() {
    return keys.size() == ScramHash.values().length;
  }

  @Override
  public String toString() {
    return "UserCredential[" + name + ", " + role + "]";
  }
}
