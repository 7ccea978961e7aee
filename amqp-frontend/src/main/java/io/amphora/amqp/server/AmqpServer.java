package io.amphora.amqp.server;

import com.codahale.metrics.MetricRegistry;
import io.amphora.core.node.Broker;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

/** The AMQP listener: accepts sockets and spreads them over the event loops. */
public final class AmqpServer {

  public AmqpServer(Vertx vertx, List<ConnectionLoop> loops, Broker broker, AmqpOptions options) {}

  /** Registers figures. */
  public void metrics(MetricRegistry registry) {}

  /** Starts to listen; the future holds the actual port, or fails when it is taken. */
  public Future<Integer> listen() {
    throw new UnsupportedOperationException();
  }

  /** Stops accepting, closes every connection with {@code amqp:connection:forced}, then sockets. */
  public Future<Void> close() {
    throw new UnsupportedOperationException();
  }
}
