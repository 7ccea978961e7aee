package io.amphora.boot.perf.load;

import io.amphora.boot.perf.wire.Consumer;
import io.amphora.boot.perf.wire.Counts;
import io.amphora.boot.perf.wire.Pacer;
import io.amphora.boot.perf.wire.Payload;
import io.amphora.boot.perf.wire.Publisher;
import io.amphora.boot.perf.wire.Quota;
import io.amphora.boot.perf.wire.Schedule;
import io.amphora.boot.perf.wire.Wire;
import io.amphora.boot.perf.wire.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** The connections of one load, and what they did together. Used by one thread. */
final class Crew implements AutoCloseable {

  private final Load load;
  private final List<Wire> wires = new ArrayList<>();
  private final List<Pacer> pacers = new ArrayList<>();
  private final List<Schedule> schedules = new ArrayList<>();
  private final List<Counts> published = new ArrayList<>();
  private final List<Counts> consumed = new ArrayList<>();

  private long recordedFrom = Long.MAX_VALUE;

  Crew(Load load) {
    this.load = load;
  }

  /**
   * Connects the consumers.
   *
   * @param mine the messages that count, with their latency; empty for all, without
   * @param quota messages they may ask for together
   */
  void consume(Optional<Payload> mine, Quota quota, Runnable onMessage)
      throws WireException, InterruptedException {
    for (int i = 0; i < load.consumers(); i++) {
      Consumer consumer = new Consumer(load.window(), quota, mine, onMessage);
      consumed.add(consumer.counts());
      consumer.counts().recordFrom(recordedFrom);
      Wire wire = Wire.open("consumer-" + i, load.target(), consumer);
      wires.add(wire);
      wire.awaitReady();
    }
  }

  /** Connects the publishers; each begins at once. */
  void publish(Payload payload, IntFunction<Schedule> plan, Runnable onOutcome)
      throws WireException, InterruptedException {
    Publisher.Options options = new Publisher.Options(load.window(), load.acks());
    for (int i = 0; i < load.publishers(); i++) {
      Schedule schedule = plan.apply(i);
      schedules.add(schedule);
      Publisher publisher = new Publisher(schedule, payload, options, onOutcome);
      published.add(publisher.counts());
      publisher.counts().recordFrom(recordedFrom);
      Wire wire = Wire.open("publisher-" + i, load.target(), publisher);
      wires.add(wire);
      if (schedule.intervalNanos() > 0) {
        pacers.add(new Pacer(schedule, wire));
      }
      wire.awaitReady();
    }
  }

  /** Something became due that no pacer knows of. From any thread once all are connected. */
  void wakeup() {
    wires.forEach(Wire::wakeup);
  }

  void check() throws WireException {
    for (Wire wire : wires) {
      wire.check();
    }
  }

  /** Also of those that are connected later. */
  void recordFrom(long nanos) {
    recordedFrom = nanos;
    published.forEach(counts -> counts.recordFrom(nanos));
    consumed.forEach(counts -> counts.recordFrom(nanos));
  }

  /** No message is due any more but those that a rate had planned until now. */
  void stop() {
    schedules.forEach(Schedule::stop);
    wakeup();
  }

  /** After {@link #stop}: messages that were or are to be published. */
  long planned() {
    return schedules.stream().mapToLong(Schedule::planned).sum();
  }

  long published() {
    return published.stream().mapToLong(Counts::total).sum();
  }

  long consumed() {
    return consumed.stream().mapToLong(Counts::total).sum();
  }

  long refused() {
    return published.stream().mapToLong(Counts::refusedTotal).sum();
  }

  long others() {
    return consumed.stream().mapToLong(Counts::others).sum();
  }

  /** Why the first of the refused was refused. */
  Optional<String> refusal() {
    return published.stream().map(Counts::refusal).flatMap(Optional::stream).findFirst();
  }

  /** Bytes published, or when nothing is published, consumed. */
  long bytes() {
    List<Counts> counts = published.isEmpty() ? consumed : published;
    return counts.stream().mapToLong(Counts::bytes).sum();
  }

  boolean publishes() {
    return !published.isEmpty();
  }

  boolean consumes() {
    return !consumed.isEmpty();
  }

  /** After {@link #close}: from due to accepted. */
  Histogram acceptLatency() {
    return merged(published.stream());
  }

  /** After {@link #close}: from due to received. */
  Histogram deliveryLatency() {
    return merged(consumed.stream());
  }

  private static Histogram merged(Stream<Counts> all) {
    Histogram sum = Counts.histogram();
    all.forEach(counts -> sum.add(counts.latency()));
    return sum;
  }

  /** Publishers stop first, so that no consumer's absence is felt as an error. */
  @Override
  public void close() {
    schedules.forEach(Schedule::stop);
    pacers.forEach(Pacer::close);
    wires.forEach(Wire::close);
  }
}
