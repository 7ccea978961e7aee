package io.amphora.admin;

import com.codahale.metrics.MetricRegistry;
import io.amphora.admin.http.Access;
import io.amphora.admin.http.Dispatcher;
import io.amphora.admin.http.RouteTable;
import io.amphora.admin.resource.GroupsResource;
import io.amphora.admin.resource.MessagesResource;
import io.amphora.admin.resource.MetricsResource;
import io.amphora.admin.resource.NodeResource;
import io.amphora.admin.resource.OpenApiResource;
import io.amphora.admin.resource.ParkedResource;
import io.amphora.admin.resource.PartitionsResource;
import io.amphora.admin.resource.TopicsResource;
import io.amphora.admin.resource.UsersResource;
import io.amphora.core.Loop;
import io.amphora.core.node.Broker;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The HTTP listener: REST, metrics, health. Runs on the loop it was started on. */
public final class AdminServer {
  private static final int IDLE_SECONDS = 60;

  /** A name of 249 bytes, percent-encoded, with room for the rest. */
  private static final int MAX_REQUEST_LINE = 8192;

  private final HttpServer server;
  private final AdminOptions options;
  private Consumer<HttpServerRequest> webSockets = AdminServer::refuse;

  /**
   * @param loop the loop of the Vert.x context that {@link #listen} is called on
   * @throws io.amphora.admin.http.ProblemException when a topic default is unknown or out of bounds
   */
  public AdminServer(
      Vertx vertx, Loop loop, Broker broker, AdminOptions options, MetricRegistry metrics) {
    this.options = options;
    RouteTable routes = routes(vertx, loop, broker, options, metrics);
    Access access = new Access(vertx, broker::topology, options.anonymous());
    this.server =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setHttp2ClearTextEnabled(false)
                    .setHandle100ContinueAutomatically(true)
                    .setMaxInitialLineLength(MAX_REQUEST_LINE)
                    .setIdleTimeout(IDLE_SECONDS)
                    .setIdleTimeoutUnit(TimeUnit.SECONDS))
            .requestHandler(new Dispatcher(routes, access, request -> webSockets.accept(request)));
  }

  static RouteTable routes(
      Vertx vertx, Loop loop, Broker broker, AdminOptions options, MetricRegistry metrics) {
    RouteTable routes = new RouteTable();
    new NodeResource(broker, loop, options).mount(routes);
    new TopicsResource(broker, loop, options.topicDefaults()).mount(routes);
    new PartitionsResource(broker, loop).mount(routes);
    new MessagesResource(broker, loop).mount(routes);
    new GroupsResource(broker, loop).mount(routes);
    new ParkedResource(broker, loop).mount(routes);
    new UsersResource(vertx, broker, loop).mount(routes);
    new MetricsResource(metrics).mount(routes);
    new OpenApiResource().mount(routes);
    return routes;
  }

  /**
   * Who answers requests that name a WebSocket in their header Upgrade, on the loop of the
   * listener. Only before {@link #listen}; without it they are refused.
   */
  public void webSockets(Consumer<HttpServerRequest> taker) {
    webSockets = taker;
  }

  private static void refuse(HttpServerRequest request) {
    request.response().setStatusCode(400).end("no WebSockets here\n");
  }

  /** Starts to listen; the future holds the actual port, or fails when it is taken. */
  public Future<Integer> listen() {
    return server.listen(options.port(), options.host()).map(HttpServer::actualPort);
  }

  /** Stops listening. */
  public Future<Void> close() {
    return server.close();
  }
}
