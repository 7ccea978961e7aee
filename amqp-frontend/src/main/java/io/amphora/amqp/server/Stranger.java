package io.amphora.amqp.server;

import io.amphora.core.topology.ScramHash;
import io.amphora.core.topology.ScramKeys;
import io.amphora.core.topology.ScramPassword;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

/**
 * Keys for users that do not exist: each name has its own salt as long as the process lives, as a
 * real user's would be, and no password fits (RFC 5802 section 9). Any thread.
 */
final class Stranger {

  private static final int SALT_BYTES = 16;

  private final byte[] secret = new byte[32];

  Stranger() {
    new SecureRandom().nextBytes(secret);
  }

  ScramKeys keys(String user, ScramHash hash) {
    byte[] salt = Arrays.copyOf(hash.hmac(secret, "salt " + user), SALT_BYTES);
    Base64.Encoder base64 = Base64.getEncoder();
    String unknown = base64.encodeToString(hash.hmac(secret, "key " + user));
    return new ScramKeys(base64.encodeToString(salt), ScramPassword.ITERATIONS, unknown, unknown);
  }
}
