package io.amphora.amqp.node;

import io.amphora.amqp.link.RequestNodes.Connected;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.node.Broker;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.UserCredential;
import java.util.Optional;
import java.util.function.Consumer;

/** The connection that asks: what it may do, and the core that it asks. Owned by its loop. */
final class Caller {

  private final Connected connection;
  private final NodeOptions options;
  private final Access access;

  Caller(Connected connection, NodeOptions options, Access access) {
    this.connection = connection;
    this.options = options;
    this.access = access;
  }

  Broker broker() {
    return connection.broker();
  }

  Loop loop() {
    return connection.loop();
  }

  /** Passes an answer of the core on, guarded by the engine. */
  <T> Consumer<Reply<T>> guarded(Consumer<Reply<T>> done) {
    return reply -> connection.later().accept(() -> done.accept(reply));
  }

  /** A topic that the caller may see. */
  Optional<TopicInfo> topic(String name) {
    return Optional.ofNullable(broker().topology().topics().get(name))
        .filter(topic -> !topic.isInternal() && access.permits(topic.name()));
  }

  /** Whether it may create topics by naming them, or administers. */
  boolean mayCreate() {
    return administers() || (options.autoCreate() && access.isOpen());
  }

  /** Whether it may change everything, as by REST. */
  boolean administers() {
    return options.anonymous() || isAdministrator();
  }

  private boolean isAdministrator() {
    UserCredential user = broker().topology().users().get(connection.engine().identity().user());
    return user != null && user.role().equals("admin");
  }
}
