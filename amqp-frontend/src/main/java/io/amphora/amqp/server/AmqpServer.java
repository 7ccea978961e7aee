package io.amphora.amqp.server;

import com.codahale.metrics.MetricRegistry;
import io.amphora.amqp.engine.EngineSettings;
import io.amphora.amqp.filter.SourceFilters;
import io.amphora.amqp.link.LinkOptions;
import io.amphora.amqp.link.NodeMemory;
import io.amphora.amqp.link.RequestNodes;
import io.amphora.amqp.node.CbsOptions;
import io.amphora.amqp.node.NodeOptions;
import io.amphora.amqp.node.Nodes;
import io.amphora.amqp.open.SoleContainers;
import io.amphora.amqp.websocket.Origins;
import io.amphora.amqp.websocket.WebSockets;
import io.amphora.core.node.Broker;
import io.amphora.plugin.DeliveryFilterFactory;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The AMQP listeners: accept sockets and spread them over the event loops. Each loop owns the
 * connections it accepted; start and stop are driven by the first loop.
 */
public final class AmqpServer {

  private static final Logger LOG = LoggerFactory.getLogger(AmqpServer.class);

  private final Vertx vertx;
  private final Broker broker;
  private final List<ConnectionLoop> loops;
  private final LoginOptions logins;
  private final SoleContainers containers;
  private final NodeMemory memory = NodeMemory.ofHeap();
  private final AmqpMetrics metrics = new AmqpMetrics();
  private SourceFilters filters = SourceFilters.NONE;
  private final Nodes nodes = new Nodes();
  private final List<NetServer> servers = new ArrayList<>();
  private final List<LoopConnections> onLoops = new ArrayList<>();
  private final List<Secured> secured = new ArrayList<>();
  private List<String> origins = List.of();

  /** A listener with TLS. */
  private record Secured(NetServer server, TlsOptions tls) {}

  /** Clients prove who they are with passwords and certificates only. */
  public AmqpServer(Vertx vertx, List<ConnectionLoop> loops, Broker broker) {
    this(vertx, loops, broker, LoginOptions.PLAIN);
  }

  public AmqpServer(Vertx vertx, List<ConnectionLoop> loops, Broker broker, LoginOptions logins) {
    this.vertx = vertx;
    this.broker = broker;
    this.logins = logins;
    this.loops = List.copyOf(loops);
    this.containers = new SoleContainers(loops.get(0).loop());
  }

  /** Serves filters of plugins; before {@link #listen}. */
  public void filters(List<DeliveryFilterFactory> factories) {
    filters = new SourceFilters(factories);
  }

  /** Registers figures. */
  public void metrics(MetricRegistry registry) {
    metrics.register(registry);
    nodes.register(registry);
    registry.gauge("amqp.memory.held", () -> memory::held);
  }

  /** Web pages that may connect, as {@link Origins} says; only before the first listener. */
  public void origins(List<String> listed) {
    origins = List.copyOf(listed);
  }

  /**
   * Starts one more listener; not after {@link #close}. Reads the files for TLS: not on a loop.
   *
   * @return the actual port; fails when it is taken, or when a TLS file is of no use
   */
  public Future<Integer> listen(AmqpOptions options) {
    try {
      return listen(options, SocketOptions.of(vertx, options));
    } catch (IOException e) {
      return Future.failedFuture(e);
    }
  }

  private Future<Integer> listen(AmqpOptions options, NetServerOptions socket) {
    AmqpConnection.Shared shared = shared(options);
    List<Acceptor> opened = loops.stream().map(loop -> new Acceptor(loop, socket, shared)).toList();
    opened.forEach(acceptor -> servers.add(acceptor.server));
    WebSockets.Policy policy =
        new WebSockets.Policy(
            Origins.of(origins, options.host()), options.limits().saslTimeoutMillis());
    // They share one socket, and so its certificates.
    options.tls().ifPresent(tls -> secured.add(new Secured(opened.get(0).server, tls)));
    // Servers of one negative port share one free port of the system's choice.
    int wanted =
        options.port() == 0 ? -1 - ThreadLocalRandom.current().nextInt(1 << 30) : options.port();
    Future<Integer> port = opened.get(0).listen(policy, wanted);
    for (Acceptor acceptor : opened.subList(1, opened.size())) {
      port = port.compose(first -> acceptor.listen(policy, wanted));
    }
    String name = options.tls().isPresent() ? "AMQP over TLS" : "AMQP";
    return port.onSuccess(actual -> LOG.info("{} listens on {}:{}", name, options.host(), actual));
  }

