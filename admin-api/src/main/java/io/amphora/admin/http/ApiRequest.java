package io.amphora.admin.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** One request after routing: names from the path, parameters, body. */
public final class ApiRequest {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final Map<String, String> path;
  private final Query query;
  private final byte[] body;

  ApiRequest(Map<String, String> path, Query query, byte[] body) {
    this.path = path;
    this.query = query;
    this.body = body;
  }

  /** A decoded segment, by its name in the route's template. */
  public String path(String name) {
    String value = path.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the route has no {" + name + "}");
    }
    return value;
  }

  public Optional<String> query(String name) {
    return query.get(name);
  }

  /**
   * A whole number from the query.
   *
   * @throws ProblemException when it is no number or outside {@code min} to {@code max}
   */
  public long number(String name, long defaultValue, long min, long max) {
    Optional<String> text = query.get(name);
    if (text.isEmpty()) {
      return defaultValue;
    }
    if (text.get().matches("-?[0-9]{1,18}")) {
      long value = Long.parseLong(text.get());
      if (value >= min && value <= max) {
        return value;
      }
    }
    String upTo = max == Long.MAX_VALUE ? "at least " + min : min + " to " + max;
    throw ProblemException.invalid(name, "must be a whole number, " + upTo);
  }

  /** {@code true} or {@code false} from the query; false when it is not given. */
  public boolean flag(String name) {
    String text = query.get(name).orElse("false");
    if (!text.equals("true") && !text.equals("false")) {
      throw ProblemException.invalid(name, "must be true or false");
    }
    return text.equals("true");
  }

  /**
   * The body as a JSON object; an absent body is an empty object.
   *
   * @throws ProblemException when it is something else
   */
  public ObjectNode object() {
    if (body.length == 0) {
      return JsonNodeFactory.instance.objectNode();
    }
    JsonNode node = parse();
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw malformed("the body must be a JSON object");
  }

  private JsonNode parse() {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw malformed("the body is not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw malformed("the body is not UTF-8 text");
    }
  }

  private static ProblemException malformed(String detail) {
    return new ProblemException(new Problem(400, "malformed-body", detail, ""));
  }
}
