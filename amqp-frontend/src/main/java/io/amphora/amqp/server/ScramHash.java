package io.amphora.amqp.server;

import io.amphora.core.topology.UserCredential;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import java.nio.charset.StandardCharsets;

/** Compares a password with a stored key (RFC 5802 section 3, SHA-256). Blocks for the hashing. */
final class ScramHash {

  private static final int KEY_BITS = 256;

  private ScramHash() {}

  static boolean matches(UserCredential user, String password) {
    if (password.isEmpty()) {
      return false;
    }
    try {
      Base64.Decoder base64 = Base64.getDecoder();
      PBEKeySpec spec =
          new PBEKeySpec(
              password.toCharArray(), base64.decode(user.salt()), user.iterations(), KEY_BITS);
      byte[] salted =
          SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(salted, "HmacSHA256"));
      byte[] clientKey = mac.doFinal("Client Key".getBytes(StandardCharsets.US_ASCII));
      byte[] stored = MessageDigest.getInstance("SHA-256").digest(clientKey);
      return MessageDigest.isEqual(stored, base64.decode(user.storedKey()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java lacks an algorithm every Java has", e);
    }
  }
}
