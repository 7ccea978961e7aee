package io.amphora.boot.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.boot.config.Config;
import io.amphora.boot.config.ConfigException;
import io.amphora.boot.config.ConfigKeys;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code amphora config}: looks at the configuration without starting anything. */
@Command(
    name = "config",
    description = "Shows or checks the configuration that `start` would use.",
    footer = {
      "",
      "Examples:",
      "  amphora config show",
      "  amphora config show --config /etc/amphora.yaml --output json",
      "  amphora config validate --set topics.default.flush=interval"
    })
final class ConfigCommand {

  /** Every key with its effective value and where that comes from. */
  @Command(
      name = "show",
      description = "Prints every key, its effective value and where it comes from.",
      footer = {"", "Example:", "  amphora config show --set amqp.link-credit=500"})
  int show(@Mixin ConfigOptions options, @Mixin Output output) throws ConfigException {
    Config config = options.load();
    ObjectNode json = Output.JSON.createObjectNode();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("KEY", "VALUE", "FROM"));
    config
        .shown()
        .forEach(
            (key, setting) -> {
              json.putObject(key).put("value", setting.text()).put("source", setting.source());
              rows.add(List.of(key, setting.text(), setting.source()));
            });
    output.show(json, () -> rows);
    return 0;
  }

  /** Says whether a broker would start with it. */
  @Command(
      name = "validate",
      description = "Checks the configuration; exit code 2 and one line for each mistake.",
      footer = {"", "Example:", "  amphora config validate --config conf/amphora.yaml"})
  int validate(@Mixin ConfigOptions options, @Mixin Output output) throws ConfigException {
    options.load();
    output.say(
        Output.JSON.createObjectNode().put("valid", true).put("keys", ConfigKeys.ALL.size()),
        "The configuration is valid.");
    return 0;
  }
}
