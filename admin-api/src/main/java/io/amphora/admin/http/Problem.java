package io.amphora.admin.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * An error as clients see it (RFC 9457).
 *
 * @param status HTTP status
 * @param code stable code for programs
 * @param detail what is wrong and what to do, for people
 * @param field the field or parameter that is wrong, empty when it is none in particular
 */
public record Problem(int status, String code, String detail, String field) {
  public static final String CONTENT_TYPE = "application/problem+json";

  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("type", "about:blank");
    json.put("title", code.replace('-', ' '));
    json.put("status", status);
    json.put("code", code);
    json.put("detail", detail);
    if (!field.isEmpty()) {
      json.put("field", field);
    }
    return json;
  }
}
