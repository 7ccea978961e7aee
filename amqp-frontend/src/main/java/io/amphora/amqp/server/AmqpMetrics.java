package io.amphora.amqp.server;

import com.codahale.metrics.MetricRegistry;
import java.util.concurrent.atomic.LongAdder;

/**
 * Figures of the AMQP listener, over all connections. Counted by connection loops, read by anybody.
 */
final class AmqpMetrics {

  final LongAdder connections = new LongAdder();
  final LongAdder opened = new LongAdder();
  final LongAdder links = new LongAdder();
  final LongAdder received = new LongAdder();
  final LongAdder dropped = new LongAdder();
  final LongAdder sent = new LongAdder();

  void register(MetricRegistry registry) {
    registry.gauge("amqp.connections", () -> connections::sum);
    registry.gauge("amqp.connections.opened", () -> opened::sum);
    registry.gauge("amqp.links", () -> links::sum);
    registry.gauge("amqp.transfers.in", () -> received::sum);
    registry.gauge("amqp.transfers.dropped", () -> dropped::sum);
    registry.gauge("amqp.transfers.out", () -> sent::sum);
  }
}
