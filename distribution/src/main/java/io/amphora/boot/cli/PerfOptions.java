package io.amphora.boot.cli;

import io.amphora.boot.perf.load.Amount;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** How long a load runs, over how many connections. */
final class PerfOptions {

  private static final String DEFAULT_SECONDS = "10";
  private static final int MAX_CONNECTIONS = 1_000;
  private static final int MAX_WINDOW = 100_000;
  private static final int MAX_SECONDS = 86_400;

  /** When it ends. */
  static final class End {

    @Option(names = "--count", paramLabel = "N", description = "Messages.")
    private Optional<String> count = Optional.empty();

    @Option(names = "--seconds", paramLabel = "N", description = "Seconds (default: 10).")
    private Optional<String> seconds = Optional.empty();
  }

  @ArgGroup private End end = new End();

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "0",
      description = "Seconds before anything counts; not with --count (default: 0).")
  private String warmup = "0";

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "1",
      description = "Connections each way (default: ${DEFAULT-VALUE}).")
  private String connections = "1";

  @Option(
      names = "--window",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "Messages under way on a connection: sent and not yet answered, or asked for in advance"
              + " (default: ${DEFAULT-VALUE}).")
  private String window = "1000";

  Amount amount() {
    long warm = Given.whole("--warmup", warmup, 0, MAX_SECONDS);
    if (end.count.isPresent()) {
      if (warm > 0) {
        throw CliFailure.usage("--warmup goes with --seconds, not with --count");
      }
      return Amount.messages(Given.whole("--count", end.count.get(), 1, Long.MAX_VALUE - 1));
    }
    String seconds = end.seconds.orElse(DEFAULT_SECONDS);
    return Amount.seconds(
        (double) warm, (double) Given.whole("--seconds", seconds, 1, MAX_SECONDS));
  }

  int connections() {
    return (int) Given.whole("--connections", connections, 1, MAX_CONNECTIONS);
  }

  int window() {
    return (int) Given.whole("--window", window, 1, MAX_WINDOW);
  }
}
