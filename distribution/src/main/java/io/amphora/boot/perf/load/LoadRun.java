package io.amphora.boot.perf.load;

import io.amphora.boot.perf.wire.Payload;
import io.amphora.boot.perf.wire.Quota;
import io.amphora.boot.perf.wire.Schedule;
import io.amphora.boot.perf.wire.WireException;
import io.amphora.boot.perf.wire.WireException.Stage;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Runs one workload and measures a part of it. Used once, by one thread. */
public final class LoadRun implements AutoCloseable {

  private static final long POLL_MILLIS = 2;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long STALL_SECONDS = 30;
  private static final long LATE_SECONDS = 10;

  private final Load load;
  private final ServerProcess server;
  private final ServerProcess self = new ServerProcess(ProcessHandle.current().pid());
  private final Crew crew;
  private final Payload payload;
  private Consumer<Progress> watcher = progress -> {};
  private Optional<PingPong> pingPong = Optional.empty();
  private Mark from;
  private Mark to;
  private boolean ended;

  private record Mark(
      long nanos, long published, long consumed, long bytes, double server, double client) {

    Mark at(long now) {
      return new Mark(now, published, consumed, bytes, server, client);
    }
  }

  /**
   * How far a run came.
   *
   * @param seconds since counting began
   * @param messages accepted, or when nothing is published, received
   */
  public record Progress(double seconds, long messages) {}

  public LoadRun(Load load, ServerProcess server) {
    this.load = load;
    this.server = server;
    this.crew = new Crew(load);
    this.payload = new Payload(load.size());
    this.from = mark();
    this.to = from;
  }

  /** Is told about once a second how far the run came, by the thread that runs it. */
  public void watch(Consumer<Progress> newWatcher) {
    watcher = newWatcher;
  }

  /**
   * Publishes, and consumes what it published; or with no publishers, consumes what is there. At a
   * fixed rate it waits at the end, for a bounded time, until what was planned is done.
   */
  public Result run(Amount amount) throws WireException, InterruptedException {
    Optional<Payload> mine = load.publishers() > 0 ? Optional.of(payload) : Optional.empty();
    recordAll(amount);
    crew.consume(mine, new Quota(mine.isEmpty() ? amount.messages() : Long.MAX_VALUE), () -> {});
    crew.publish(payload, i -> schedule(i, amount), () -> {});
    measure(amount);
    return result();
  }

  private Schedule schedule(int publisher, Amount amount) {
    long share = amount.messages();
    if (amount.counted()) {
      share = share / load.publishers() + (publisher < share % load.publishers() ? 1 : 0);
    }
    return load.rate() > 0
        ? Schedule.rate(load.rate() / load.publishers(), share)
        : Schedule.count(share);
  }

  /** Consumes so many messages that are there already; the first quarter is the warm-up. */
  public Result drain(long count) throws WireException, InterruptedException {
    crew.consume(Optional.empty(), new Quota(count), () -> {});
    await(() -> crew.consumed() >= count / 4, Long.MAX_VALUE);
    from = mark();
    await(() -> crew.consumed() >= count, Long.MAX_VALUE);
    to = mark();
    ended = true;
    return result();
  }

  /** One message at a time, accepted and received before the next; one connection each way. */
  public Result roundTrips(Amount amount) throws WireException, InterruptedException {
    if (load.publishers() != 1 || load.consumers() != 1) {
      throw new IllegalArgumentException("round trips take one connection each way");
    }
    PingPong trips = new PingPong(crew::wakeup, amount.messages());
    pingPong = Optional.of(trips);
    recordAll(amount);
    crew.consume(Optional.of(payload), new Quota(Long.MAX_VALUE), trips::half);
    crew.publish(payload, i -> trips.schedule(), trips::half);
    trips.begin();
    measure(amount);
    return result();
  }

  private void measure(Amount amount) throws WireException, InterruptedException {
    boolean warm = amount.warmupSeconds() > 0;
    long counting = System.nanoTime() + (long) (amount.warmupSeconds() * SECOND_NANOS);
    await(() -> false, counting);
    from = warm ? mark() : from.at(System.nanoTime());
    if (warm) {
      recordFrom(from.nanos());
    }
    long end =
        amount.counted() ? Long.MAX_VALUE : from.nanos() + (long) (amount.seconds() * SECOND_NANOS);
    await(() -> amount.counted() && doneBy(amount.messages()), end);
    to = mark();
    ended = true;
    crew.stop();
    if (!amount.counted() && crew.consumed() + crew.published() > 0) {
      awaitLate();
    }
  }

