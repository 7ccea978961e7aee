package io.amphora.boot;

import io.amphora.amqp.server.ConnectionLoop;
import io.amphora.core.Loop;
import io.netty.channel.EventLoop;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * All event loops of the node, each on a thread of its own: some for partitions and connections,
 * one for control and HTTP.
 */
final class EventLoops {

  private static final int BLOCKING_THREADS = 4;
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

  private final Vertx vertx;
  private final List<VertxLoop> workers;
  private final VertxLoop control;

  private EventLoops(Vertx vertx, List<VertxLoop> workers, VertxLoop control) {
    this.vertx = vertx;
    this.workers = workers;
    this.control = control;
  }

  /**
   * @param workers number of loops beside the control loop, at least 1
   * @param onError told about an {@link Error} in any task
   */
  static EventLoops start(int workers, Consumer<Error> onError) {
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(workers + 1)
                .setWorkerPoolSize(BLOCKING_THREADS)
                .setInternalBlockingPoolSize(BLOCKING_THREADS)
                .setPreferNativeTransport(true));
    List<VertxLoop> loops = new ArrayList<>();
    for (ContextInternal context : distinctContexts((VertxInternal) vertx, workers + 1)) {
      loops.add(new VertxLoop(context, onError));
    }
    return new EventLoops(vertx, List.copyOf(loops.subList(0, workers)), loops.get(workers));
  }

  Vertx vertx() {
    return vertx;
  }

  /** Loops for partitions, one per thread. */
  List<Loop> partitionLoops() {
    return List.copyOf(workers);
  }

  /** The same threads for sockets. */
  List<ConnectionLoop> connectionLoops() {
    return workers.stream().map(loop -> new ConnectionLoop(loop.context(), loop)).toList();
  }

  VertxLoop control() {
    return control;
  }

  /** Ends all threads; blocks. */
  void close() throws Exception {
    vertx
        .close()
        .toCompletionStage()
        .toCompletableFuture()
        .get(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Two loops on one thread would break nothing, but leave a core idle without a word. */
  private static List<ContextInternal> distinctContexts(VertxInternal vertx, int number) {
    Set<EventLoop> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<ContextInternal> contexts = new ArrayList<>();
    for (int attempt = 0; contexts.size() < number && attempt < 4 * number; attempt++) {
      ContextInternal context = vertx.createEventLoopContext();
      if (seen.add(context.nettyEventLoop())) {
        contexts.add(context);
      }
    }
    if (contexts.size() < number) {
      throw new IllegalStateException(
          "Vert.x gave " + contexts.size() + " event loops instead of " + number);
    }
    return contexts;
  }
}
