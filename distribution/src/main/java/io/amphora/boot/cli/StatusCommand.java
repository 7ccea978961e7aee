package io.amphora.boot.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code amphora status}: is the broker well? */
@Command(
    name = "status",
    description = "Shows whether the broker is ready, its cluster and its alarms.",
    footer = {
      "",
      "Examples:",
      "  amphora status",
      "  amphora status --admin-url http://10.0.0.5:8672 --output json",
      "",
      "Exit codes: 0 ready, 1 not ready, 2 cannot be reached."
    })
final class StatusCommand implements Callable<Integer> {

  private static final int OK = 200;

  @Mixin private RestOptions rest = new RestOptions();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    RestClient client = rest.client();
    RestClient.Answer health = client.probe("/health/ready");
    boolean ready = health.status() == OK;
    ObjectNode json = Output.JSON.createObjectNode().put("ready", ready);
    json.set("broker", client.get(RestClient.path("status")));
    json.set("cluster", client.get(RestClient.path("cluster")));
    output.show(json, () -> table(json));
    return ready ? 0 : 1;
  }

  private static List<List<String>> table(JsonNode json) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("WHAT", "VALUE"));
    flatten("", json, rows);
    return rows;
  }

  private static void flatten(String name, JsonNode node, List<List<String>> rows) {
    if (node.isObject()) {
      node.properties()
          .forEach(
              field ->
                  flatten(
                      name.isEmpty() ? field.getKey() : name + "." + field.getKey(),
                      field.getValue(),
                      rows));
    } else if (node.isArray() && node.size() > 0 && node.get(0).isContainerNode()) {
      for (int i = 0; i < node.size(); i++) {
        flatten(name + "[" + i + "]", node.get(i), rows);
      }
    } else if (node.isArray()) {
      List<String> values = new ArrayList<>();
      node.forEach(value -> values.add(value.asText()));
      rows.add(List.of(name, values.isEmpty() ? "none" : String.join(", ", values)));
    } else if (!node.isMissingNode()) {
      rows.add(List.of(name, node.asText()));
    }
  }
}
