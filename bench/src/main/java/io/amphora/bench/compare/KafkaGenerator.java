package io.amphora.bench.compare;

import io.amphora.boot.perf.load.Amount;
import io.amphora.boot.perf.load.Result;
import io.amphora.boot.perf.load.ServerProcess;
import io.amphora.boot.perf.wire.Counts;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/** The workloads with Kafka's own client. Used by one thread. */
final class KafkaGenerator implements Generator {

  private static final long STALL_NANOS = 60_000_000_000L;
  private static final int POLL_MILLIS = 2;
  private static final Result.Faults NO_FAULTS = new Result.Faults(0, 0, 0, 0, Optional.empty());

  private final String bootstrap;
  private final ServerProcess usage;
  private final ServerProcess self = new ServerProcess(ProcessHandle.current().pid());

  private record Mark(long nanos, long published, long consumed, double server, double client) {}

  KafkaGenerator(String bootstrap, ServerProcess usage) {
    this.bootstrap = bootstrap;
    this.usage = usage;
  }

  @Override
  public Result publish(Job job, Amount amount) throws InterruptedException {
    try (KafkaPublisher publisher = new KafkaPublisher(bootstrap, job, true)) {
      Mark from = mark(0, 0);
      publisher.start(amount.messages());
      if (amount.messages() != Long.MAX_VALUE) {
        await(() -> publisher.acknowledged() >= amount.messages(), publisher::acknowledged);
      } else {
        sleep(amount.warmupSeconds());
        from = mark(publisher.acknowledged(), 0);
        sleep(amount.seconds());
      }
      Mark to = mark(publisher.acknowledged(), 0);
      return result(job, from, to, new Histogram[] {Counts.histogram(), Counts.histogram()});
    }
  }

  @Override
  public Result together(Job job, Amount amount) throws InterruptedException {
    KafkaPublisher publisher = new KafkaPublisher(bootstrap, job, job.rate() == 0);
    KafkaReader reader = new KafkaReader(bootstrap, job.address(), () -> {});
    Mark from;
    Mark to;
    try (publisher;
        reader) {
      reader.awaitReady();
      publisher.start(Long.MAX_VALUE);
      sleep(amount.warmupSeconds());
      from = mark(publisher.acknowledged(), reader.received());
      publisher.recordFrom(from.nanos());
      reader.recordFrom(from.nanos());
      sleep(amount.seconds());
      to = mark(publisher.acknowledged(), reader.received());
      if (job.rate() > 0) {
        publisher.close(); // what is late must not be left out
        await(() -> reader.received() >= publisher.acknowledged(), reader::received);
      }
    }
    return result(job, from, to, new Histogram[] {publisher.latency(), reader.latency()});
  }

  @Override
  public Result drain(Job job, long count) throws InterruptedException {
    try (KafkaReader reader = new KafkaReader(bootstrap, job.address(), () -> {})) {
      await(() -> reader.received() >= count / 4, reader::received);
      Mark from = mark(0, reader.received());
      await(() -> reader.received() >= count, reader::received);
      Mark to = mark(0, reader.received());
      return result(job, from, to, new Histogram[] {Counts.histogram(), Counts.histogram()});
    }
  }

  @Override
  public Result roundTrips(Job job, Amount amount) throws InterruptedException {
    Semaphore received = new Semaphore(0);
    Histogram trips = Counts.histogram();
    try (KafkaPublisher publisher = new KafkaPublisher(bootstrap, job, false);
        KafkaReader reader = new KafkaReader(bootstrap, job.address(), received::release)) {
      reader.awaitReady();
      trips(amount.warmupSeconds(), publisher, received, Counts.histogram());
      Mark from = mark(publisher.acknowledged(), reader.received());
      trips(amount.seconds(), publisher, received, trips);
      Mark to = mark(publisher.acknowledged(), reader.received());
      return result(job, from, to, new Histogram[] {Counts.histogram(), trips});
    }
  }

  private static void trips(
      double seconds, KafkaPublisher publisher, Semaphore received, Histogram trips)
      throws InterruptedException {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    while (System.nanoTime() < end) {
      long begun = System.nanoTime();
      publisher.send(begun);
      publisher.flush();
      if (!received.tryAcquire(STALL_NANOS, TimeUnit.NANOSECONDS)) {
        throw new IllegalStateException("a message did not come back");
      }
      trips.recordValue(System.nanoTime() - begun);
    }
  }

  private static void sleep(double seconds) throws InterruptedException {
    Thread.sleep((long) (seconds * 1000));
  }

  private static void await(BooleanSupplier condition, LongSupplier moved)
      throws InterruptedException {
    long seen = -1;
    long since = System.nanoTime();
    while (!condition.getAsBoolean()) {
      long now = System.nanoTime();
      since = moved.getAsLong() == seen ? since : now;
      seen = moved.getAsLong();
      if (now - since > STALL_NANOS) {
        throw new IllegalStateException("nothing moves since a minute, after " + seen);
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private Mark mark(long published, long consumed) {
    return new Mark(System.nanoTime(), published, consumed, usage.cpuMicros(), self.cpuMicros());
  }

  /**
   * @param latencies to acknowledged, to received
   */
  private static Result result(Job job, Mark from, Mark to, Histogram[] latencies) {
    long published = to.published() - from.published();
    long consumed = to.consumed() - from.consumed();
    long bytes = (published > 0 ? published : consumed) * job.size();
    return new Result(
        new Result.Span((to.nanos() - from.nanos()) / 1e9, published, consumed, bytes),
        NO_FAULTS,
        new Result.Cpu(to.server() - from.server(), to.client() - from.client()),
        latencies[0],
        latencies[1]);
  }
}
