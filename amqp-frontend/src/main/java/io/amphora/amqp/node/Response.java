package io.amphora.amqp.node;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;
import org.jspecify.annotations.Nullable;

/**
 * What a node answers.
 *
 * @param subject status of an answer over HTTP, else empty
 * @param properties application properties
 * @param body value of the amqp-value section
 */
record Response(String subject, Map<String, Object> properties, @Nullable Object body) {

  /** An answer to an operation. The status is an AMQP int: some clients cast (conventions 5.6). */
  static Response status(int code, String description, @Nullable Object body) {
    return new Response("", properties(code, description), body);
  }

  /** A refused operation. */
  static Response refused(int code, Symbol condition, String description) {
    Map<String, Object> properties = properties(code, description);
    properties.put("error-condition", condition);
    properties.put("errorCondition", condition.toString());
    return new Response("", properties, null);
  }

  /** In both spellings: clients look for one or the other. */
  private static Map<String, Object> properties(int code, String description) {
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("status-code", code);
    properties.put("status-description", description);
    properties.put("statusCode", code);
    properties.put("statusDescription", description);
    return properties;
  }

  /** An answer over HTTP (conventions 6.3). */
  static Response http(int code, @Nullable Object body) {
    return new Response(String.valueOf(code), Map.of("http:response", "1.1"), body);
  }
}
