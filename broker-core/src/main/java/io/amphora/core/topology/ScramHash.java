package io.amphora.core.topology;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.text.Normalizer;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** The functions of RFC 5802 section 2.2 with one hash. Stateless; any thread. */
public enum ScramHash {
  /** RFC 7677. */
  SHA_256("SHA-256", "HmacSHA256", 256),
  /** As SHA-256, with longer keys. */
  SHA_512("SHA-512", "HmacSHA512", 512);

  private final String digest;
  private final String mac;
  private final int bits;

  ScramHash(String digest, String mac, int bits) {
    this.digest = digest;
    this.mac = mac;
    this.bits = bits;
  }

  /** Name of the SASL mechanism. */
  public String mechanism() {
    return "SCRAM-" + digest;
  }

  /** {@code H(input)}. */
  public byte[] digest(byte[] input) {
    try {
      return MessageDigest.getInstance(digest).digest(input);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + digest, e);
    }
  }

  /** {@code HMAC(key, text)}. */
  public byte[] hmac(byte[] key, String text) {
    try {
      Mac function = Mac.getInstance(mac);
      function.init(new SecretKeySpec(key, mac));
      return function.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + mac, e);
    }
  }

  /** {@code Hi(Normalize(password), salt, iterations)}: takes milliseconds, never on a loop. */
  byte[] salted(String password, byte[] salt, int iterations) {
    char[] normalized = Normalizer.normalize(password, Normalizer.Form.NFKC).toCharArray();
    PBEKeySpec spec = new PBEKeySpec(normalized, salt, iterations, bits);
    try {
      return SecretKeyFactory.getInstance("PBKDF2With" + mac).generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has PBKDF2With" + mac, e);
    } finally {
      spec.clearPassword();
    }
  }
}
