package io.amphora.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import com.fasterxml.jackson.databind.JsonNode;
import io.amphora.admin.http.RouteTable;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The document and the routes say the same. */
class OpenApiTest {
  @Test
  void shouldDescribeEveryRouteWithItsParametersAndNoOther() throws Exception {
    Map<String, Set<String>> served = new TreeMap<>();
    Vertx vertx = Vertx.vertx();
    try {
      AdminOptions options = new AdminOptions("", 0, "", Map.of(), Map.of(), true);
      VertxLoop loop = new VertxLoop(vertx, ((VertxInternal) vertx).createEventLoopContext());
      RouteTable table =
          AdminServer.routes(vertx, loop, new FakeBroker(), options, new MetricRegistry());
      for (RouteTable.Route route : table.routes()) {
        Set<String> names = new TreeSet<>(route.query());
        Matcher segment = Pattern.compile("\\{([^}]+)}").matcher(route.template());
        while (segment.find()) {
          names.add(segment.group(1));
        }
        served.put(route.method() + " " + route.template(), names);
      }
    } finally {
      vertx.close().await();
    }
    try (RunningServer server = RunningServer.open()) {
      assertThat(described(server.getJson("/api/v1/openapi.json"))).isEqualTo(served);
    }
  }

  private static Map<String, Set<String>> described(JsonNode document) {
    Map<String, Set<String>> described = new TreeMap<>();
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        if (!operation.getKey().equals("parameters")) {
          Set<String> names = new TreeSet<>();
          collect(document, path.getValue().path("parameters"), names);
          collect(document, operation.getValue().path("parameters"), names);
          described.put(operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(), names);
        }
      }
    }
    return described;
  }

  private static void collect(JsonNode document, JsonNode parameters, Set<String> names) {
    for (JsonNode parameter : parameters) {
      names.add(resolved(document, parameter).path("name").asText());
    }
  }

  private static JsonNode resolved(JsonNode document, JsonNode node) {
    return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
  }

  @Test
  void shouldResolveEveryReference() throws Exception {
    try (RunningServer server = RunningServer.open()) {
      JsonNode document = server.getJson("/api/v1/openapi.json");
      assertThat(document.path("openapi").asText()).startsWith("3.1");
      for (JsonNode reference : document.findValues("$ref")) {
        assertThat(document.at(reference.asText().substring(1)).isMissingNode())
            .as(reference.asText())
            .isFalse();
      }
    }
  }
}
