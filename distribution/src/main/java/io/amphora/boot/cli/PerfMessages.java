package io.amphora.boot.cli;

import io.amphora.boot.perf.load.Load;
import io.amphora.boot.perf.wire.Target;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What a load sends, and how fast. */
final class PerfMessages {

  /** Two numbers: when the message was due, and whose it is. */
  private static final int MIN_SIZE = 16;

  private static final long MAX_SIZE = 64L << 20;
  private static final int MAX_RATE = 10_000_000;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "1KiB",
      description = "Body of each message, 16B to 64MiB (default: ${DEFAULT-VALUE}).")
  private String size = "1KiB";

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = {
        "Messages a second over all connections; latency then counts from when a message was due.",
        "Without it, as fast as possible."
      })
  private Optional<String> rate = Optional.empty();

  @Option(
      names = "--acks",
      paramLabel = "WHEN",
      description = "When the broker is to answer: 0, 1 or all (default: the broker's, all).")
  private Optional<String> acks = Optional.empty();

  boolean hasRate() {
    return rate.isPresent();
  }

  Load load(Target target, PerfOptions options) {
    long bytes = Given.bytes("--size", size, MIN_SIZE);
    if (bytes > MAX_SIZE) {
      throw CliFailure.usage("--size is " + size + "; write a size from 16B to 64MiB");
    }
    acks.filter(when -> !when.matches("0|1|all"))
        .ifPresent(
            when -> {
              throw CliFailure.usage("--acks is " + when + "; write 0, 1 or all");
            });
    Load load = new Load(target, options.connections(), (int) bytes, options.window()).acks(acks);
    return rate.map(n -> load.at((double) Given.whole("--rate", n, 1, MAX_RATE))).orElse(load);
  }
}
