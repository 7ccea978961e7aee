package io.amphora.amqp.sasl;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * The client's first message (RFC 5802 section 7, {@code client-first-message}).
 *
 * @param binding Base64 of its GS2 header, which the client repeats later
 * @param bare the message without that header
 * @param user the name, unescaped
 * @param nonce the client's part of the nonce
 */
record ScramFirst(String binding, String bare, String user, String nonce) {

  /** It comes back in a challenge, which has to stay below 512 bytes (conventions 1.2). */
  private static final int MOST_NONCE = 256;

  /** Empty when it is malformed, asks for channel binding, or wants to act for another user. */
  static Optional<ScramFirst> parse(String text) {
    String[] gs2 = text.split(",", 3);
    if (gs2.length < 3 || !(gs2[0].equals("n") || gs2[0].equals("y"))) {
      return Optional.empty();
    }
    String bare = gs2[2];
    String[] parts = bare.split(",", -1);
    if (parts.length < 2 || !parts[0].startsWith("n=") || !parts[1].startsWith("r=")) {
      return Optional.empty();
    }
    Optional<String> user = SaslName.unescaped(parts[0].substring(2));
    String nonce = parts[1].substring(2);
    if (user.isEmpty() || user.get().isEmpty() || !isNonce(nonce)) {
      return Optional.empty();
    }
    if (!gs2[1].isEmpty() && !gs2[1].equals("a=" + parts[0].substring(2))) {
      return Optional.empty();
    }
    byte[] header = (gs2[0] + "," + gs2[1] + ",").getBytes(StandardCharsets.UTF_8);
    String binding = Base64.getEncoder().encodeToString(header);
    return Optional.of(new ScramFirst(binding, bare, user.get(), nonce));
  }

  private static boolean isNonce(String text) {
    return !text.isEmpty()
        && text.length() <= MOST_NONCE
        && text.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }
}
