package io.amphora.bench.compare;

import io.amphora.boot.perf.load.Load;
import io.amphora.boot.perf.load.LoadRun;
import io.amphora.boot.perf.load.Result;
import io.amphora.boot.perf.load.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;

/** All workloads once against one broker, started from an empty store and restarted at the end. */
final class Round {

  private static final double[] RATES = {2_000, 10_000};

  private final Contender contender;
  private final Path dir;
  private final Plan plan;
  private final Table table;

  /**
   * How much.
   *
   * @param size bytes of a body
   * @param backlog messages
   */
  record Plan(int warmup, int seconds, int size, long backlog) {}

  Round(Contender contender, Path dir, Plan plan, Table table) {
    this.contender = contender;
    this.dir = dir;
    this.plan = plan;
    this.table = table;
  }

  void run() throws IOException, InterruptedException {
    try (Server server = Server.start(contender, dir)) {
      add("start, empty store, ms", server.readyMillis());
      workloads(server.usage());
      add("resident memory at the end, MiB", server.usage().residentKiB() / 1024.0);
    }
    try (Server server = Server.start(contender, dir)) {
      add("restart with that store, ms", server.readyMillis());
    }
  }

  private void workloads(ServerProcess usage) throws IOException, InterruptedException {
    Result publish = timed(load("publish").with(1, 0), usage);
    add("publish, msgs/s", publish.published());
    add("publish, server CPU us/msg", publish.serverMicros());
    try (LoadRun fill = new LoadRun(load("backlog"), usage)) {
      fill.publish(plan.backlog());
    }
    try (LoadRun drain = new LoadRun(load("backlog"), usage)) {
      Result consume = drain.drain(plan.backlog());
      add("consume a backlog, msgs/s", consume.consumed());
      add("consume, server CPU us/msg", consume.serverMicros());
    }
    Result together = timed(load("together"), usage);
    add("publish and consume together: published/s", together.published());
    add("together: consumed/s", together.consumed());
    add("together, server CPU us/msg", together.serverMicros());
    for (double rate : RATES) {
      Result result = timed(load("rate-" + (long) rate).at(rate), usage);
      String name = String.format("at %,.0f/s: ", rate);
      add(name + "p50 ms", Result.millis(result.delivery(), 50));
      add(name + "p99 ms", Result.millis(result.delivery(), 99));
      add(name + "p99.9 ms", Result.millis(result.delivery(), 99.9));
      add(name + "server CPU us/msg", result.serverMicros());
    }
  }

  private Load load(String address) {
    return new Load(contender.target().at(address), 1, 1, plan.size(), 0, 1000);
  }

  private Result timed(Load load, ServerProcess usage) throws IOException, InterruptedException {
    try (LoadRun run = new LoadRun(load, usage)) {
      return run.timed(plan.warmup(), plan.seconds());
    }
  }

  private void add(String row, double value) {
    System.err.printf("%-12s %-45s %,.2f%n", contender.name(), row, value);
    table.add(row, contender.name(), value);
  }
}
