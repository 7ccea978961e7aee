package io.amphora.core.node;

import io.amphora.core.Loop;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A loop on a thread of its own, for tests with the real disk thread. */
final class ThreadLoop implements Loop {

  private final ScheduledExecutorService executor;
  private volatile Thread thread = Thread.currentThread();

  ThreadLoop(String name) {
    executor =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public void execute(Runnable task) {
    if (!executor.isShutdown()) {
      executor.execute(task);
    }
  }

  @Override
  public Cancellable schedule(long delayNanos, Runnable task) {
    if (executor.isShutdown()) {
      return () -> {};
    }
    ScheduledFuture<?> future = executor.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }

  @Override
  public long nowNanos() {
    return System.nanoTime();
  }

  @Override
  public long nowMillis() {
    return System.currentTimeMillis();
  }

  @Override
  public boolean inLoop() {
    return Thread.currentThread() == thread;
  }

  void stop() {
    executor.shutdownNow();
  }
}
