package io.amphora.amqp.codec;

import java.util.Map;

/** Symbolic descriptors of message sections; each peer may use them instead of the codes. */
final class SectionNames {

  private static final Map<String, Integer> CODES =
      Map.of(
          "amqp:header:list", 0x70,
          "amqp:delivery-annotations:map", 0x71,
          "amqp:message-annotations:map", 0x72,
          "amqp:properties:list", 0x73,
          "amqp:application-properties:map", 0x74,
          "amqp:data:binary", 0x75,
          "amqp:amqp-sequence:list", 0x76,
          "amqp:amqp-value:*", 0x77,
          "amqp:footer:map", 0x78);

  private SectionNames() {}

  static int code(String name) {
    return CODES.getOrDefault(name, -1);
  }
}
