package io.amphora.admin.http;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The query of a request: known names only, each at most once. */
final class Query {
  private final Map<String, String> values;

  private Query(Map<String, String> values) {
    this.values = values;
  }

  /**
   * Parses the raw query.
   *
   * @param raw what follows the question mark, maybe empty
   * @param allowed names that the route knows
   * @throws ProblemException for an unknown or repeated name
   */
  static Query parse(String raw, Set<String> allowed) {
    Map<String, String> values = new HashMap<>();
    for (String pair : raw.split("&")) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        String name = PathSegments.decode(equals < 0 ? pair : pair.substring(0, equals), true);
        String value = equals < 0 ? "" : PathSegments.decode(pair.substring(equals + 1), true);
        if (!allowed.contains(name)) {
          throw ProblemException.invalid(name, "unknown parameter; known are " + sorted(allowed));
        }
        if (values.put(name, value) != null) {
          throw ProblemException.invalid(name, "given twice");
        }
      }
    }
    return new Query(values);
  }

  private static String sorted(Set<String> names) {
    return names.isEmpty() ? "none" : String.join(", ", names.stream().sorted().toList());
  }

  Optional<String> get(String name) {
    return Optional.ofNullable(values.get(name));
  }
}
