package io.amphora.amqp.node;

import com.codahale.metrics.MetricRegistry;
import io.amphora.amqp.link.RequestNodes;
import java.util.concurrent.atomic.LongAdder;

/** Makes the nodes of connections, and counts over all of them. */
public final class Nodes {

  private final LongAdder dropped = new LongAdder();

  /** The nodes of the connections of a listener. */
  public RequestNodes.Factory with(NodeOptions options) {
    return connection -> new ConnectionNodes(connection, options, dropped);
  }

  /** Answers that nobody was there to receive. */
  public long dropped() {
    return dropped.sum();
  }

  /** Registers figures. */
  public void register(MetricRegistry registry) {
    registry.gauge("amqp.answers.dropped", () -> this::dropped);
  }
}
