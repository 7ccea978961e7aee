package io.amphora.bench;

import io.amphora.bench.compare.Comparison;
import io.amphora.bench.compare.FlushTable;
import io.amphora.boot.perf.load.Amount;
import io.amphora.boot.perf.load.IdleConnections;
import io.amphora.boot.perf.load.Load;
import io.amphora.boot.perf.load.LoadRun;
import io.amphora.boot.perf.load.Result;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The load generator: one subcommand a workload, against any AMQP 1.0 broker that runs. */
@Command(
    name = "bench",
    subcommands = {Comparison.class, FlushTable.class},
    mixinStandardHelpOptions = true,
    description = "Loads an AMQP 1.0 broker and says what it took.")
public final class Main {

  private Main() {}

  /** Exit code 0 when the workload ran. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Command(description = "Publish as fast as credit allows.")
  int publish(@Mixin LoadOptions options) throws Exception {
    return timed(options, options.load().with(options.connections(), 0));
  }

  @Command(description = "Publish and consume at once, as fast as credit allows.")
  int together(@Mixin LoadOptions options) throws Exception {
    return timed(options, options.load());
  }

  @Command(description = "Publish at a fixed rate and consume: latency from when each was due.")
  int latency(
      @Mixin LoadOptions options,
      @Option(names = "--rate", description = "Messages a second.", required = true) double rate)
      throws Exception {
    return timed(options, options.load().at(rate));
  }

  @Command(description = "One message at a time, there and back.")
  int roundtrip(@Mixin LoadOptions options) throws Exception {
    try (LoadRun run = new LoadRun(options.load().with(1, 1), options.server())) {
      return print(run.roundTrips(options.amount()));
    }
  }

  @Command(description = "Publish a backlog; consume it, unless told not to.")
  int backlog(
      @Mixin LoadOptions options,
      @Option(names = "--count", description = "Messages.", defaultValue = "1000000") long count,
      @Option(names = "--keep", description = "Leave it there.") boolean keep)
      throws Exception {
    try (LoadRun run =
        new LoadRun(options.load().with(options.connections(), 0), options.server())) {
      print(run.run(Amount.messages(count)));
    }
    return keep ? 0 : drain(options, count);
  }

  @Command(description = "Consume messages that are there.")
  int consume(
      @Mixin LoadOptions options,
      @Option(names = "--count", description = "Messages.", required = true) long count)
      throws Exception {
    return drain(options, count);
  }

  @Command(description = "Open connections that do nothing.")
  int idle(
      @Mixin LoadOptions options,
      @Option(names = "--count", description = "Connections.", defaultValue = "1000") int count)
      throws Exception {
    double each = IdleConnections.kibEach(options.load().target(), count, options.server());
    System.out.printf(Locale.ROOT, "%.0f KiB a connection%n", each);
    return 0;
  }

  private static int drain(LoadOptions options, long count) throws Exception {
    try (LoadRun run =
        new LoadRun(options.load().with(0, options.connections()), options.server())) {
      return print(run.drain(count));
    }
  }

  private static int timed(LoadOptions options, Load load) throws Exception {
    try (LoadRun run = new LoadRun(load, options.server())) {
      return print(run.run(options.amount()));
    }
  }

  private static int print(Result result) {
    System.out.println(result.text());
    result.faults().refusal().ifPresent(why -> System.out.println("refused: " + why));
    return result.faults().none() ? 0 : 1;
  }
}
