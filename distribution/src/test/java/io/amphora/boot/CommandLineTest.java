package io.amphora.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CommandLineTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    CommandLine commandLine = Main.commandLine();
    commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return commandLine.execute(args);
  }

  @Test
  void shouldHaveExamplesInTheHelpOfEveryCommand() {
    List<CommandLine> all = new ArrayList<>();
    collect(Main.commandLine(), all);
    assertThat(all).hasSizeGreaterThan(12);
    for (CommandLine command : all) {
      String help = command.getUsageMessage();
      assertThat(help).as(command.getCommandName()).contains("Example").contains("--help");
    }
  }

  private static void collect(CommandLine command, List<CommandLine> all) {
    all.add(command);
    command.getSubcommands().values().forEach(sub -> collect(sub, all));
  }

  @Test
  void shouldShowItsVersionEverywhere() {
    assertThat(run("--version")).isZero();
    assertThat(run("topic", "create", "--version")).isZero();
    assertThat(out.toString().lines())
        .hasSize(2)
        .allMatch(line -> line.matches("amphora \\d+\\.\\d+.*"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "topic",
        "topic create",
        "topic create a b",
        "topic create a --partitions many",
        "topic create a --retention-time soon",
        "topic list --output xml",
        "topic list --admin-url nowhere",
        "group",
        "group describe",
        "send",
        "send a --body x --size 5",
        "send a --size big",
        "send a --file /no/such/file",
        "send a --amqp-url http://127.0.0.1",
        "receive",
        "receive a --timeout soon",
        "receive a --count x",
        "config show --set nonsense=1",
        "config validate --config /no/such/file",
        "start --set listeners.amqp.port=no",
        "start --nonsense"
      })
  void shouldCallAMistakeAMistake(String line) {
    assertThat(run(line.isEmpty() ? new String[0] : line.split(" "))).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status --admin-url http://127.0.0.1:1",
        "topic list --admin-url http://127.0.0.1:1",
        "send a --amqp-url amqp://127.0.0.1:1",
        "receive a --amqp-url amqp://127.0.0.1:1"
      })
  void shouldSayThatNobodyIsThere(String line) {
    assertThat(run(line.split(" "))).isEqualTo(2);
  }

  @Test
  void shouldShowTheEffectiveConfiguration() {
    int code =
        run(
            "config",
            "show",
            "--data",
            "/somewhere",
            "--set",
            "auth.user=a",
            "--set",
            "auth.password=hunter2",
            "--output",
            "json");
    assertThat(code).isZero();
    assertThat(out.toString())
        .contains("\"data.dir\"")
        .contains("/somewhere")
        .contains("********")
        .doesNotContain("hunter2");
  }
}
