package io.amphora.amqp.sasl;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a client says with a bearer token.
 *
 * @param user whom it wants to be; empty when the token alone shall say
 * @param token the token, of characters that RFC 6750 allows
 */
record BearerMessage(String user, String token) {

  private static final String SEPARATOR = "\u0001";

  private static final Pattern BEARER =
      Pattern.compile("bearer +([A-Za-z0-9._~+/-]+=*)", Pattern.CASE_INSENSITIVE);

  /**
   * RFC 7628 section 3.1: a GS2 header with the user, then pairs of a key and a value. Empty when
   * it is malformed, has no token, or asks for channel binding.
   */
  static Optional<BearerMessage> ofOauthBearer(String text) {
    String[] parts = text.split(SEPARATOR, -1);
    String[] gs2 = parts[0].split(",", -1);
    boolean known = gs2.length == 3 && (gs2[0].equals("n") || gs2[0].equals("y"));
    if (!known || !gs2[2].isEmpty() || !(gs2[1].isEmpty() || gs2[1].startsWith("a="))) {
      return Optional.empty();
    }
    String user = gs2[1].isEmpty() ? "" : gs2[1].substring(2);
    List<String> pairs = Arrays.asList(parts).subList(1, parts.length);
    return SaslName.unescaped(user).flatMap(plain -> of(plain, pairs));
  }

  /** Google's older form: the pairs alone, the user among them. */
  static Optional<BearerMessage> ofXoauth2(String text) {
    List<String> pairs = Arrays.asList(text.split(SEPARATOR, -1));
    return value(pairs, "user=").flatMap(user -> of(user, pairs));
  }

  private static Optional<BearerMessage> of(String user, List<String> pairs) {
    return value(pairs, "auth=")
        .map(BEARER::matcher)
        .filter(Matcher::matches)
        .map(bearer -> new BearerMessage(user, bearer.group(1)));
  }

  private static Optional<String> value(List<String> pairs, String key) {
    return pairs.stream()
        .filter(pair -> pair.startsWith(key))
        .map(pair -> pair.substring(key.length()))
        .findFirst();
  }

  /** A token is as good as a password. */
  @Override
  public String toString() {
    return "BearerMessage[" + user + "]";
  }
}
