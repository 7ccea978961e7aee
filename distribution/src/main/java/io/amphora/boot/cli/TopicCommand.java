package io.amphora.boot.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code amphora topic}. */
@Command(
    name = "topic",
    description = "Creates, shows and deletes topics.",
    footer = {
      "",
      "Examples:",
      "  amphora topic create orders --partitions 4",
      "  amphora topic list",
      "  amphora topic describe orders",
      "  amphora topic delete orders"
    })
final class TopicCommand {

  private static final int CREATED = 201;

  @Command(
      name = "create",
      description = "Creates a topic. Without --partitions it has the broker's default.",
      footer = {
        "",
        "Examples:",
        "  amphora topic create orders --partitions 4",
        "  amphora topic create clicks --partitions 8 --flush interval --retention-time 2d",
        "  amphora topic create events --compression zstd"
      })
  int create(
      @Parameters(paramLabel = "TOPIC", description = "Name.") String name,
      @Mixin TopicOptions settings,
      @Mixin RestOptions rest,
      @Mixin Output output) {
    RestClient.Answer answer = create(rest.client(), name, settings.json());
    int partitions = answer.body().path("config").path("partitions").asInt();
    output.say(
        answer.body(),
        answer.status() == CREATED
            ? "Created topic " + name + " with " + partitions + " partition(s)."
            : "Topic " + name + " is there already, with " + partitions + " partition(s).");
    return 0;
  }

  private static RestClient.Answer create(RestClient client, String name, ObjectNode settings) {
    try {
      return client.put(RestClient.path("topics", name), settings);
    } catch (CliFailure e) {
      throw e.exitCode() == 1 ? TopicOptions.named(e) : e;
    }
  }

  @Command(
      name = "list",
      description = "Lists topics.",
      footer = {"", "Example:", "  amphora topic list --output json"})
  int list(
      @Option(names = "--internal", description = "Also the broker's own topics.") boolean internal,
      @Mixin RestOptions rest,
      @Mixin Output output) {
    List<JsonNode> topics =
        rest.client().items(RestClient.path("topics")).stream()
            .filter(topic -> internal || !topic.path("internal").asBoolean())
            .toList();
    output.show(RestClient.array(topics), () -> listTable(topics));
    return 0;
  }

  @Command(
      name = "describe",
      description = "Shows the settings of a topic and its partitions.",
      footer = {"", "Example:", "  amphora topic describe orders"})
  int describe(
      @Parameters(paramLabel = "TOPIC", description = "Name.") String name,
      @Mixin RestOptions rest,
      @Mixin Output output) {
    RestClient client = rest.client();
    JsonNode topic = client.get(RestClient.path("topics", name));
    List<JsonNode> partitions = client.items(RestClient.path("topics", name, "partitions"));
    ObjectNode json = Output.JSON.createObjectNode();
    json.set("topic", topic);
    json.set("partitions", RestClient.array(partitions));
    if (!output.isJson()) {
      output.line("topic " + topic.path("name").asText() + ", id " + topic.path("id").asText());
      topic
          .path("config")
          .properties()
          .forEach(
              field -> output.line("  " + TopicOptions.shown(field.getKey(), field.getValue())));
    }
    output.show(json, () -> partitionTable(partitions));
    return 0;
  }

  @Command(
      name = "delete",
      description = "Deletes a topic with all its messages.",
      footer = {"", "Example:", "  amphora topic delete orders"})
  int delete(
      @Parameters(paramLabel = "TOPIC", description = "Name.") String name,
      @Mixin RestOptions rest,
      @Mixin Output output) {
    rest.client().delete(RestClient.path("topics", name));
    output.say(Output.JSON.createObjectNode().put("deleted", name), "Deleted topic " + name + ".");
    return 0;
  }

  private static List<List<String>> listTable(List<JsonNode> topics) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("TOPIC", "PARTITIONS", "FLUSH", "RETENTION"));
    for (JsonNode topic : topics) {
      JsonNode config = topic.path("config");
      rows.add(
          List.of(
              topic.path("name").asText(),
              config.path("partitions").asText(),
              config.path("flush").asText(),
              Durations.text(config.path("retentionMillis").asLong(Long.MAX_VALUE))));
    }
    return rows;
  }

  private static List<List<String>> partitionTable(List<JsonNode> partitions) {
    String[] fields = {
      "partition",
      "role",
      "leader",
      "epoch",
      "logStart",
      "highWatermark",
      "end",
      "messages",
      "bytes",
      "segments"
    };
    return Columns.table(fields, partitions);
  }
}
