package io.amphora.admin;

import io.amphora.core.Loop;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/** A loop on a Vert.x context. */
final class VertxLoop implements Loop {
  private final Vertx vertx;
  private final Context context;

  VertxLoop(Vertx vertx, Context context) {
    this.vertx = vertx;
    this.context = context;
  }

  @Override
  public void execute(Runnable task) {
    context.runOnContext(ignored -> task.run());
  }

  @Override
  public Cancellable schedule(long delayNanos, Runnable task) {
    long timer = vertx.setTimer(Math.max(1, delayNanos / 1_000_000), id -> task.run());
    return () -> vertx.cancelTimer(timer);
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
