package io.amphora.admin.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What a request is answered with. The bytes are not changed after it is made.
 *
 * @param status HTTP status
 * @param contentType media type, empty when there is no body
 * @param body the body, maybe empty
 * @param headers further headers
 */
public record Answer(int status, String contentType, byte[] body, Map<String, String> headers) {
  private static final ObjectMapper JSON = new ObjectMapper();

  public static Answer json(int status, JsonNode body) {
    return new Answer(status, "application/json", bytes(body), Map.of());
  }

  public static Answer text(String contentType, byte[] body) {
    return new Answer(200, contentType, body, Map.of());
  }

  /** 204, nothing to say. */
  public static Answer none() {
    return new Answer(204, "", new byte[0], Map.of());
  }

  static Answer problem(Problem problem) {
    return new Answer(problem.status(), Problem.CONTENT_TYPE, bytes(problem.toJson()), Map.of());
  }

  Answer with(String header, String value) {
    return new Answer(status, contentType, body, Map.of(header, value));
  }

  private static byte[] bytes(JsonNode body) {
    try {
      return (JSON.writeValueAsString(body) + "\n").getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of JSON nodes is always writable", e);
    }
  }
}
