package io.amphora.boot.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code amphora group}. */
@Command(
    name = "group",
    description = "Shows consumer groups, their positions and their lag.",
    footer = {
      "",
      "Examples:",
      "  amphora group list",
      "  amphora group describe billing",
      "  amphora group describe 'orders::$queue'"
    })
final class GroupCommand {

  private static final String[] LIST = {"name", "mode", "members", "lag", "parked"};
  private static final String[] POSITIONS = {
    "topic", "partition", "committed", "end", "lag", "lagSeconds", "parked", "retried"
  };

  @Command(
      name = "list",
      description = "Lists groups.",
      footer = {"", "Example:", "  amphora group list --output json"})
  int list(@Mixin RestOptions rest, @Mixin Output output) {
    List<JsonNode> groups = rest.client().items(RestClient.path("groups"));
    output.show(RestClient.array(groups), () -> Columns.table(LIST, groups));
    return 0;
  }

  @Command(
      name = "describe",
      description = "Shows the members and the positions of a group.",
      footer = {"", "Example:", "  amphora group describe billing"})
  int describe(
      @Parameters(paramLabel = "GROUP", description = "Name.") String name,
      @Mixin RestOptions rest,
      @Mixin Output output) {
    JsonNode group = rest.client().get(RestClient.path("groups", name));
    if (!output.isJson()) {
      output.line(
          "group "
              + group.path("name").asText()
              + ", mode "
              + group.path("mode").asText()
              + ", lag "
              + group.path("lag").asText()
              + ", parked "
              + group.path("parked").asText("0"));
      group.path("members").forEach(member -> output.line("  member " + member(member)));
    }
    List<JsonNode> positions = new ArrayList<>();
    group.path("positions").forEach(positions::add);
    output.show(group, () -> Columns.table(POSITIONS, positions));
    return 0;
  }

  private static String member(JsonNode member) {
    return member.isTextual() ? member.asText() : member.toString();
  }
}
