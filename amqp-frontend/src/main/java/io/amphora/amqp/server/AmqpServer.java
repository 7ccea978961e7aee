package io.amphora.amqp.server;

import com.codahale.metrics.MetricRegistry;
import io.amphora.amqp.engine.EngineSettings;
import io.amphora.amqp.link.LinkOptions;
import io.amphora.amqp.link.NodeMemory;
import io.amphora.core.Loop;
import io.amphora.core.node.Broker;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.qpid.proton.amqp.transport.ConnectionError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The AMQP listeners: accept sockets and spread them over the event loops. Each loop owns the
 * connections it accepted; start and stop are driven by the first loop.
 */
public final class AmqpServer {

  private static final Logger LOG = LoggerFactory.getLogger(AmqpServer.class);

  /** Time for clients to answer Close when the broker stops. */
  private static final long GRACE_MILLIS = 1000;

  private final Vertx vertx;
  private final Broker broker;
  private final List<ConnectionLoop> loops;
  private final LoginOptions logins;
  private final NodeMemory memory = NodeMemory.ofHeap();
  private final AmqpMetrics metrics = new AmqpMetrics();
  private final List<Acceptor> acceptors = new ArrayList<>();
  private final List<Secured> secured = new ArrayList<>();

  /** A listener with TLS. */
  private record Secured(NetServer server, TlsOptions tls) {}

  /** Clients prove who they are with passwords and certificates only. */
  public AmqpServer(Vertx vertx, List<ConnectionLoop> loops, Broker broker) {
    this(vertx, loops, broker, LoginOptions.PLAIN);
  }

  public AmqpServer(
      Vertx vertx, List<ConnectionLoop> loops, Broker broker, LoginOptions logins) {
    this.vertx = vertx;
    this.broker = broker;
    this.logins = logins;
    this.loops = List.copyOf(loops);
  }

  /** Registers figures. */
  public void metrics(MetricRegistry registry) {
    metrics.register(registry);
    registry.gauge("amqp.memory.held", () -> memory::held);
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
    List<Acceptor> opened = loops.stream().map(loop -> new Acceptor(loop, socket)).toList();
    acceptors.addAll(opened);
    // They share one socket, and so its certificates.
    options.tls().ifPresent(tls -> secured.add(new Secured(opened.get(0).server, tls)));
    // Servers of one negative port share one free port of the system's choice.
    int wanted =
        options.port() == 0 ? -1 - ThreadLocalRandom.current().nextInt(1 << 30) : options.port();
    Future<Integer> port = opened.get(0).listen(shared, wanted);
    for (Acceptor acceptor : opened.subList(1, opened.size())) {
      port = port.compose(first -> acceptor.listen(shared, wanted));
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
            limits.saslTimeoutMillis());
    LinkOptions links = new LinkOptions(id, options.autoCreate(), limits.linkCredit(), memory);
    return new AmqpConnection.Shared(
        broker,
        settings,
        links,
        metrics,
        new LoginChecks(vertx, broker, logins, options.anonymous()));
  }

  /** Stops accepting, closes every connection with {@code amqp:connection:forced}, then sockets. */
  public Future<Void> close() {
    List<Future<Void>> all = new ArrayList<>();
    acceptors.forEach(acceptor -> all.add(acceptor.close()));
    return Future.join(all).mapEmpty();
  }

  /** One event loop's part of the listener. */
  private final class Acceptor {

    private final ConnectionLoop owner;
    private final NetServer server;
    private final String host;
    private final Set<AmqpConnection> connections = new LinkedHashSet<>();
    private Promise<Void> drained = Promise.promise();
    private boolean stopping;

    Acceptor(ConnectionLoop owner, NetServerOptions options) {
      this.owner = owner;
      this.host = options.getHost();
      this.server = vertx.createNetServer(options);
    }

    Future<Integer> listen(AmqpConnection.Shared shared, int port) {
      Promise<Integer> result = Promise.promise();
      owner
          .context()
          .runOnContext(
              go ->
                  server
                      .connectHandler(connected -> accept(shared, connected))
                      .listen(port, host)
                      .map(NetServer::actualPort)
                      .onComplete(result));
      return result.future();
    }

    private void accept(AmqpConnection.Shared shared, NetSocket socket) {
      if (stopping) {
        socket.close();
        return;
      }
      Loop loop = owner.loop();
      AmqpConnection[] self = new AmqpConnection[1];
      self[0] = new AmqpConnection(shared, loop, socket, () -> forget(self[0]));
      connections.add(self[0]);
      self[0].start();
    }

    private void forget(AmqpConnection connection) {
      connections.remove(connection);
      if (stopping && connections.isEmpty()) {
        drained.tryComplete();
      }
    }

    Future<Void> close() {
      Promise<Void> result = Promise.promise();
      owner.context().runOnContext(go -> stop().onComplete(result));
      return result.future();
    }

    private Future<Void> stop() {
      stopping = true;
      List.copyOf(connections)
          .forEach(c -> c.close(ConnectionError.CONNECTION_FORCED, "the broker stops"));
      if (connections.isEmpty()) {
        drained.tryComplete();
      }
      vertx.setTimer(GRACE_MILLIS * 2, late -> drained.tryComplete());
      return drained.future().eventually(server::close);
    }
  }
}
