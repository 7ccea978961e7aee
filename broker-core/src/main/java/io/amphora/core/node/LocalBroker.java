package io.amphora.core.node;

import io.amphora.core.Reply;
import java.util.function.Consumer;

/** The broker of this node: hosts partitions, runs the controller, answers front ends. */
public final class LocalBroker {

  private LocalBroker() {}

  /**
   * Starts the node: reads the topology from disk, takes a controller term when this broker is the
   * candidate, opens and elects its partitions, loads positions.
   *
   * @param done called on the control loop when every partition that should be led here is, or with
   *     the reason why the node cannot serve
   */
  public static void start(
      BrokerPorts ports, CoreOptions options, Consumer<Reply<RunningBroker>> done) {
    throw new UnsupportedOperationException();
  }
}
