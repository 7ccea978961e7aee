package io.amphora.core.topology;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** Which topic names are legal (docs/amqp.md section 1). Pure. */
public final class TopicName {

  /** Longest name, UTF-8 bytes. */
  public static final int MAX_BYTES = 249;

  /** Segments that make a longer name another row of the address table. */
  private static final List<String> ADDRESS_WORDS =
      List.of("partitions", "consumergroups", "subscriptions");

  private static final List<String> SCHEMES = List.of("queue://", "topic://");

  private TopicName() {}

  /** What the names of temporary topics begin with; nobody else may use it. */
  private static final String TEMPORARY = "amphora.tmp.";

  /** The name of a temporary topic: gone with the link that asked for it, or with the node. */
  public static String temporary(UUID id) {
    return TEMPORARY + id;
  }

  /** True for temporary topics. */
  public static boolean isTemporary(String name) {
    return name.startsWith(TEMPORARY);
  }

  /** True for names of the broker's own topics and nodes, which users cannot create. */
  public static boolean isInternal(String name) {
    return name.startsWith("__") || name.startsWith("$");
  }

  /** Why a user may not create a topic of this name; empty when he may. */
  public static Optional<String> problem(String name) {
    if (isInternal(name)) {
      return Optional.of("names that begin with __ or $ belong to the broker");
    }
    if (isTemporary(name)) {
      return Optional.of("names that begin with " + TEMPORARY + " are for temporary topics");
    }
    return problemOfAny(name);
  }

  /** Why nobody may create a topic of this name; empty for a legal name. */
  public static Optional<String> problemOfAny(String name) {
    int bytes = utf8Length(name);
    if (bytes < 0) {
      return Optional.of("the name is not valid Unicode");
    }
    if (bytes == 0 || bytes > MAX_BYTES) {
      return Optional.of("the name must have 1 to " + MAX_BYTES + " UTF-8 bytes, not " + bytes);
    }
    if (name.codePoints().anyMatch(Character::isISOControl)) {
      return Optional.of("the name holds a control character");
    }
    if (name.startsWith("/") || name.endsWith("/")) {
      return Optional.of("the name must not begin or end with /");
    }
    if (name.contains("::")) {
      return Optional.of("the name must not hold ::, which separates topic and group");
    }
    return problemOfSegments(name);
  }

  private static Optional<String> problemOfSegments(String name) {
    if (SCHEMES.stream().anyMatch(name.toLowerCase(Locale.ROOT)::startsWith)) {
      return Optional.of("the name must not begin with queue:// or topic://");
    }
    String[] segments = name.split("/", -1);
    for (int i = 0; i < segments.length; i++) {
      String segment = segments[i];
      if (segment.equals(".") || segment.equals("..")) {
        return Optional.of("the name must not hold the segment " + segment);
      }
      boolean inside = i > 0 && i < segments.length - 1;
      if (inside && ADDRESS_WORDS.contains(segment.toLowerCase(Locale.ROOT))) {
        return Optional.of("the name reads as an address because of /" + segment + "/");
      }
    }
    return Optional.empty();
  }

  private static int utf8Length(String name) {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
      return bytes.remaining();
    } catch (CharacterCodingException e) {
      return -1;
    }
  }
}
