package io.amphora.core.transaction;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Meter;
import com.codahale.metrics.MetricRegistry;

/** Figures of transactions. Any thread. */
final class TransactionMetrics {
  /** Begun and not over. */
  final Counter open;

  final Meter committed;
  final Meter rolledBack;

  /** Rolled back because they took too long; they count as rolled back, too. */
  final Meter timedOut;

  /** Ended in doubt: the next start decides. */
  final Meter indeterminate;

  /** Intents that a start has applied. */
  final Meter recovered;

  /** Parts of intents whose topic was deleted meanwhile. */
  final Meter dropped;

  TransactionMetrics(MetricRegistry registry) {
    open = registry.counter("transactions.open");
    committed = registry.meter("transactions.committed");
    rolledBack = registry.meter("transactions.rolledback");
    timedOut = registry.meter("transactions.timedout");
    indeterminate = registry.meter("transactions.indeterminate");
    recovered = registry.meter("transactions.recovered");
    dropped = registry.meter("transactions.dropped");
  }
}
