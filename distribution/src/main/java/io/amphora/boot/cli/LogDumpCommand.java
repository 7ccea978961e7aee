package io.amphora.boot.cli;

import io.amphora.wal.LogName;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.disk.LogInspector;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code amphora log dump}. */
@Command(
    name = "dump",
    description = {
      "Shows the batches of one partition as they are stored.",
      "Bytes that are no valid batch are named and passed over."
    },
    footer = {
      "",
      "Examples:",
      "  amphora log dump data --topic orders --partition 0",
      "  amphora log dump data --topic orders --partition 0 --offset 4711 --count 1 --records",
      "",
      "Exit codes: 0 done, 1 damage was met, 2 usage, or a broker uses the directory."
    })
final class LogDumpCommand implements Callable<Integer> {

  @Parameters(paramLabel = "DIR", description = "Data directory.")
  private Path data = Path.of("");

  @Option(names = "--topic", required = true, paramLabel = "TOPIC", description = "Its topic.")
  private String topic = "";

  @Option(
      names = "--partition",
      required = true,
      paramLabel = "N",
      description = "Its number, from 0.")
  private String partition = "";

  @Option(
      names = "--offset",
      paramLabel = "OFFSET",
      defaultValue = "0",
      description = "Where to begin (default: the start).")
  private String offset = "0";

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "100",
      description = "Batches to show (default: ${DEFAULT-VALUE}).")
  private String count = "100";

  @Option(names = "--records", description = "Also each record: key, sizes and sections.")
  private boolean records;

  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    return LogCommand.inspect(data, this::dump);
  }

  private int dump(LogInspector inspector) throws IOException {
    long from = Given.whole("--offset", offset, 0, Long.MAX_VALUE);
    long most = Given.whole("--count", count, 1, Long.MAX_VALUE);
    List<LogName> logs = LogCommand.chosen(inspector, Optional.of(topic), Optional.of(partition));
    Printer printer = new Printer(from, most);
    for (LogName log : logs) { // more than one when a deleted namesake was restored beside it
      if (logs.size() > 1) {
        output.remark("topic id " + log.topicId());
      }
      inspector.walk(log, from, printer);
    }
    return printer.damages == 0 ? 0 : 1;
  }

  private final class Printer implements LogInspector.Visitor {
    private final long from;
    private long left;
    private int damages;

    Printer(long from, long most) {
      this.from = from;
      this.left = most;
    }

    @Override
    public boolean onBatch(RecordBatch batch, Path file, long position) {
      if (left == 0) {
        output.remark("more follows, go on with --offset " + batch.baseOffset());
        return false;
      }
      left--;
      BatchView view = new BatchView(batch, file, position);
      if (output.isJson()) {
        output.line(view.json(records, from).toString());
      } else {
        output.line(view.line());
        if (records) {
          view.recordLines(from).forEach(output::line);
        }
      }
      return true;
    }

    @Override
    public void onDamage(String text) {
      damages++;
      if (output.isJson()) {
        output.line(Output.JSON.createObjectNode().put("damage", text).toString());
      } else {
        output.line("DAMAGE " + text);
      }
    }
  }
}
