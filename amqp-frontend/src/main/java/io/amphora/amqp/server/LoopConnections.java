package io.amphora.amqp.server;

import io.amphora.amqp.Situation;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetSocket;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The connections of one listener on one event loop, which owns this. */
final class LoopConnections {

  /** Time for clients to answer Close when the broker stops. */
  private static final long GRACE_MILLIS = 1000;

  private final ConnectionLoop owner;
  private final AmqpConnection.Shared shared;
  private final Set<AmqpConnection> connections = new LinkedHashSet<>();
  private final Promise<Void> drained = Promise.promise();
  private boolean stopping;

  LoopConnections(ConnectionLoop owner, AmqpConnection.Shared shared) {
    this.owner = owner;
    this.shared = shared;
  }

  boolean isStopping() {
    return stopping;
  }

  /** A socket that speaks AMQP from now on. */
  void add(NetSocket socket) {
    if (stopping) {
      socket.close();
      return;
    }
    AmqpConnection[] self = new AmqpConnection[1];
    self[0] = new AmqpConnection(shared, owner.loop(), socket, () -> forget(self[0]));
    connections.add(self[0]);
    self[0].start();
  }

  private void forget(AmqpConnection connection) {
    connections.remove(connection);
    if (stopping && connections.isEmpty()) {
      drained.tryComplete();
    }
  }

  /** Closes all, from any thread; done when they are gone or time is up. */
  Future<Void> stop(Vertx vertx) {
    Promise<Void> result = Promise.promise();
    owner.context().runOnContext(go -> stopHere(vertx).onComplete(result));
    return result.future();
  }

  private Future<Void> stopHere(Vertx vertx) {
    stopping = true;
    List.copyOf(connections)
        .forEach(c -> c.close(Situation.CONNECTION_FORCED.condition(), "the broker stops"));
    if (connections.isEmpty()) {
      drained.tryComplete();
    }
    vertx.setTimer(GRACE_MILLIS * 2, late -> drained.tryComplete());
    return drained.future();
  }
}
