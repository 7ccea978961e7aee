package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * The messages of {@code interop/cases.json}, which every client writes and reads. Values are
 * {@code [type, value]}: numbers of 64 bits and timestamps as text, floating point and decimals as
 * their bits. {@code skip} names clients, or a client and {@code :write} or {@code :read}, that
 * cannot do it; {@code jms} marks what JMS has types for.
 */
final class CaseTable {

  /** The file, for clients in other languages. */
  static final Path FILE = Path.of("src/test/resources/interop/cases.json").toAbsolutePath();

  private static final List<String> SECTIONS =
      List.of("header", "properties", "application", "annotations", "body", "footer");

  /** All that JMS leaves to the application. */
  private static final List<String> JMS_SECTIONS = List.of("application", "body");

  private static final int DIGEST_FROM = 300;

  private final List<JsonNode> cases = new ArrayList<>();

  CaseTable() throws IOException {
    new ObjectMapper().readTree(FILE.toFile()).forEach(cases::add);
  }

  /** What this client writes, in order. */
  List<JsonNode> writtenBy(String client) {
    return cases.stream().filter(c -> can(c, client, "write")).toList();
  }

  private static boolean can(JsonNode one, String client, String what) {
    if (client.equals(JmsMatrixClient.NAME) && !one.path("jms").asBoolean()) {
      return false;
    }
    for (JsonNode skip : one.path("skip")) {
      if (skip.asText().equals(client) || skip.asText().equals(client + ":" + what)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Compares what was read.
   *
   * @return how many messages were compared
   */
  int compare(String writer, String reader, List<JsonNode> read) {
    List<JsonNode> written = writtenBy(writer);
    assertThat(read).hasSameSizeAs(written);
    int compared = 0;
    for (int i = 0; i < read.size(); i++) {
      JsonNode expected = written.get(i);
      assertThat(read.get(i).get("name")).isEqualTo(expected.get("name"));
      if (can(expected, reader, "read")) {
        boolean jms = List.of(writer, reader).contains(JmsMatrixClient.NAME);
        boolean untimed = reader.equals("protonj2");
        compare(expected, read.get(i), jms ? JMS_SECTIONS : SECTIONS, untimed);
        compared++;
      }
    }
    return compared;
  }

  /**
   * @param untimed the reader hands out timestamps as longs
   */
  private static void compare(
      JsonNode expected, JsonNode actual, List<String> sections, boolean untimed) {
    for (String section : sections) {
      assertThat(text(section, actual, untimed))
          .as("%s of %s", section, expected.get("name"))
          .isEqualTo(text(section, expected, untimed));
    }
  }

  private static String text(String section, JsonNode one, boolean untimed) {
    String text = normal(section, one).toString();
    return untimed ? text.replace("[\"timestamp\",", "[\"long\",") : text;
  }

  private static JsonNode normal(String section, JsonNode one) {
    JsonNode content = one.path(section);
    if (section.equals("header")) {
      ObjectNode header = JsonNodeFactory.instance.objectNode();
      header.put("durable", content.path("durable").asBoolean());
      return header.put("priority", content.path("priority").asInt(4));
    }
    if (section.equals("body")) {
      return content.get(0).asText().equals("size")
          ? filled(content.get(1).asInt())
          : sorted(content);
    }
    return content.isMissingNode() ? JsonNodeFactory.instance.objectNode() : sorted(content);
  }

  /** Maps have no order. */
  private static JsonNode sorted(JsonNode value) {
    if (value.isObject()) {
      ObjectNode result = JsonNodeFactory.instance.objectNode();
      value.properties().stream()
          .sorted(Map.Entry.comparingByKey())
          .forEach(field -> result.set(field.getKey(), sorted(field.getValue())));
      return result;
    }
    if (!value.isArray()) {
      return value;
    }
    List<JsonNode> items = new ArrayList<>();
    value.forEach(item -> items.add(sorted(item)));
    if (items.size() == 2 && items.get(0).asText().equals("map")) {
      List<JsonNode> pairs = new ArrayList<>();
      items.get(1).forEach(pairs::add);
      pairs.sort(Comparator.comparing(JsonNode::toString));
      items.set(1, JsonNodeFactory.instance.arrayNode().addAll(pairs));
    }
    return JsonNodeFactory.instance.arrayNode().addAll(items);
  }

  private static JsonNode filled(int size) {
    return data(List.of(filler(size)));
  }

  /** The bytes of a body of this size. */
  static byte[] filler(int size) {
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) ((i % 251 * 31 + 7) % 251);
    }
    return bytes;
  }

  /** A body of data sections; long ones by their digest. */
  static ArrayNode data(List<byte[]> sections) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    sections.forEach(section -> list.add(shown(section)));
    return JsonNodeFactory.instance.arrayNode().add("data").add(list);
  }

  private static String shown(byte[] section) {
    if (section.length < DIGEST_FROM) {
      return HexFormat.of().formatHex(section);
    }
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(section);
      return section.length + " " + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
  }
}
