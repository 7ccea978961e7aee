package io.amphora.core.sim;

import io.amphora.core.Loop;
import java.util.ArrayDeque;
import java.util.Deque;

/** A loop in virtual time; see {@link SimScheduler}. Can be held still and can die. */
public final class SimLoop implements Loop {

  private final SimScheduler scheduler;
  private final String name;
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private boolean running;
  private boolean held;
  private boolean dead;

  SimLoop(SimScheduler scheduler, String name) {
    this.scheduler = scheduler;
    this.name = name;
  }

  @Override
  public void execute(Runnable task) {
    if (!dead) {
      tasks.add(task);
    }
  }

  @Override
  public Cancellable schedule(long delayNanos, Runnable task) {
    if (dead) {
      return () -> {};
    }
    return scheduler.addTimer(this, delayNanos, task);
  }

  @Override
  public long nowNanos() {
    return scheduler.nanos();
  }

  @Override
  public long nowMillis() {
    return scheduler.millis();
  }

  @Override
  public boolean inLoop() {
    return running;
  }

  /** Tasks wait from now on (true) or run again (false). */
  public void hold(boolean hold) {
    held = hold;
  }

  /** The process died: what is queued never runs, what comes later is dropped. */
  public void die() {
    dead = true;
    tasks.clear();
    scheduler.remove(this);
  }

  /** Tasks waiting. */
  public int queued() {
    return tasks.size();
  }

  boolean isReady() {
    return !held && !tasks.isEmpty();
  }

  void runOne() {
    running = true;
    try {
      tasks.remove().run();
    } finally {
      running = false;
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
