package io.amphora.boot.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/** Prints received messages: one line each, for people or as JSON. */
final class MessageView {

  private static final int SHOWN = 60;

  private final Output output;

  MessageView(Output output) {
    this.output = output;
  }

  void show(Delivery delivery) throws ClientException {
    Message<Object> message = delivery.message();
    Object body = message.body();
    if (output.isJson()) {
      output.line(json(message, body).toString());
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
  }

  private static ObjectNode json(Message<Object> message, Object body) throws ClientException {
    ObjectNode json = Output.JSON.createObjectNode();
    annotation(message, "x-opt-partition").ifPresent(n -> json.put("partition", Long.parseLong(n)));
    annotation(message, "x-opt-sequence-number")
        .ifPresent(n -> json.put("offset", Long.parseLong(n)));
    annotation(message, "x-opt-partition-key").ifPresent(key -> json.put("key", key));
    if (message.hasProperties()) {
      ObjectNode properties = json.putObject("properties");
      message.forEachProperty((name, value) -> properties.put(name, String.valueOf(value)));
    }
    if (body instanceof byte[] bytes && text(bytes).isEmpty()) {
      json.put("bodyBase64", Base64.getEncoder().encodeToString(bytes));
    } else {
      json.put(
          "body", body instanceof byte[] bytes ? text(bytes).orElse("") : String.valueOf(body));
    }
    return json;
  }

  private static Optional<String> annotation(Message<Object> message, String name)
      throws ClientException {
    return Optional.ofNullable(message.annotation(name)).map(String::valueOf);
  }

  /** One line of at most some characters, and how much there is in all when that is more. */
  static String shortened(Object body) {
    if (body instanceof byte[] bytes) {
      return text(bytes)
          .map(text -> cut(text, bytes.length + " bytes"))
          .orElse("(" + bytes.length + " bytes, no text)");
    }
    String text = String.valueOf(body);
    return cut(text, text.length() + " characters");
  }

  private static String cut(String text, String size) {
    String line = text.replaceAll("\\p{Cntrl}", " ");
    return line.length() <= SHOWN
        ? line
        : String.format(Locale.ROOT, "%s... (%s)", line.substring(0, SHOWN), size);
  }

  private static Optional<String> text(byte[] bytes) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
