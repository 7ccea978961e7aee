package io.amphora.bench.compare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Starts the brokers in turns, each time with an empty store, and prints medians and ratios. The
 * order turns round with every round, so that drift of a shared machine hits all alike.
 */
@Command(name = "compare", description = "Amphora beside other brokers, in turns.")
public final class Comparison implements Callable<Integer> {

  @Option(names = "--amphora", required = true, description = "Unpacked archive of Amphora.")
  private Optional<Path> amphora = Optional.empty();

  @Option(names = "--artemis", description = "Unpacked archive of ActiveMQ Artemis.")
  private Optional<Path> artemis = Optional.empty();

  @Option(names = "--journal", description = "Journals of Artemis: aio, nio.", split = ",")
  private List<String> journals = new ArrayList<>(List.of("aio"));

  @Option(names = "--work", required = true, description = "Directory for data; wiped.")
  private Optional<Path> work = Optional.empty();

  @Option(names = "--heap", description = "Heap of every broker.", defaultValue = "2g")
  private String heap = "2g";

  @Option(names = "--rounds", description = "Rounds.", defaultValue = "3")
  private int rounds = 3;

  @Option(names = "--warmup", description = "Seconds before counting.", defaultValue = "5")
  private int warmup = 5;

  @Option(names = "--seconds", description = "Seconds that count.", defaultValue = "10")
  private int seconds = 10;

  @Option(names = "--size", description = "Bytes of a body.", defaultValue = "1024")
  private int size = 1024;

  @Option(names = "--backlog", description = "Messages to consume.", defaultValue = "500000")
  private long backlog = 500_000;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Contender> contenders = contenders();
    Table table = new Table(contenders.stream().map(Contender::name).toList());
    Round.Plan plan = new Round.Plan(warmup, seconds, size, backlog);
    for (int round = 0; round < rounds; round++) {
      for (Contender contender : contenders) {
        Path dir = work.orElseThrow().resolve("compare-store");
        wipe(dir);
        Files.createDirectories(dir);
        new Round(contender, dir, plan, table).run();
        wipe(dir);
      }
      System.out.println(table.markdown());
      Collections.reverse(contenders);
    }
    return 0;
  }

  private List<Contender> contenders() {
    List<Contender> all = new ArrayList<>();
    all.add(new AmphoraContender(amphora.orElseThrow(), heap));
    artemis.ifPresent(
        home -> journals.forEach(journal -> all.add(new ArtemisContender(home, journal, heap))));
    return all;
  }

  private static void wipe(Path dir) throws IOException {
    if (!Files.exists(dir)) {
      return;
    }
    try (Stream<Path> all = Files.walk(dir)) {
      all.sorted(Comparator.reverseOrder()).forEach(Comparison::delete);
    }
  }

  private static void delete(Path path) {
    try {
      Files.delete(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
