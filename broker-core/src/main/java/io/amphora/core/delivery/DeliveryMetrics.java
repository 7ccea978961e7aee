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

  /** Done without a delivery, because the member does not want them. */
  final Meter unwanted;

  /** Filters that failed. */
  final Meter filterFailures;

  final Counter inFlight;

  DeliveryMetrics(MetricRegistry registry) {
    delivered = registry.meter("delivery.delivered");
    redelivered = registry.meter("delivery.redelivered");
    parked = registry.meter("delivery.parked");
    gaps = registry.meter("delivery.gaps");
    unwanted = registry.meter("delivery.unwanted");
    filterFailures = registry.meter("delivery.filter.failed");
    inFlight = registry.counter("delivery.inflight");
  }

  /**
   * A turn of a dispatcher is over.
   *
   * @param messages handed out
   * @param again how many of them not for the first time
   * @param taken change of what is in flight
   */
  void onTurn(int messages, int again, int taken) {
    if (messages > 0) {
      delivered.mark(messages);
    }
    if (again > 0) {
      redelivered.mark(again);
    }
    if (taken != 0) {
      inFlight.inc(taken);
    }
  }
}
