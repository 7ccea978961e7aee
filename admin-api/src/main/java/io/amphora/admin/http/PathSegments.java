package io.amphora.admin.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits the raw path of a request and decodes each segment once (RFC 3986 section 2.1). Any legal
 * name is one segment: {@code %2F} stays inside, {@code +} is a plus, dots mean nothing.
 */
final class PathSegments {
  private PathSegments() {}

  /**
   * The decoded segments of a path, without the empty one before the first slash.
   *
   * @throws ProblemException when an escape is malformed or does not give UTF-8
   */
  static List<String> of(String rawPath) {
    List<String> segments = new ArrayList<>();
    for (String raw : rawPath.substring(Math.min(1, rawPath.length())).split("/", -1)) {
      segments.add(decode(raw, false));
    }
    return segments;
  }

  /** Decodes one segment or one part of a query; in a query {@code +} is a space. */
  static String decode(String raw, boolean plusIsSpace) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
    int i = 0;
    while (i < raw.length()) {
      char c = raw.charAt(i);
      if (c == '%') {
        bytes.write(octet(raw, i));
        i += 3;
      } else {
        bytes.writeBytes(literal(raw, i, plusIsSpace));
        i += Character.charCount(raw.codePointAt(i));
      }
    }
    return utf8(bytes.toByteArray());
  }

  private static byte[] literal(String raw, int at, boolean plusIsSpace) {
    int codePoint = raw.codePointAt(at);
    String text = plusIsSpace && codePoint == '+' ? " " : Character.toString(codePoint);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static int octet(String raw, int at) {
    int high = at + 2 < raw.length() ? Character.digit(raw.charAt(at + 1), 16) : -1;
    int low = at + 2 < raw.length() ? Character.digit(raw.charAt(at + 2), 16) : -1;
    if (high < 0 || low < 0) {
      throw malformed("a % must be followed by two hexadecimal digits");
    }
    return high * 16 + low;
  }

  private static String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw malformed("percent-encoded bytes must be UTF-8");
    }
  }

  private static ProblemException malformed(String detail) {
    return new ProblemException(new Problem(400, "malformed-url", detail, ""));
  }
}
