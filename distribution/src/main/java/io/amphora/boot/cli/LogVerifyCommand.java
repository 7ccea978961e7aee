package io.amphora.boot.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.boot.config.Units;
import io.amphora.wal.LogName;
import io.amphora.wal.disk.LogInspector;
import io.amphora.wal.disk.LogReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code amphora log verify}. */
@Command(
    name = "verify",
    description = {
      "Reads every segment and checks checksums, offsets, epochs and indexes.",
      "One line a partition; damage is named with file and position."
    },
    footer = {
      "",
      "Examples:",
      "  amphora log verify data",
      "  amphora log verify /var/lib/amphora --topic orders --partition 3",
      "",
      "Exit codes: 0 all is well, 1 damage was found, 2 usage, or a broker uses the directory."
    })
final class LogVerifyCommand implements Callable<Integer> {

  @Parameters(paramLabel = "DIR", description = "Data directory.")
  private Path data = Path.of("");

  @Option(names = "--topic", paramLabel = "TOPIC", description = "Only this topic.")
  private Optional<String> topic = Optional.empty();

  @Option(names = "--partition", paramLabel = "N", description = "Only this partition of it.")
  private Optional<String> partition = Optional.empty();

  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    return LogCommand.inspect(data, this::verify);
  }

  private int verify(LogInspector inspector) throws IOException {
    List<LogName> logs = LogCommand.chosen(inspector, topic, partition);
    int damaged = 0;
    for (LogName log : logs) {
      LogReport report = inspector.verify(log);
      damaged += report.healthy() ? 0 : 1;
      if (output.isJson()) {
        output.line(json(report).toString());
      } else {
        print(report);
      }
    }
    output.remark(logs.size() + " partition(s) verified, " + damaged + " damaged");
    return damaged == 0 ? 0 : 1;
  }

  private void print(LogReport report) {
    LogReport.Contents found = report.contents();
    output.line(
        "%s-%d  %s  offsets %d to %d  segments %d  batches %d  records %d  %s%s"
            .formatted(
                report.name().topic(),
                report.name().partition(),
                report.healthy() ? "ok" : "DAMAGED",
                found.firstOffset(),
                found.endOffset(),
                report.segments(),
                found.batches(),
                found.records(),
                Units.formatBytes(found.bytes()),
                found.bytes() == found.plainBytes()
                    ? ""
                    : " (uncompressed " + Units.formatBytes(found.plainBytes()) + ")"));
    report.damages().forEach(damage -> output.line("  " + damage.text()));
    if (report.moreDamages() > 0) {
      output.line("  and " + report.moreDamages() + " more");
    }
    report.remarks().forEach(remark -> output.line("  note: " + remark));
  }

  private static ObjectNode json(LogReport report) {
    LogReport.Contents found = report.contents();
    ObjectNode json = Output.JSON.createObjectNode();
    json.put("topic", report.name().topic()).put("partition", report.name().partition());
    json.put("healthy", report.healthy()).put("segments", report.segments());
    json.put("firstOffset", found.firstOffset()).put("endOffset", found.endOffset());
    json.put("batches", found.batches()).put("records", found.records());
    json.put("bytes", found.bytes()).put("plainBytes", found.plainBytes());
    ArrayNode damages = json.putArray("damages");
    for (LogReport.Damage damage : report.damages()) {
      damages
          .addObject()
          .put("file", damage.file().toString())
          .put("position", damage.position())
          .put("text", damage.text());
    }
    json.put("moreDamages", report.moreDamages());
    report.remarks().forEach(json.putArray("notes")::add);
    return json;
  }
}
