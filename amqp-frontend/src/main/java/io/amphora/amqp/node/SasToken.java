package io.amphora.amqp.node;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A shared access signature: {@code SharedAccessSignature sr=URI&sig=HMAC&se=SECONDS&skn=NAME}.
 * What is signed is the URI as it stands there and the expiry, with a line feed between them. Pure.
 *
 * @param resource signed URI, as it stands in the token
 * @param signature HMAC-SHA256
 * @param expirySeconds end of its life, seconds since 1970
 * @param keyName whose key signed it
 */
record SasToken(String resource, byte[] signature, long expirySeconds, String keyName) {

  private static final String PREFIX = "SharedAccessSignature ";

  /** Longest token that is looked at, characters. */
  private static final int LONGEST = 8192;

  /** Reads a token; empty when it is none. */
  static Optional<SasToken> parse(String text) {
    if (!text.startsWith(PREFIX) || text.length() > LONGEST) {
      return Optional.empty();
    }
    Map<String, String> fields = new HashMap<>();
    for (String field : text.substring(PREFIX.length()).split("&", -1)) {
      int equals = field.indexOf('=');
      if (equals < 0
          || fields.put(field.substring(0, equals), field.substring(equals + 1)) != null) {
        return Optional.empty();
      }
    }
    try {
      return Optional.of(
          new SasToken(
              field(fields, "sr"),
              Base64.getDecoder().decode(decoded(field(fields, "sig"))),
              Long.parseLong(field(fields, "se")),
              decoded(field(fields, "skn"))));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String field(Map<String, String> fields, String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException("there is no " + name);
    }
    return value;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** Whether the holder of the key signed it. */
  boolean isSignedWith(String key) {
    byte[] text = (resource + "\n" + expirySeconds).getBytes(StandardCharsets.UTF_8);
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return MessageDigest.isEqual(mac.doFinal(text), signature);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HMAC-SHA256", e);
    }
  }

  /** Path of the signed URI: the entity that the token is for, empty for all of them. */
  String path() {
    String uri = decoded(resource);
    int host = uri.indexOf("://");
    int slash = uri.indexOf('/', host < 0 ? 0 : host + 3);
    String path = slash < 0 ? "" : uri.substring(slash + 1);
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  /** End of its life, milliseconds since 1970. */
  long expiryMillis() {
    return expirySeconds > Long.MAX_VALUE / 1000 ? Long.MAX_VALUE : expirySeconds * 1000;
  }
}
