package io.amphora.bench.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Amphora beside other brokers: medians and ratios. */
@Command(name = "compare", description = "Amphora beside other brokers, in turns.")
public final class Comparison implements Callable<Integer> {

  private static final List<Integer> RATES = List.of(2_000, 10_000);
  private static final Set<Row> BEFORE_AND_AFTER = EnumSet.of(Row.START, Row.MILLION);

  @Mixin private PlanOptions options = new PlanOptions();

  @Option(names = "--artemis", description = "Unpacked archive of ActiveMQ Artemis.")
  private Optional<Path> artemis = Optional.empty();

  @Option(names = "--journal", description = "Journals of Artemis: aio, nio.", split = ",")
  private List<String> journals = new ArrayList<>(List.of("aio"));

  @Option(names = "--brokerj", description = "Unpacked archive of Qpid Broker-J.")
  private Optional<Path> brokerJ = Optional.empty();

  @Option(names = "--kafka", description = "Directory with Kafka's libraries.")
  private Optional<Path> kafka = Optional.empty();

  @Option(names = "--starts", description = "Starts of an empty store.", defaultValue = "5")
  private int starts = 5;

  @Option(
      names = "--only",
      split = ",",
      description = "Rows to run: ${COMPLETION-CANDIDATES} (default: all).")
  private Set<Row> only = EnumSet.noneOf(Row.class);

  @Override
  public Integer call() throws Exception {
    Set<Row> rows = only.isEmpty() ? EnumSet.allOf(Row.class) : only;
    List<Contender> contenders = contenders();
    Table table = new Table(contenders.stream().map(Contender::name).toList());
    Turns turns = new Turns(contenders, options.store(), table);
    try {
      if (rows.contains(Row.START)) {
        turns.starts(starts);
      }
      if (!BEFORE_AND_AFTER.containsAll(rows)) {
        turns.rounds(options.rounds(), options.plan(RATES, rows));
      }
      if (rows.contains(Row.MILLION)) {
        new Turns(contenders.subList(0, 1), options.store(), table).million(options.rounds());
      }
    } finally {
      System.out.println(table.markdown());
      contenders.forEach(contender -> contender.note().ifPresent(System.out::println));
    }
    return 0;
  }

  private List<Contender> contenders() {
    String heap = options.heap();
    List<Contender> all = new ArrayList<>();
    all.add(new AmphoraContender("Amphora", options.amphora(), heap, List.of()));
    artemis.ifPresent(
        home -> journals.forEach(journal -> all.add(new ArtemisContender(home, journal, heap))));
    brokerJ.ifPresent(home -> all.add(new BrokerJContender(home, heap)));
    kafka.ifPresent(libraries -> all.add(new KafkaContender(libraries, heap)));
    return all;
  }
}
