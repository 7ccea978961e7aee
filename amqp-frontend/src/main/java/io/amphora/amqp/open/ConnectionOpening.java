package io.amphora.amqp.open;

import io.amphora.core.Loop;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.transport.AmqpError;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.engine.Connection;

/**
 * Whether one connection may open: another one may have its container id (conventions 2.5). Owned
 * by the connection loop.
 */
public final class ConnectionOpening {

  private static final Symbol SOLE_CONNECTION = Symbol.valueOf("sole-connection-for-container");

  private final SoleContainers containers;
  private final Loop loop;
  private String claimed = "";

  public ConnectionOpening(SoleContainers containers, Loop loop) {
    this.containers = containers;
    this.loop = loop;
  }

  /** Whether the peer wants to be the only connection with its container id. */
  public static boolean wantsToBeAlone(Connection connection) {
    Symbol[] desired = connection.getRemoteDesiredCapabilities();
    String id = connection.getRemoteContainer();
    return desired != null
        && Arrays.asList(desired).contains(SOLE_CONNECTION)
        && id != null
        && !id.isEmpty();
  }

  /**
   * Asks for the container id of a connection that wants to be alone.
   *
   * @param done gets false when another connection has it; called later, on the loop
   */
  public void claim(Connection connection, Consumer<Boolean> done) {
    claimed = connection.getRemoteContainer();
    containers.claim(claimed, this, loop, done);
  }

  /** Why a connection whose claim failed is closed: clients know this form. */
  public static ErrorCondition notAlone(Connection connection) {
    ErrorCondition error =
        new ErrorCondition(
            AmqpError.INVALID_FIELD,
            "another connection is open with container id " + connection.getRemoteContainer());
    error.setInfo(Map.of(Symbol.valueOf("invalid-field"), Symbol.valueOf("container-id")));
    return error;
  }

  /** The connection is over: the next one may have its id. */
  public void onOver() {
    if (!claimed.isEmpty()) {
      containers.release(claimed, this);
      claimed = "";
    }
  }
}
