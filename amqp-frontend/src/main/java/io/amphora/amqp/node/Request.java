package io.amphora.amqp.node;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message that asks a node for something.
 *
 * @param id what the answer refers to: the correlation id, else the message id; it keeps its type
 *     (conventions 0.4). Null when there is none
 * @param to the path of a request over HTTP, else empty
 * @param subject the method of a request over HTTP, else empty
 * @param replyTo empty when there is none
 * @param properties application properties
 * @param body value of an amqp-value or the bytes of a data section; null without one
 */
record Request(
    @Nullable Object id,
    String to,
    String subject,
    String replyTo,
    Map<String, Object> properties,
    @Nullable Object body) {

  /** An application property as text; empty when it is missing. */
  String text(String key) {
    Object value = properties.get(key);
    return value == null ? "" : value.toString();
  }

  /** The body when it is a map, else an empty one. */
  Map<?, ?> map() {
    return body instanceof Map<?, ?> map ? map : Map.of();
  }
}
