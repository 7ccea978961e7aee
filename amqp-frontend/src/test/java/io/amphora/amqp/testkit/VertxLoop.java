package io.amphora.amqp.testkit;

import io.amphora.core.Loop;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/** A Vert.x event loop as the core sees it. */
public final class VertxLoop implements Loop {

  private final Vertx vertx;
  private final Context context;

  public VertxLoop(Vertx vertx, Context context) {
    this.vertx = vertx;
    this.context = context;
  }

  @Override
  public void execute(Runnable task) {
    context.runOnContext(v -> task.run());
  }

  @Override
  public Cancellable schedule(long delayNanos, Runnable task) {
    long[] id = new long[1];
    long millis = Math.max(1, delayNanos / 1_000_000);
    context.runOnContext(v -> id[0] = vertx.setTimer(millis, t -> task.run()));
    return () -> context.runOnContext(v -> vertx.cancelTimer(id[0]));
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
    return Vertx.currentContext() == context;
  }
}