  /**
   * Takes the files for TLS as they are now, for connections to come. When one of a listener is of
   * no use, that listener goes on with what it has.
   *
   * @return fails with the reason for an operator
   */
  public Future<Void> renewCertificates() {
    List<Future<Boolean>> all = new ArrayList<>();
    for (Secured listener : secured) {
      all.add(
          vertx
              .executeBlocking(() -> TlsFiles.read(vertx, listener.tls()), false)
              .compose(read -> listener.server().updateSSLOptions(read, true)));
    }
    return Future.join(all).mapEmpty();
  }

  /**
   * Takes requests for WebSockets that come to an HTTP server; not after {@link #close}.
   *
   * @param options of the HTTP server's clients; its port does not matter
   * @param loop of the HTTP server
   * @return to be called on that loop, with requests that name a WebSocket in their header Upgrade
   */
  public Consumer<HttpServerRequest> webSockets(AmqpOptions options, ConnectionLoop loop) {
    LoopConnections connections = new LoopConnections(loop, shared(options));
    onLoops.add(connections);
    Origins permitted = Origins.of(origins, options.host());
    return request -> WebSockets.upgrade(request, permitted, connections::add);
  }

  private AmqpConnection.Shared shared(AmqpOptions options) {
    AmqpOptions.Limits limits = options.limits();
    String id = broker.status().brokerId();
    EngineSettings settings =
        new EngineSettings(
            id,
            options.anonymous(),
            limits.maxFrameSize(),
            limits.channelMax(),
            limits.handleMax(),
            limits.idleTimeoutMillis(),
            limits.saslTimeoutMillis(),
            0);
    CbsOptions cbs = new CbsOptions(logins.hasClaims(options.anonymous()), logins.sharedKeys());
    RequestNodes.Factory served =
        nodes.with(new NodeOptions(options.anonymous(), options.autoCreate(), cbs));
    LinkOptions links =
        new LinkOptions(
            id, options.autoCreate(), limits.linkCredit(), memory, containers, filters, served);
    return new AmqpConnection.Shared(
        broker,
        settings,
        links,
        metrics,
        new LoginChecks(vertx, broker, logins, options.anonymous()));
  }

  /** Stops accepting, closes every connection with {@code amqp:connection:forced}, then sockets. */
  public Future<Void> close() {
    List<Future<Void>> all = onLoops.stream().map(each -> each.stop(vertx)).toList();
    return Future.join(all)
        .eventually(() -> Future.join(servers.stream().map(NetServer::close).toList()))
        .mapEmpty();
  }

  /** One event loop's part of the listener. */
  private final class Acceptor {

    private final ConnectionLoop owner;
    private final NetServer server;
    private final String host;
    private final LoopConnections connections;

    Acceptor(ConnectionLoop owner, NetServerOptions options, AmqpConnection.Shared shared) {
      this.owner = owner;
      this.host = options.getHost();
      this.server = vertx.createNetServer(options);
      this.connections = new LoopConnections(owner, shared);
      onLoops.add(connections);
    }

    Future<Integer> listen(WebSockets.Policy policy, int port) {
      Promise<Integer> result = Promise.promise();
      owner
          .context()
          .runOnContext(
              go ->
                  server
                      .connectHandler(connected -> accept(policy, connected))
                      .listen(port, host)
                      .map(NetServer::actualPort)
                      .onComplete(result));
      return result.future();
    }

    private void accept(WebSockets.Policy policy, NetSocket socket) {
      if (connections.isStopping()) {
        socket.close();
      } else {
        WebSockets.sniff(socket, policy, () -> connections.add(socket));
      }
    }
  }
}
