package io.amphora.bench.compare;

import io.amphora.boot.perf.load.Amount;
import io.amphora.boot.perf.load.Result;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** All workloads once against one broker, started from an empty store and restarted at the end. */
final class Round {

  /** Bodies of other sizes, and how many of them are a backlog. */
  private static final Map<Integer, Integer> SIZES =
      new java.util.TreeMap<>(Map.of(100, 300_000, 64 << 10, 4_000, 1 << 20, 400));

  private static final Amount SHORT = Amount.seconds(1, 2);

  private final Contender contender;
  private final Path dir;
  private final Plan plan;
  private final Table table;
  private boolean warm;

  Round(Contender contender, Path dir, Plan plan, Table table) {
    this.contender = contender;
    this.dir = dir;
    this.plan = plan;
    this.table = table;
  }

  void run() throws Exception {
    try (Server server = Server.start(contender, dir)) {
      Generator generator = server.generator();
      throughput(generator);
      latency(generator);
      roundTrips(generator);
      sizes(generator);
      if (plan.has(Row.MEMORY)) {
        add("resident memory at the end, MiB", server.usage().residentKiB() / 1024.0);
      }
    }
    if (plan.has(Row.RESTART)) {
      try (Server server = Server.start(contender, dir)) {
        add("restart with that store, ms", (double) server.readyMillis());
      }
    }
  }

  private void throughput(Generator generator) throws Exception {
    if (plan.has(Row.PUBLISH)) {
      Result publish = generator.publish(job("publish", 0), amount());
      add("publish, msgs/s", publish.published());
      add("publish, server CPU us/msg", publish.serverMicros());
    }
    if (plan.has(Row.CONSUME)) {
      Generator.Job job = job("backlog", 0);
      generator.publish(job, Amount.messages(plan.backlog()));
      warm = true;
      Result consume = generator.drain(job, plan.backlog());
      add("consume a backlog, msgs/s", consume.consumed());
      add("consume, server CPU us/msg", consume.serverMicros());
    }
    if (plan.has(Row.TOGETHER)) {
      Result together = generator.together(job("together", 0), amount());
      add("publish and consume together: published/s", together.published());
      add("together: consumed/s", together.consumed());
      add("together, server CPU us/msg", together.serverMicros());
    }
  }

  private void latency(Generator generator) throws Exception {
    if (!plan.has(Row.LATENCY)) {
      return;
    }
    for (int rate : plan.rates()) {
      Result result = generator.together(job("rate-" + rate, rate), amount());
      String name = String.format(Locale.ROOT, "at %,d/s: ", rate);
      add(name + "accepted p50 ms", Result.millis(result.accept(), 50));
      add(name + "accepted p99 ms", Result.millis(result.accept(), 99));
      add(name + "received p50 ms", Result.millis(result.delivery(), 50));
      add(name + "received p99 ms", Result.millis(result.delivery(), 99));
      add(name + "received p99.9 ms", Result.millis(result.delivery(), 99.9));
      add(name + "server CPU us/msg", result.serverMicros());
    }
  }

  private void roundTrips(Generator generator) throws Exception {
    if (plan.has(Row.ROUNDTRIP)) {
      Result trips = generator.roundTrips(job("roundtrip", 0), amount());
      add("round trip, one under way: p50 ms", Result.millis(trips.delivery(), 50));
      add("round trip, one under way: p99 ms", Result.millis(trips.delivery(), 99));
      add("round trips/s", trips.consumed());
    }
  }

  private void sizes(Generator generator) throws Exception {
    if (!plan.has(Row.SIZES) || !contender.sized()) {
      return;
    }
    for (Map.Entry<Integer, Integer> each : SIZES.entrySet()) {
      int size = each.getKey();
      String name = size < 1024 ? size + " B" : size < 1 << 20 ? (size >> 10) + " KiB" : "1 MiB";
      Result publish = generator.publish(new Generator.Job("publish-size-" + size, size, 0), SHORT);
      add("publish " + name + ", msgs/s", publish.published());
      add("publish " + name + ", server CPU us/msg", publish.serverMicros());
      Generator.Job job = new Generator.Job("backlog-size-" + size, size, 0);
      generator.publish(job, Amount.messages(each.getValue()));
      Result consume = generator.drain(job, each.getValue());
      add("consume " + name + ", msgs/s", consume.consumed());
      add("consume " + name + ", server CPU us/msg", consume.serverMicros());
    }
  }

  private Generator.Job job(String address, double rate) {
    return new Generator.Job(address, plan.size(), rate);
  }

  private Amount amount() {
    Amount amount = plan.amount(warm);
    warm = true;
    return amount;
  }

  private void add(String row, double value) {
    table.add(row, contender.name(), value);
  }
}
