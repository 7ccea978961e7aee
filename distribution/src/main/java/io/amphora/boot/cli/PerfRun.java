package io.amphora.boot.cli;

import io.amphora.boot.perf.load.Amount;
import io.amphora.boot.perf.load.Load;
import io.amphora.boot.perf.load.LoadRun;
import io.amphora.boot.perf.load.Result;
import io.amphora.boot.perf.load.ServerProcess;
import io.amphora.boot.perf.wire.WireException;
import java.util.Locale;

/** One run of {@code perf}; what was measured is said also when it ends early. */
final class PerfRun {

  private static final int INTERRUPTED = 130;
  private static final int UNKNOWN_PROCESS = 0;

  private final Load load;
  private final Amount amount;
  private final Output output;

  PerfRun(Load load, Amount amount, Output output) {
    this.load = load;
    this.amount = amount;
    this.output = output;
  }

  /** Runs it and says what came out; the exit code. */
  int execute(PerfReport report) {
    try (GentleStop stop = new GentleStop();
        LoadRun run = new LoadRun(load, new ServerProcess(UNKNOWN_PROCESS))) {
      run.watch(this::progress);
      String problem = "";
      try {
        if (report == PerfReport.ROUND_TRIP) {
          run.roundTrips(amount);
        } else {
          run.run(amount);
        }
      } catch (WireException e) {
        problem = explain(e);
      } catch (InterruptedException e) {
        problem = "interrupted";
      }
      Result result = run.result();
      output.say(report.json(result), report.text(result));
      return exitCode(report, result, stop.requested() ? "interrupted" : problem);
    }
  }

  private void progress(LoadRun.Progress now) {
    output.remark(
        String.format(
            Locale.ROOT,
            "%.0f s: %d messages, %.0f/s",
            now.seconds(),
            now.messages(),
            now.messages() / now.seconds()));
  }

  private int exitCode(PerfReport report, Result result, String problem) {
    result.faults().refusal().ifPresent(why -> output.remark("amphora: refused: " + why));
    if (!problem.isEmpty()) {
      output.remark("amphora: " + problem);
      return problem.equals("interrupted") ? INTERRUPTED : 1;
    }
    boolean good = report.good(result, amount);
    if (!good && result.faults().none()) {
      output.remark("amphora: nothing came; is there anything at " + load.target().address() + "?");
    }
    return good ? 0 : 1;
  }

  /** What kept it from beginning ends the command; what came later is a result. */
  private String explain(WireException e) {
    String where = load.target().host() + ":" + load.target().port();
    return switch (e.stage()) {
      case CONNECT ->
          throw CliFailure.usage(
              "cannot connect to amqp://%s: %s (--amqp-url)".formatted(where, e.getMessage()));
      case LOGIN -> throw CliFailure.usage("wrong user or password (--amqp-url)");
      case LINK, CONNECTION -> String.valueOf(e.getMessage());
    };
  }
}
