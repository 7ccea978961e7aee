package io.amphora.amqp.server;

import com.codahale.metrics.MetricRegistry;
import io.amphora.amqp.testkit.FakeBroker;
import io.amphora.amqp.testkit.VertxLoop;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A listener on a free port over two loops, with a broker in memory. */
final class ServerRig implements AutoCloseable {

  private final Vertx vertx = Vertx.vertx();
  final FakeBroker broker;
  final AmqpServer server;
  final MetricRegistry figures = new MetricRegistry();
  final int port;

  ServerRig() throws Exception {
    this(LoginOptions.PLAIN);
  }

  ServerRig(LoginOptions logins) throws Exception {
    broker = new FakeBroker(loop().loop());
    List<ConnectionLoop> loops = new ArrayList<>(List.of(loop(), loop()));
    server = new AmqpServer(vertx, loops, broker, logins);
    server.metrics(figures);
    port = listen(0, Optional.empty());
  }

  /** One more listener; returns its port. */
  int listen(int at, Optional<TlsOptions> tls) throws Exception {
    AmqpOptions options =
        new AmqpOptions("127.0.0.1", at, true, true, AmqpOptions.Limits.DEFAULT, tls);
    return server
        .listen(options)
        .toCompletionStage()
        .toCompletableFuture()
        .get(10, TimeUnit.SECONDS);
  }

  /** A figure of the listener. */
  long figure(String name) {
    return ((Number) figures.getGauges().get(name).getValue()).longValue();
  }

  private ConnectionLoop loop() {
    Context context = ((VertxInternal) vertx).createEventLoopContext();
    return new ConnectionLoop(context, new VertxLoop(vertx, context));
  }

  @Override
  public void close() throws Exception {
    server.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }
}
