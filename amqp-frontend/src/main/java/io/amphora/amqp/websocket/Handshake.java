package io.amphora.amqp.websocket;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Decides whether an HTTP request becomes a WebSocket with AMQP in it (RFC 6455 section 4.2). */
final class Handshake {

  /** Section 1.3: what shows that the answer comes from somebody who knows WebSocket. */
  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private static final int KEY_BYTES = 16;

  private Handshake() {}

  /**
   * What was asked; the path does not matter, because clients use many (conventions 1.7).
   *
   * @param method HTTP method
   * @param http11 whether the version is 1.1
   * @param headers all values of a header
   */
  record Asked(String method, boolean http11, Function<String, List<String>> headers) {

    private Optional<String> one(String name) {
      List<String> values = headers.apply(name);
      return values.size() == 1 ? Optional.of(values.get(0).trim()) : Optional.empty();
    }

    private Stream<String> tokens(String name) {
      return headers.apply(name).stream()
          .flatMap(value -> Stream.of(value.split(",")))
          .map(String::trim)
          .filter(token -> !token.isEmpty());
    }

    private boolean has(String name, String token) {
      return tokens(name).anyMatch(token::equalsIgnoreCase);
    }

    private boolean hasBody() {
      return !headers.apply("Transfer-Encoding").isEmpty()
          || headers.apply("Content-Length").stream().anyMatch(length -> !length.equals("0"));
    }
  }

  /**
   * The answer.
   *
   * @param status HTTP status, 101 when AMQP follows
   * @param phrase its name
   * @param headers headers of the answer
   * @param text why not, for a person; empty when AMQP follows
   */
  record Answer(int status, String phrase, Map<String, String> headers, String text) {

    boolean accepted() {
      return status == 101;
    }

    /** The answer as it is written. */
    byte[] bytes() {
      StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " " + phrase + "\r\n");
      headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
      if (!accepted()) {
        head.append("Content-Type: text/plain\r\n");
        head.append("Content-Length: " + text.length() + "\r\n");
        head.append("Connection: close\r\n");
      }
      return (head + "\r\n" + text).getBytes(StandardCharsets.US_ASCII);
    }
  }

  static Answer decide(Asked asked, Origins origins) {
    if (!asked.method().equals("GET") || !asked.http11() || asked.hasBody()) {
      return refused(400, "Bad Request", "a WebSocket begins with GET, HTTP/1.1 and no body");
    }
    if (!asked.has("Upgrade", "websocket") || !asked.has("Connection", "upgrade")) {
      return new Answer(
          426,
          "Upgrade Required",
          Map.of("Upgrade", "websocket"),
          "this port speaks AMQP 1.0, also over WebSocket\n");
    }
    if (!asked.one("Sec-WebSocket-Version").equals(Optional.of("13"))) {
      return new Answer(
          426,
          "Upgrade Required",
          Map.of("Upgrade", "websocket", "Sec-WebSocket-Version", "13"),
          "the version of WebSocket spoken here is 13\n");
    }
    Optional<String> key = asked.one("Sec-WebSocket-Key").filter(Handshake::isKey);
    if (key.isEmpty()) {
      return refused(400, "Bad Request", "Sec-WebSocket-Key: 16 bytes in Base64 are needed");
    }
    if (!origins.permits(asked.one("Origin").or(() -> many(asked)), asked.one("Host"))) {
      return refused(
          403, "Forbidden", "pages of this origin may not connect: listeners.websocket.origins");
    }
    Optional<String> protocol =
        asked.tokens("Sec-WebSocket-Protocol").filter(Handshake::isAmqp).findFirst();
    return protocol
        .map(name -> accepted(key.get(), name))
        .orElseGet(() -> refused(400, "Bad Request", "Sec-WebSocket-Protocol: amqp is needed"));
  }

  /** More than one origin is none that could be permitted. */
  private static Optional<String> many(Asked asked) {
    return asked.headers().apply("Origin").isEmpty() ? Optional.empty() : Optional.of("null");
  }

  /** The name of the standard, and the one of its draft that Azure's clients ask for. */
  private static boolean isAmqp(String protocol) {
    return protocol.equalsIgnoreCase("amqp") || protocol.equalsIgnoreCase("AMQPWSB10");
  }

  private static boolean isKey(String key) {
    try {
      return Base64.getDecoder().decode(key).length == KEY_BYTES;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Answer refused(int status, String phrase, String text) {
    return new Answer(status, phrase, Map.of(), text + "\n");
  }

  /** Exactly what the client offered goes back: clients compare (conventions 1.7). */
  private static Answer accepted(String key, String protocol) {
    return new Answer(
        101,
        "Switching Protocols",
        Map.of(
            "Upgrade",
            "websocket",
            "Connection",
            "Upgrade",
            "Sec-WebSocket-Accept",
            proof(key),
            "Sec-WebSocket-Protocol",
            protocol),
        "");
  }

  private static String proof(String key) {
    try {
      MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
      byte[] hash = sha1.digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }
}
