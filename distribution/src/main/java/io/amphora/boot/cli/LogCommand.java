package io.amphora.boot.cli;

import io.amphora.wal.LogName;
import io.amphora.wal.WalException;
import io.amphora.wal.disk.LogInspector;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code amphora log}: looks at the files of a broker that is stopped. */
@Command(
    name = "log",
    description = {
      "Checks or shows the data directory of a broker that is stopped.",
      "Nothing in it is changed."
    },
    subcommands = {LogVerifyCommand.class, LogDumpCommand.class},
    footer = {
      "",
      "Examples:",
      "  amphora log verify data",
      "  amphora log dump data --topic orders --partition 0 --records"
    })
final class LogCommand {

  /** What is done with an open data directory; the exit code. */
  interface Work {
    int with(LogInspector inspector) throws IOException;
  }

  /** Opens the directory, which no broker may use meanwhile. */
  static int inspect(Path data, Work work) {
    try (LogInspector inspector = LogInspector.open(data)) {
      return work.with(inspector);
    } catch (WalException e) {
      throw CliFailure.usage(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw CliFailure.usage("data directory " + data + " cannot be read: " + e);
    }
  }

  /** The logs that were asked for; all of them without a topic. */
  static List<LogName> chosen(
      LogInspector inspector, Optional<String> topic, Optional<String> partition)
      throws IOException {
    if (partition.isPresent() && topic.isEmpty()) {
      throw CliFailure.usage("--partition needs --topic");
    }
    long number = partition.map(n -> Given.whole("--partition", n, 0, 1_000_000)).orElse(-1L);
    List<LogName> logs =
        inspector.logs().stream()
            .filter(log -> topic.isEmpty() || topic.get().equals(log.topic()))
            .filter(log -> number < 0 || log.partition() == number)
            .toList();
    if (logs.isEmpty() && topic.isPresent()) {
      throw CliFailure.usage(
          "there is no log of topic "
              + topic.get()
              + partition.map(n -> ", partition " + n).orElse(""));
    }
    return logs;
  }
}
