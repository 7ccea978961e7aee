package io.amphora.bench.compare;

import io.amphora.boot.perf.load.Amount;
import io.amphora.boot.perf.load.Load;
import io.amphora.boot.perf.load.LoadRun;
import io.amphora.boot.perf.load.Result;
import io.amphora.boot.perf.load.ServerProcess;
import io.amphora.boot.perf.wire.Target;

/** The program's own load generator, the same for every AMQP 1.0 broker. */
record AmqpGenerator(Target target, ServerProcess usage) implements Generator {

  private static final int WINDOW = 1000;

  @Override
  public Result publish(Job job, Amount amount) throws Exception {
    try (LoadRun run = new LoadRun(load(job).with(1, 0), usage)) {
      return run.run(amount);
    }
  }

  @Override
  public Result together(Job job, Amount amount) throws Exception {
    try (LoadRun run = new LoadRun(load(job), usage)) {
      return run.run(amount);
    }
  }

  @Override
  public Result drain(Job job, long count) throws Exception {
    try (LoadRun run = new LoadRun(load(job).with(0, 1), usage)) {
      return run.drain(count);
    }
  }

  @Override
  public Result roundTrips(Job job, Amount amount) throws Exception {
    try (LoadRun run = new LoadRun(load(job), usage)) {
      return run.roundTrips(amount);
    }
  }

  private Load load(Job job) {
    return new Load(target.at(job.address()), 1, job.size(), WINDOW).at(job.rate());
  }
}
