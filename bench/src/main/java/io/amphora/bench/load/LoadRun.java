package io.amphora.bench.load;

import io.amphora.bench.wire.Consumer;
import io.amphora.bench.wire.Counts;
import io.amphora.bench.wire.Pacer;
import io.amphora.bench.wire.Publisher;
import io.amphora.bench.wire.Schedule;
import io.amphora.bench.wire.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/** Runs one workload and measures a part of it. Used by one thread. */
public final class LoadRun implements AutoCloseable {

  private static final long POLL_MILLIS = 2;
  private static final long STALL_NANOS = 60_000_000_000L;

  private final Load load;
  private final ServerProcess server;
  private final ServerProcess self = new ServerProcess(ProcessHandle.current().pid());
  private final List<Wire> wires = new ArrayList<>();
  private final List<Pacer> pacers = new ArrayList<>();
  private final List<Schedule> schedules = new ArrayList<>();
  private final List<Counts> published = new ArrayList<>();
  private final List<Counts> consumed = new ArrayList<>();

  private record Mark(long nanos, long published, long consumed, double server, double client) {}

  public LoadRun(Load load, ServerProcess server) {
    this.load = load;
    this.server = server;
  }

  /** Publishes and consumes for a time; only the seconds after the warm-up count. */
  public Result timed(int warmupSeconds, int seconds) throws IOException, InterruptedException {
    startConsumers(() -> {});
    startPublishers(
        () ->
            load.rate() > 0
                ? Schedule.rate(load.rate() / load.publishers())
                : Schedule.unlimited());
    Thread.sleep(warmupSeconds * 1000L);
    Mark from = mark();
    record(true);
    Thread.sleep(seconds * 1000L);
    record(false);
    return finish(from, mark());
  }

  /** Publishes so many messages and waits until all are accepted; all of it counts. */
  public Result publish(long count) throws IOException, InterruptedException {
    Mark from = mark();
    startPublishers(() -> Schedule.count(count / load.publishers()));
    long all = count / load.publishers() * load.publishers();
    await(() -> total(published) + refused() >= all);
    return finish(from, mark());
  }

  /** Consumes so many messages that are there already; the first quarter is the warm-up. */
  public Result drain(long count) throws IOException, InterruptedException {
    startConsumers(() -> {});
    await(() -> total(consumed) >= count / 4);
    Mark from = mark();
    await(() -> total(consumed) >= count);
    return finish(from, mark());
  }

  /** One message at a time, from publisher to consumer and on; needs one of each. */
  public Result roundTrips(int warmupSeconds, int seconds)
      throws IOException, InterruptedException {
    Schedule schedule = Schedule.count(0);
    startConsumers(
        () -> {
          schedule.release();
          wires.forEach(Wire::wakeup);
        });
    startPublishers(() -> schedule);
    schedule.release();
    wires.forEach(Wire::wakeup);
    Thread.sleep(warmupSeconds * 1000L);
    Mark from = mark();
    record(true);
    Thread.sleep(seconds * 1000L);
    record(false);
    return finish(from, mark());
  }

  private void startConsumers(Runnable onMessage) throws IOException, InterruptedException {
    for (int i = 0; i < load.consumers(); i++) {
      Consumer consumer = new Consumer(load.size(), load.window(), onMessage);
      consumed.add(consumer.counts());
      Wire wire = new Wire("consumer-" + i, load.target(), consumer);
      wires.add(wire);
      wire.awaitReady();
    }
  }

  private void startPublishers(Supplier<Schedule> plan) throws IOException, InterruptedException {
    for (int i = 0; i < load.publishers(); i++) {
      Schedule schedule = plan.get();
      schedules.add(schedule);
      Publisher publisher = new Publisher(schedule, load.size());
      published.add(publisher.counts());
      Wire wire = new Wire("publisher-" + i, load.target(), publisher);
      wires.add(wire);
      if (schedule.intervalNanos() > 0) {
        pacers.add(new Pacer(schedule, wire));
      }
      wire.awaitReady();
    }
  }

  private void await(BooleanSupplier condition) throws InterruptedException {
    long seen = -1;
    long since = System.nanoTime();
    while (!condition.getAsBoolean()) {
      wires.forEach(Wire::check);
      long now = total(published) + total(consumed);
      if (now != seen) {
        seen = now;
        since = System.nanoTime();
      } else if (System.nanoTime() - since > STALL_NANOS) {
        throw new IllegalStateException("nothing moves since a minute, after " + now);
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private Mark mark() {
    return new Mark(
        System.nanoTime(), total(published), total(consumed), server.cpuMicros(), self.cpuMicros());
  }

  private void record(boolean on) {
    published.forEach(counts -> counts.record(on));
    consumed.forEach(counts -> counts.record(on));
  }

  private Result finish(Mark from, Mark to) {
    wires.forEach(Wire::check);
    close();
    double seconds = (to.nanos() - from.nanos()) / 1e9;
    long out = to.published() - from.published();
    long in = to.consumed() - from.consumed();
    double messages = Math.max(1, Math.max(out, in));
    return new Result(
        out / seconds,
        in / seconds,
        refused(),
        (to.server() - from.server()) / messages,
        (to.client() - from.client()) / messages,
        merged(published),
        merged(consumed));
  }

  private static long total(List<Counts> all) {
    return all.stream().mapToLong(Counts::total).sum();
  }

  private long refused() {
    return published.stream().mapToLong(Counts::refusedTotal).sum();
  }

  private static Histogram merged(List<Counts> all) {
    Histogram sum = new Histogram(3);
    all.forEach(counts -> sum.add(counts.latency()));
    return sum;
  }

  /** Publishers first, so that no consumer's absence is felt as an error. */
  @Override
  public void close() {
    schedules.forEach(Schedule::stop);
    pacers.forEach(Pacer::close);
    wires.forEach(Wire::close);
  }
}
