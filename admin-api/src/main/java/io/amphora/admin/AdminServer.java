package io.amphora.admin;

import com.codahale.metrics.MetricRegistry;
import io.amphora.core.Loop;
import io.amphora.core.node.Broker;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** The HTTP listener: REST, metrics, health. Runs on the loop it was started on. */
public final class AdminServer {

  /**
   * @param loop the loop of the Vert.x context that {@link #listen} is called on
   */
  public AdminServer(
      Vertx vertx, Loop loop, Broker broker, AdminOptions options, MetricRegistry metrics) {}

  /** Starts to listen; the future holds the actual port, or fails when it is taken. */
  public Future<Integer> listen() {
    throw new UnsupportedOperationException();
  }

  /** Stops listening. */
  public Future<Void> close() {
    throw new UnsupportedOperationException();
  }
}
