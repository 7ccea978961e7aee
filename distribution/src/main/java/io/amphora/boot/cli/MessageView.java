package io.amphora.boot.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/**
 * Prints received messages: one line each, for people or as JSON. However large a body is, no
 * second copy of it is made: people see its beginning, JSON is written piece by piece.
 */
final class MessageView {

  private static final int SHOWN = 60;
  private static final int CHUNK = 8 << 10;

  private final Output output;

  MessageView(Output output) {
    this.output = output;
  }

  /**
   * Prints one message.
   *
   * @return size of its body when that is binary or text, else 0; bytes, roughly
   */
  long show(Delivery delivery) throws ClientException {
    Message<Object> message = delivery.message();
    Object body = message.body();
    if (output.isJson()) {
      output.generated(json -> json(json, message, body));
    } else {
      output.line(
          "partition "
              + annotation(message, "x-opt-partition").orElse("-")
              + "  offset "
              + annotation(message, "x-opt-offset").orElse("-")
              + "  key "
              + annotation(message, "x-opt-partition-key").orElse("-")
              + "  "
              + shortened(body));
    }
    return body instanceof byte[] bytes
        ? bytes.length
        : body instanceof String text ? text.length() : 0;
  }

  private static void json(JsonGenerator json, Message<Object> message, Object body)
      throws IOException, ClientException {
    json.writeStartObject();
    number(json, "partition", annotation(message, "x-opt-partition"));
    number(json, "offset", annotation(message, "x-opt-sequence-number"));
    Optional<String> key = annotation(message, "x-opt-partition-key");
    if (key.isPresent()) {
      json.writeStringField("key", key.get());
    }
    if (message.hasProperties()) {
      properties(json, message);
    }
    if (body instanceof byte[] bytes) {
      body(json, bytes);
    } else {
      json.writeStringField("body", String.valueOf(body));
    }
    json.writeEndObject();
  }

  private static void number(JsonGenerator json, String name, Optional<String> value)
      throws IOException {
    if (value.isPresent()) {
      json.writeNumberField(name, Long.parseLong(value.get()));
    }
  }

  private static void properties(JsonGenerator json, Message<Object> message)
      throws IOException, ClientException {
    json.writeObjectFieldStart("properties");
    Map<String, Object> all = new LinkedHashMap<>();
    message.forEachProperty(all::put);
    for (Map.Entry<String, Object> property : all.entrySet()) {
      json.writeStringField(property.getKey(), String.valueOf(property.getValue()));
    }
    json.writeEndObject();
  }

  private static void body(JsonGenerator json, byte[] bytes) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    if (isText(bytes, bytes.length)) {
      json.writeFieldName("body");
      json.writeString(new InputStreamReader(in, StandardCharsets.UTF_8), -1);
    } else {
      json.writeFieldName("bodyBase64");
      json.writeBinary(in, bytes.length);
    }
  }

  private static Optional<String> annotation(Message<Object> message, String name)
      throws ClientException {
    return Optional.ofNullable(message.annotation(name)).map(String::valueOf);
  }

  /** One line of at most some characters, and how much there is in all when that is more. */
  static String shortened(Object body) {
    if (body instanceof byte[] bytes) {
      // A character takes four bytes at most, so that the end of the piece is never shown.
      int piece = Math.min(bytes.length, 4 * (SHOWN + 2));
      return isText(bytes, piece)
          ? cut(new String(bytes, 0, piece, StandardCharsets.UTF_8), bytes.length + " bytes")
          : "(" + bytes.length + " bytes, no text)";
    }
    String text = String.valueOf(body);
    return cut(
        text.substring(0, Math.min(text.length(), SHOWN + 1)), text.length() + " characters");
  }

  private static String cut(String text, String size) {
    String line = text.replaceAll("\\p{Cntrl}", " ");
    return line.length() <= SHOWN
        ? line
        : String.format(Locale.ROOT, "%s... (%s)", line.substring(0, SHOWN), size);
  }

  /**
   * Whether the first bytes are UTF-8; a character that is cut off at the end is, unless it is the
   * end of all.
   */
  private static boolean isText(byte[] bytes, int length) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes, 0, length);
    CharBuffer out = CharBuffer.allocate(CHUNK);
    CoderResult result;
    do {
      out.clear();
      result = decoder.decode(in, out, length == bytes.length);
    } while (result.isOverflow());
    return !result.isError();
  }
}
