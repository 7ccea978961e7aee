package io.amphora.boot.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
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
    JsonNode broker = json.path("broker");
    JsonNode cluster = json.path("cluster");
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("WHAT", "VALUE"));
    boolean ready = json.path("ready").asBoolean();
    rows.add(List.of("ready", ready ? "yes" : "no: " + broker.path("reason").asText("unknown")));
    rows.add(List.of("alarms", joined(broker.path("alarms"))));
    rows.add(List.of("broker", broker.path("brokerId").asText()));
    rows.add(List.of("version", broker.path("version").asText()));
    rows.add(List.of("up for", upFor(broker.path("uptimeMillis").asLong())));
    rows.add(List.of("cluster", cluster.path("clusterId").asText()));
    for (JsonNode member : cluster.path("brokers")) {
      rows.add(List.of("member", member(member)));
    }
    return rows;
  }

  private static String joined(JsonNode array) {
    List<String> values = new ArrayList<>();
    array.forEach(value -> values.add(value.asText()));
    return values.isEmpty() ? "none" : String.join(", ", values);
  }

  private static String member(JsonNode member) {
    return member.path("id").asText()
        + (member.path("self").asBoolean() ? " (this broker)" : "")
        + (member.path("voter").asBoolean() ? "" : " (does not vote)");
  }

  /** To the second: milliseconds since the start tell nobody anything. */
  private static String upFor(long millis) {
    Duration up = Duration.ofMillis(millis);
    return up.toDays() > 0
        ? up.toDays() + "d " + up.toHoursPart() + "h"
        : up.toHours() > 0
            ? up.toHours() + "h " + up.toMinutesPart() + "m"
            : up.toMinutesPart() + "m " + up.toSecondsPart() + "s";
  }
}
