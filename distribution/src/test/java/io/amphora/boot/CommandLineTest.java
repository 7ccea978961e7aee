package io.amphora.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
        "log",
        "log verify",
        "log verify /no/such/directory",
        "log verify . --partition 0",
        "log dump . --topic t",
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
  @CsvSource(
      delimiter = '|',
      value = {
        "send a --count -5 | amphora: --count is -5; write a whole number from 1",
        "receive a --count 0 | amphora: --count is 0; write a whole number from 1",
        "topic create a --partitions x | --partitions is x; write a whole number from 1 to 10000",
        "topic create a --retention-time soon | --retention-time is soon; write a duration",
        "topic create a --max-message-size 0 | --max-message-size is 0; write a size from 1B",
        "topic create | (amphora topic create --help)",
        "topic create a b | 'b' (amphora topic create --help)",
        "start --nonsense | '--nonsense'",
        "receive a::b --group c | names the group b already; name the group once",
        "send a --size 900GiB | --size 900GiB is too large",
      })
  void shouldSayInOneLineWhatIsWrong(String line, String text) {
    String[] args = line.split(" ");
    assertThat(errorOf(args)).startsWith("amphora: ").contains(text).hasLineCount(1);
  }

  /** What {@link Main} says, whether picocli or a command refuses. */
  private String errorOf(String... args) {
    PrintStream before = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      assertThat(run(args)).isEqualTo(2);
    } finally {
      System.setErr(before);
    }
    return err + bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void shouldRefuseAnEmptyAddressAtOnce() {
    assertThat(errorOf("send", "")).contains("the address is empty");
    assertThat(errorOf("receive", " ")).contains("the address is empty");
  }

  @Test
  void shouldNameStartFirst() {
    assertThat(Main.commandLine().getSubcommands().keySet()).first().isEqualTo("start");
  }

  @Test
  void shouldFailWhenItsOutputCannotBeWritten() {
    Writer full =
        new Writer() {
          @Override
          public void write(char[] text, int from, int length) throws IOException {
            throw new IOException("full");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    CommandLine commandLine = Main.commandLine().setOut(new PrintWriter(full));
    assertThat(commandLine.execute("config", "show")).isEqualTo(1);
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
