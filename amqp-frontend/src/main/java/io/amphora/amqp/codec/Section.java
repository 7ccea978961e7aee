package io.amphora.amqp.codec;

import java.util.ArrayList;
import java.util.List;

/**
 * A section of an encoded message, for people who look at stored ones.
 *
 * @param name as in part 3, section 3.2 of the specification
 * @param bytes its size, descriptor included
 */
public record Section(String name, int bytes) {

  private static final int FIRST = 0x70;
  private static final List<String> NAMES =
      List.of(
          "header",
          "delivery-annotations",
          "message-annotations",
          "properties",
          "application-properties",
          "data",
          "sequence",
          "value",
          "footer");

  /**
   * The sections in a range of bytes, in order.
   *
   * @throws MalformedMessageException when they are none
   */
  public static List<Section> in(byte[] array, int start, int end)
      throws MalformedMessageException {
    List<Section> found = new ArrayList<>();
    for (int at = start; at < end; ) {
      int value = MessageScanner.valueOf(array, at, end);
      int code = MessageScanner.codeOf(array, at, value, end);
      int next = Wire.skip(array, value, end);
      found.add(new Section(NAMES.get(code - FIRST), next - at));
      at = next;
    }
    return found;
  }
}
