package io.amphora.bench.compare;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What each flush policy costs: one column a policy. */
@Command(name = "flush-table", description = "Amphora beside itself, with each flush policy.")
public final class FlushTable implements Callable<Integer> {

  private static final List<Integer> RATES = List.of(1_000, 10_000);

  @Mixin private PlanOptions options = new PlanOptions();

  @Override
  public Integer call() throws Exception {
    List<Contender> policies =
        List.of(
            policy("commit", "topics.default.flush=commit"),
            policy(
                "interval 10 ms",
                "topics.default.flush=interval",
                "topics.default.flush.interval=10ms"),
            policy(
                "interval 100 ms",
                "topics.default.flush=interval",
                "topics.default.flush.interval=100ms"),
            policy("os", "topics.default.flush=os"));
    Table table = new Table(policies.stream().map(Contender::name).toList());
    Plan plan = options.plan(RATES, EnumSet.of(Row.PUBLISH, Row.LATENCY));
    try {
      new Turns(policies, options.store(), table).rounds(options.rounds(), plan);
    } finally {
      System.out.println(table.markdown());
    }
    return 0;
  }

  private Contender policy(String name, String... settings) {
    Path home = options.amphora();
    return new AmphoraContender(name, home, options.heap(), List.of(settings));
  }
}
