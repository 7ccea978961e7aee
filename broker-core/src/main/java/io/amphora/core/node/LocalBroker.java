package io.amphora.core.node;

import io.amphora.core.Reply;
import io.amphora.core.delivery.DeliveryHub;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

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
    start(
        ports,
        options,
        UUID::randomUUID,
        services -> new DeliveryHub(services, ports.metrics()),
        done);
  }

  /**
   * The same with chance and delivery given.
   *
   * @param ids new identities
   * @param deliveries makes the delivery service of the node
   */
  static void start(
      BrokerPorts ports,
      CoreOptions options,
      Supplier<UUID> ids,
      Function<NodeServices, DeliveryService> deliveries,
      Consumer<Reply<RunningBroker>> done) {
    Consumer<Reply<NodeStart.Foundation>> founded =
        reply -> {
          if (reply instanceof Reply.Ok<NodeStart.Foundation> ok) {
            new RunningNode(ports, options, ok.value(), ids, deliveries).begin(done);
          } else {
            done.accept(new Reply.Failed<>(((Reply.Failed<NodeStart.Foundation>) reply).error()));
          }
        };
    ports.control().execute(() -> new NodeStart(ports, ids, founded).run());
  }
}
