package io.amphora.boot.interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.boot.it.WholeMessage;
import java.util.ArrayList;
import java.util.Date;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.messaging.AmqpSequence;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Footer;
import org.apache.qpid.protonj2.types.messaging.Header;
import org.apache.qpid.protonj2.types.messaging.MessageAnnotations;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Section;

/** The imperative client of protonj2. */
final class Protonj2MatrixClient implements MatrixClient {

  /** What the broker adds (docs/amqp.md section 4). */
  private static final List<String> BROKERS =
      List.of(
          "x-opt-offset",
          "x-opt-sequence-number",
          "x-opt-enqueued-time",
          "x-opt-partition",
          "x-opt-partition-key");

  @Override
  public String name() {
    return "protonj2";
  }

  @Override
  public void write(int port, String address, List<JsonNode> cases) throws Exception {
    try (Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", port);
        Sender sender = connection.openSender(address)) {
      for (JsonNode one : cases) {
        sender.send(message(one)).awaitAccepted(60, TimeUnit.SECONDS);
      }
    }
  }

  @Override
  public List<JsonNode> read(int port, String address, int count) throws Exception {
    List<JsonNode> read = new ArrayList<>();
    try (Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", port);
        Receiver receiver = connection.openReceiver(address, new ReceiverOptions())) {
      for (int i = 0; i < count; i++) {
        Delivery delivery = receiver.receive(60, TimeUnit.SECONDS);
        read.add(described(WholeMessage.of(delivery).toAdvancedMessage()));
      }
    }
    return read;
  }

  private static AdvancedMessage<Object> message(JsonNode one) throws ClientException {
    AdvancedMessage<Object> message = AdvancedMessage.create();
    if (one.has("header")) {
      byte priority = (byte) one.get("header").get("priority").asInt();
      boolean durable = one.get("header").get("durable").asBoolean();
      message.header(new Header().setDurable(durable).setPriority(priority));
    }
    message.properties(properties(one.path("properties")).setSubject(one.get("name").asText()));
    if (one.has("application")) {
      Map<String, Object> values = new LinkedHashMap<>();
      one.get("application")
          .properties()
          .forEach(e -> values.put(e.getKey(), TypedValue.build(e.getValue())));
      message.applicationProperties(new ApplicationProperties(values));
    }
    if (one.has("annotations")) {
      message.annotations(new MessageAnnotations(symbolic(one.get("annotations"))));
    }
    if (one.has("footer")) {
      message.footer(new Footer(symbolic(one.get("footer"))));
    }
    addBody(message, one.get("body"));
    return message;
  }

  private static Map<Symbol, Object> symbolic(JsonNode fields) {
    Map<Symbol, Object> map = new LinkedHashMap<>();
    fields
        .properties()
        .forEach(e -> map.put(Symbol.valueOf(e.getKey()), TypedValue.build(e.getValue())));
    return map;
  }

  private static Properties properties(JsonNode given) {
    Properties properties = new Properties();
    given.properties().forEach(e -> set(properties, e.getKey(), e.getValue()));
    return properties;
  }

  private static void set(Properties properties, String name, JsonNode typed) {
    String text = typed.get(1).asText();
    switch (name) {
      case "message-id" -> properties.setMessageId(TypedValue.build(typed));
      case "correlation-id" -> properties.setCorrelationId(TypedValue.build(typed));
      case "user-id" -> properties.setUserId(HexFormat.of().parseHex(text));
      case "to" -> properties.setTo(text);
      case "reply-to" -> properties.setReplyTo(text);
      case "content-type" -> properties.setContentType(text);
      case "content-encoding" -> properties.setContentEncoding(text);
      case "absolute-expiry-time" -> properties.setAbsoluteExpiryTime(Long.parseLong(text));
      case "creation-time" -> properties.setCreationTime(Long.parseLong(text));
      case "group-id" -> properties.setGroupId(text);
      case "group-sequence" -> properties.setGroupSequence(Long.parseLong(text));
      case "reply-to-group-id" -> properties.setReplyToGroupId(text);
      default -> throw new IllegalArgumentException("unknown property " + name);
    }
  }

  private static void addBody(AdvancedMessage<Object> message, JsonNode body)
      throws ClientException {
    JsonNode content = body.path(1);
    switch (body.get(0).asText()) {
      case "size" -> message.addBodySection(new Data(CaseTable.filler(content.asInt())));
      case "data" -> {
        for (JsonNode section : content) {
          message.addBodySection(new Data(HexFormat.of().parseHex(section.asText())));
        }
      }
      case "value" -> message.addBodySection(new AmqpValue<>(TypedValue.build(content)));
      case "sequence" -> {
        for (JsonNode section : content) {
          message.addBodySection(new AmqpSequence<>(TypedValue.list(section)));
        }
      }
      case "none" -> message.clearBodySections();
      default -> throw new IllegalArgumentException("unknown body " + body);
    }
  }

  private static JsonNode described(AdvancedMessage<?> message) throws ClientException {
    ObjectNode one = JsonNodeFactory.instance.objectNode();
    one.put("name", message.properties().getSubject());
    one.putObject("header").put("durable", message.durable()).put("priority", message.priority());
    describe(message.properties(), one.putObject("properties"));
    if (message.applicationProperties() != null) {
      show(message.applicationProperties().getValue(), one.putObject("application"));
    }
    ObjectNode annotations = one.putObject("annotations");
    show(message.annotations().getValue(), annotations);
    annotations.remove(BROKERS);
    if (message.footer() != null) {
      show(message.footer().getValue(), one.putObject("footer"));
    }
    one.set("body", body(List.copyOf(message.bodySections())));
    return one;
  }

  private static void show(Map<?, ?> values, ObjectNode into) {
    values.forEach((key, value) -> into.set(key.toString(), TypedValue.show(value)));
  }

  private static void describe(Properties properties, ObjectNode into) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("message-id", properties.getMessageId());
    all.put("user-id", properties.getUserId());
    all.put("to", properties.getTo());
    all.put("reply-to", properties.getReplyTo());
    all.put("correlation-id", properties.getCorrelationId());
    all.put("content-type", Symbol.valueOf(properties.getContentType()));
    all.put("content-encoding", Symbol.valueOf(properties.getContentEncoding()));
    all.put("group-id", properties.getGroupId());
    all.put("reply-to-group-id", properties.getReplyToGroupId());
    if (properties.hasAbsoluteExpiryTime()) {
      all.put("absolute-expiry-time", new Date(properties.getAbsoluteExpiryTime()));
    }
    if (properties.hasCreationTime()) {
      all.put("creation-time", new Date(properties.getCreationTime()));
    }
    if (properties.hasGroupSequence()) {
      all.put("group-sequence", UnsignedInteger.valueOf(properties.getGroupSequence()));
    }
    all.values().removeIf(value -> value == null);
    show(all, into);
  }

  private static JsonNode body(List<Section<?>> sections) {
    ArrayNode body = JsonNodeFactory.instance.arrayNode();
    if (sections.isEmpty()) {
      return body.add("none");
    } else if (sections.get(0) instanceof AmqpValue<?> value) {
      return body.add("value").add(TypedValue.show(value.getValue()));
    } else if (sections.get(0) instanceof Data) {
      return CaseTable.data(sections.stream().map(s -> ((Data) s).getValue()).toList());
    }
    ArrayNode lists = body.add("sequence").addArray();
    for (Section<?> section : sections) {
      lists.add(TypedValue.show(section.getValue()).get(1));
    }
    return body;
  }
}
