package io.amphora.amqp.link;

import io.amphora.amqp.engine.AmqpEngine;
import io.amphora.core.Loop;
import io.amphora.core.node.Broker;
import java.util.function.Consumer;
import org.apache.qpid.proton.engine.Link;

/**
 * The request/response nodes of one connection, and what tokens that were put to one of them permit
 * (docs/amqp.md section 7). Used by the connection loop.
 */
public interface RequestNodes {

  /** None, and everything is permitted. */
  RequestNodes NONE =
      new RequestNodes() {
        @Override
        public boolean attach(Link link) {
          return false;
        }

        @Override
        public long largestMessage(long most) {
          return most;
        }

        @Override
        public void onClosed() {}
      };

  /**
   * Answers an attach to one of the nodes, or one that is not permitted.
   *
   * @return false when the link is for somebody else
   */
  boolean attach(Link link);

  /**
   * What is announced as the largest message to a sender.
   *
   * @param most what its topic takes, bytes
   */
  long largestMessage(long most);

  /** The connection is over. */
  void onClosed();

  /** Makes the nodes of a connection. */
  interface Factory {
    RequestNodes create(Connected connection);
  }

  /**
   * The connection as its nodes see it.
   *
   * @param broker the core
   * @param loop the connection loop
   * @param engine the connection's engine
   * @param later runs work that came from another loop: guarded by the engine, followed by output
   */
  record Connected(Broker broker, Loop loop, AmqpEngine engine, Consumer<Runnable> later) {}
}
