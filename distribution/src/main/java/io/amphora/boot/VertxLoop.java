package io.amphora.boot;

import io.amphora.core.Loop;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Vert.x event loop as the core sees it. Thread-safe: any thread may post, the event loop's
 * thread runs what is posted.
 *
 * <p>A task that throws is logged and the loop goes on, because sockets of many clients live on it;
 * an {@link Error} means that the virtual machine or our own code is broken and is a fault.
 */
final class VertxLoop implements Loop {

  private static final Logger log = LoggerFactory.getLogger(VertxLoop.class);

  private final ContextInternal context;
  private final EventLoop eventLoop;
  private final Consumer<Error> onError;

  VertxLoop(ContextInternal context, Consumer<Error> onError) {
    this.context = context;
    this.eventLoop = context.nettyEventLoop();
    this.onError = onError;
  }

  /** The Vert.x context of the same thread. */
  Context context() {
    return context;
  }

  @Override
  public void execute(Runnable task) {
    try {
      eventLoop.execute(() -> run(task));
    } catch (RejectedExecutionException e) {
      // After the loops have ended only the store still closes files; nobody waits for its answers.
      log.debug("task dropped: the event loop has ended");
    }
  }

  @Override
  public Cancellable schedule(long delayNanos, Runnable task) {
    if (delayNanos < 0) {
      throw new IllegalArgumentException("delay must be at least 0: " + delayNanos);
    }
    try {
      ScheduledFuture<?> timer =
          eventLoop.schedule(() -> run(task), delayNanos, TimeUnit.NANOSECONDS);
      return () -> timer.cancel(false);
    } catch (RejectedExecutionException e) {
      log.debug("timer dropped: the event loop has ended");
      return () -> {};
    }
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
    return eventLoop.inEventLoop();
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      log.error("A task on an event loop failed; the loop goes on. Please report this.", e);
    } catch (Error e) {
      onError.accept(e);
    }
  }
}
