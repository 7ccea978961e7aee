package io.amphora.amqp.codec;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values of the list and map sections in a range of stored bytes, decoded when they are asked for.
 * Bodies are not looked into. Used by one thread.
 */
public final class StoredSections {

  /** Descriptor code of the message annotations (part 3, section 3.2.3). */
  public static final int MESSAGE_ANNOTATIONS = 0x72;

  /** Descriptor code of the properties (part 3, section 3.2.4). */
  public static final int PROPERTIES = 0x73;

  /** Descriptor code of the application properties (part 3, section 3.2.5). */
  public static final int APPLICATION_PROPERTIES = 0x74;

  /** A larger map is walked over once, and then looked up in. */
  private static final int INDEXED_BYTES = 4 << 10;

  private final byte[] bytes;
  private final int start;
  private final int end;
  private @Nullable Map<String, Integer> index;
  private int indexed = -1;

  /**
   * @param end index behind the last byte; a section that does not end before it is damaged
   */
  public StoredSections(byte[] bytes, int start, int end) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  /** An element of a list section; null when it is not there. */
  public @Nullable Object field(int section, int number) throws MalformedMessageException {
    int list = find(section);
    if (list < 0 || Wire.count(bytes, list, end) <= number) {
      return null;
    }
    int element = Wire.elements(bytes, list, end);
    for (int i = 0; i < number; i++) {
      element = Wire.skip(bytes, element, end);
    }
    return PlainValues.read(bytes, element, end);
  }

  /** The value of a key of a map section; null when it is not there. */
  public @Nullable Object entry(int section, String key) throws MalformedMessageException {
    int map = find(section);
    if (map < 0) {
      return null;
    }
    int next = Wire.skip(bytes, map, end);
    int value = next - map > INDEXED_BYTES ? indexed(map, next, key) : scan(map, next, key);
    return value < 0 ? null : PlainValues.read(bytes, value, next);
  }

  private int scan(int map, int next, String key) throws MalformedMessageException {
    byte[] wanted = key.getBytes(StandardCharsets.UTF_8);
    int element = Wire.elements(bytes, map, next);
    for (int i = Wire.count(bytes, map, next); i > 1; i -= 2) {
      int value = Wire.skip(bytes, element, next);
      if (Wire.textEquals(bytes, element, next, wanted)) {
        return value;
      }
      element = Wire.skip(bytes, value, next);
    }
    return -1;
  }

  private int indexed(int map, int next, String key) throws MalformedMessageException {
    if (index == null || indexed != map) {
      Map<String, Integer> found = new HashMap<>();
      int element = Wire.elements(bytes, map, next);
      for (int i = Wire.count(bytes, map, next); i > 1; i -= 2) {
        int value = Wire.skip(bytes, element, next);
        if (PlainValues.read(bytes, element, next) instanceof String name) {
          found.putIfAbsent(name, value);
        }
        element = Wire.skip(bytes, value, next);
      }
      index = found;
      indexed = map;
    }
    return index.getOrDefault(key, -1);
  }

  /** Index of the value of a section; -1 when there is none. */
  private int find(int section) throws MalformedMessageException {
    int at = start;
    while (at < end) {
      int value = MessageScanner.valueOf(bytes, at, end);
      int code = MessageScanner.codeOf(bytes, at, value, end);
      if (code >= section) {
        return code == section ? value : -1;
      }
      at = Wire.skip(bytes, value, end);
    }
    return -1;
  }
}
