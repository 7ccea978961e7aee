package io.amphora.admin.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which endpoint answers. Own matching on the raw path, since routers normalise and decode paths
 * before they match, and then not every legal topic name arrives. Filled at start, then read only.
 */
public final class RouteTable {
  private final List<Route> routes = new ArrayList<>();

  /**
   * One method of one path.
   *
   * @param method {@code GET}, {@code PUT} or {@code DELETE}
   * @param template path with {@code {name}} segments
   * @param query parameters that it knows
   * @param endpoint what answers
   */
  public record Route(String method, String template, Set<String> query, Endpoint endpoint) {
    private Optional<Map<String, String>> match(List<String> segments) {
      String[] parts = template.substring(1).split("/", -1);
      if (parts.length != segments.size()) {
        return Optional.empty();
      }
      Map<String, String> names = new HashMap<>();
      for (int i = 0; i < parts.length; i++) {
        String part = parts[i];
        if (part.startsWith("{") && !segments.get(i).isEmpty()) {
          names.put(part.substring(1, part.length() - 1), segments.get(i));
        } else if (!part.equals(segments.get(i))) {
          return Optional.empty();
        }
      }
      return Optional.of(names);
    }
  }

  /** A route with what its template matched. */
  record Match(Route route, Map<String, String> names) {}

  public RouteTable get(String template, Endpoint endpoint, String... query) {
    routes.add(new Route("GET", template, Set.of(query), endpoint));
    return this;
  }

  public RouteTable put(String template, Endpoint endpoint) {
    routes.add(new Route("PUT", template, Set.of(), endpoint));
    return this;
  }

  public RouteTable delete(String template, Endpoint endpoint) {
    routes.add(new Route("DELETE", template, Set.of(), endpoint));
    return this;
  }

  public List<Route> routes() {
    return List.copyOf(routes);
  }

  /**
   * Finds the route.
   *
   * @throws ProblemException 404 when no route has the path, 405 when one has, with other methods
   */
  Match match(String method, List<String> segments) {
    String wanted = method.equals("HEAD") ? "GET" : method;
    Set<String> allowed = new TreeSet<>();
    for (Route route : routes) {
      Optional<Map<String, String>> names = route.match(segments);
      if (names.isPresent() && route.method().equals(wanted)) {
        return new Match(route, names.get());
      }
      names.ifPresent(matched -> allowed.add(route.method()));
    }
    if (allowed.isEmpty()) {
      throw ProblemException.notFound("there is nothing at this path; see /api/v1/openapi.json");
    }
    throw new MethodNotAllowed(allowed);
  }

  /** The path exists, the method does not (RFC 9110 section 15.5.6). */
  static final class MethodNotAllowed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String allow;

    private MethodNotAllowed(Set<String> allowed) {
      super("allowed here: " + allowed);
      this.allow = (allowed.contains("GET") ? "HEAD, " : "") + String.join(", ", allowed);
    }

    String allow() {
      return allow;
    }
  }
}
