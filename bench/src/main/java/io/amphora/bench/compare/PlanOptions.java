package io.amphora.bench.compare;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** Options of all side-by-side runs. */
final class PlanOptions {

  @Option(names = "--amphora", required = true, description = "Unpacked archive of Amphora.")
  private Optional<Path> amphora = Optional.empty();

  @Option(names = "--work", required = true, description = "Directory for data; wiped.")
  private Optional<Path> work = Optional.empty();

  @Option(names = "--heap", description = "Heap of every broker.", defaultValue = "2g")
  private String heap = "2g";

  @Option(names = "--rounds", description = "Rounds.", defaultValue = "3")
  private int rounds = 3;

  @Option(
      names = "--warmup",
      description = "Seconds before counting after a start; half of it before later workloads.",
      defaultValue = "4")
  private double warmup = 4;

  @Option(names = "--seconds", description = "Seconds that count.", defaultValue = "4")
  private double seconds = 4;

  @Option(names = "--size", description = "Bytes of a body.", defaultValue = "1024")
  private int size = 1024;

  @Option(names = "--backlog", description = "Messages to consume.", defaultValue = "300000")
  private long backlog = 300_000;

  Path amphora() {
    return amphora.orElseThrow();
  }

  Path store() {
    return work.orElseThrow().resolve("compare-store");
  }

  String heap() {
    return heap;
  }

  int rounds() {
    return rounds;
  }

  Plan plan(List<Integer> rates, Set<Row> rows) {
    return new Plan(new Plan.Time(warmup, seconds), size, backlog, rates, EnumSet.copyOf(rows));
  }
}
