package io.amphora.admin.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.admin.http.ApiRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A part of a list: what comes behind a cursor, at most {@code limit} items. The cursor is the name
 * of the last item, so that a list may change between two pages without repeats.
 *
 * @param names names of this page, sorted
 * @param next cursor of the next page, empty at the end
 */
record Page(List<String> names, Optional<String> next) {
  static final int MAX_LIMIT = 500;
  private static final int DEFAULT_LIMIT = 100;

  /** The page that the request's {@code limit} and {@code after} ask for. */
  static Page of(ApiRequest request, Stream<String> all) {
    int limit = (int) request.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
    String after = request.query("after").orElse("");
    List<String> found =
        all.filter(name -> name.compareTo(after) > 0).sorted().limit(limit + 1L).toList();
    if (found.size() <= limit) {
      return new Page(found, Optional.empty());
    }
    List<String> names = found.subList(0, limit);
    return new Page(names, Optional.of(names.get(limit - 1)));
  }

  /** The answer's body with these items. */
  ObjectNode toJson(List<? extends JsonNode> items) {
    return list(items, next.map(JsonNodeFactory.instance::textNode));
  }

  /** A list with its cursor, {@code null} at the end. */
  static ObjectNode list(List<? extends JsonNode> items, Optional<? extends JsonNode> next) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.putArray("items").addAll(items);
    if (next.isPresent()) {
      json.set("next", next.get());
    } else {
      json.putNull("next");
    }
    return json;
  }
}