  private boolean doneBy(long messages) {
    boolean answered = crew.published() + crew.refused() >= messages;
    boolean received = crew.consumed() >= messages - crew.refused();
    return (load.publishers() == 0 || answered) && (load.consumers() == 0 || received);
  }

  /** Without a warm-up the first message counts, too. */
  private void recordAll(Amount amount) {
    if (amount.warmupSeconds() == 0) {
      recordFrom(Long.MIN_VALUE);
    }
  }

  private void recordFrom(long nanos) {
    crew.recordFrom(nanos);
    pingPong.ifPresent(trips -> trips.recordFrom(nanos));
  }

  /** What a broker answers late must not be left out of the latencies. */
  private void awaitLate() throws WireException, InterruptedException {
    long limit = System.nanoTime() + LATE_SECONDS * SECOND_NANOS;
    await(() -> late() == 0 && lost() == 0, limit);
  }

  private long late() {
    return crew.planned() - crew.published() - crew.refused();
  }

  /** Only where the plan is kept: as fast as possible, consumers may be behind. */
  private long lost() {
    boolean planned = load.rate() > 0 || pingPong.isPresent();
    return planned && crew.publishes() && crew.consumes()
        ? Math.max(0, crew.published() - crew.consumed())
        : 0;
  }

  /**
   * Waits until it is so, or it is so late.
   *
   * @param deadline {@link System#nanoTime}, or {@link Long#MAX_VALUE}: then it must not stand
   *     still
   */
  private void await(BooleanSupplier condition, long deadline)
      throws WireException, InterruptedException {
    long seen = -1;
    long since = System.nanoTime();
    long told = since;
    while (!condition.getAsBoolean()) {
      crew.check();
      long now = System.nanoTime();
      if (deadline != Long.MAX_VALUE && now >= deadline) {
        return;
      }
      long moved = crew.published() + crew.consumed() + crew.refused() + crew.others();
      since = moved == seen ? since : now;
      seen = moved;
      if (deadline == Long.MAX_VALUE && now - since > stallNanos()) {
        throw new WireException(
            Stage.CONNECTION, "nothing has moved for " + stallNanos() / SECOND_NANOS + " s");
      }
      if (now - told >= SECOND_NANOS) {
        told = now;
        watcher.accept(progress(now));
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  /** A low rate is no stall. */
  private long stallNanos() {
    double seconds = load.rate() > 0 ? 2 * load.publishers() / load.rate() : 0;
    return (long) ((STALL_SECONDS + seconds) * SECOND_NANOS);
  }

  private Progress progress(long now) {
    long published = crew.published() - from.published();
    long consumed = crew.consumed() - from.consumed();
    return new Progress(
        (now - from.nanos()) / (double) SECOND_NANOS, load.publishers() > 0 ? published : consumed);
  }

  private Mark mark() {
    return new Mark(
        System.nanoTime(),
        crew.published(),
        crew.consumed(),
        crew.bytes(),
        server.cpuMicros(),
        self.cpuMicros());
  }

  /** What was measured; also after the run was interrupted or failed. Ends the connections. */
  public Result result() {
    if (!ended) {
      ended = true;
      to = mark();
    }
    crew.stop();
    crew.close();
    return new Result(
        new Result.Span(
            (to.nanos() - from.nanos()) / (double) SECOND_NANOS,
            to.published() - from.published(),
            to.consumed() - from.consumed(),
            to.bytes() - from.bytes()),
        new Result.Faults(
            crew.refused(), Math.max(0, late()), lost(), crew.others(), crew.refusal()),
        new Result.Cpu(to.server() - from.server(), to.client() - from.client()),
        crew.acceptLatency(),
        pingPong.map(PingPong::trips).orElseGet(crew::deliveryLatency));
  }

  @Override
  public void close() {
    crew.close();
  }
}
