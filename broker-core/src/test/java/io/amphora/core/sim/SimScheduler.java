package io.amphora.core.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * Runs the tasks of several {@link SimLoop}s in one thread. Tasks of one loop keep their order;
 * which loop is next is drawn from the seed, so that every run of a seed is the same. Time moves
 * only when {@link #advance} says so.
 */
public final class SimScheduler {

  /** More tasks than this without a pause are taken for an endless loop. */
  private static final int STEP_LIMIT = 5_000_000;

  private final Random random;
  private final List<SimLoop> loops = new ArrayList<>();
  private final PriorityQueue<SimTimer> timers = new PriorityQueue<>();
  private long timerCount;
  private long nanos = 1_000_000_000L;
  private long wallOffsetMillis = 1_700_000_000_000L;

  public SimScheduler(long seed) {
    this.random = new Random(seed);
  }

  /** A new loop. */
  public SimLoop loop(String name) {
    SimLoop loop = new SimLoop(this, name);
    loops.add(loop);
    return loop;
  }

  /** The source of chance, for tests that want to stay on the same seed. */
  public Random random() {
    return random;
  }

  public long nanos() {
    return nanos;
  }

  public long millis() {
    return wallOffsetMillis + nanos / 1_000_000;
  }

  /** Lets the wall clock jump, maybe backwards. */
  public void shiftWallClock(long millis) {
    wallOffsetMillis += millis;
  }

  SimTimer addTimer(SimLoop loop, long delayNanos, Runnable task) {
    SimTimer timer = new SimTimer(loop, nanos + Math.max(0, delayNanos), timerCount++, task);
    timers.add(timer);
    return timer;
  }

  /** Runs one task of one loop; false when nothing is ready. */
  public boolean step() {
    List<SimLoop> ready = new ArrayList<>(loops.size());
    for (SimLoop loop : loops) {
      if (loop.isReady()) {
        ready.add(loop);
      }
    }
    if (ready.isEmpty()) {
      return false;
    }
    ready.get(ready.size() == 1 ? 0 : random.nextInt(ready.size())).runOne();
    return true;
  }

  /** Runs until nothing is ready; time stands still. */
  public void runUntilIdle() {
    int steps = 0;
    while (step()) {
      if (++steps > STEP_LIMIT) {
        throw new AssertionError("a loop feeds itself without end");
      }
    }
  }

  /** Lets time pass and runs everything that becomes due, in order. */
  public void advance(long deltaNanos) {
    long until = nanos + deltaNanos;
    runUntilIdle();
    while (!timers.isEmpty() && timers.peek().dueNanos <= until) {
      SimTimer timer = timers.poll();
      nanos = Math.max(nanos, timer.dueNanos);
      timer.fire();
      runUntilIdle();
    }
    nanos = until;
  }

  /** {@link #advance} in milliseconds. */
  public void advanceMillis(long millis) {
    advance(millis * 1_000_000L);
  }

  void remove(SimLoop loop) {
    loops.remove(loop);
    timers.removeIf(t -> t.loop == loop);
  }
}
