package io.amphora.core.transaction;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.amphora.core.Loop;

/** Begins transactions; what they share. Any thread. */
public final class LocalTransactions implements Transactions {
  private final Transaction.Shared shared;

  /**
   * @param committer commits them
   * @param registry where figures go
   */
  public LocalTransactions(TransactionLimits limits, Committer committer, MetricRegistry registry) {
    this(limits, committer, new TransactionMetrics(registry), registry);
  }

  LocalTransactions(
      TransactionLimits limits,
      Committer committer,
      TransactionMetrics metrics,
      MetricRegistry registry) {
    TransactionMemory memory = new TransactionMemory(limits.nodeBytes());
    registry.gauge("transactions.bytes", () -> (Gauge<Long>) memory::used);
    this.shared = new Transaction.Shared(limits, memory, committer, metrics);
  }

  @Override
  public TransactionLimits limits() {
    return shared.limits();
  }

  @Override
  public Transaction begin(Loop owner, Runnable onTimeout) {
    return new Transaction(shared, owner, onTimeout);
  }
}
