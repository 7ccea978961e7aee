package io.amphora.core.delivery;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Meter;
import com.codahale.metrics.MetricRegistry;

/** Figures of delivery, over all groups of the node. Any thread. */
final class DeliveryMetrics {
  final Meter delivered;
  final Meter redelivered;
  final Meter parked;
  final Meter gaps;
  final Counter inFlight;

  DeliveryMetrics(MetricRegistry registry) {
    delivered = registry.meter("delivery.delivered");
    redelivered = registry.meter("delivery.redelivered");
    parked = registry.meter("delivery.parked");
    gaps = registry.meter("delivery.gaps");
    inFlight = registry.counter("delivery.inflight");
  }
}
