package io.amphora.core.transaction;

import io.amphora.core.Loop;

/** The transactions of this node, as front ends see them. Any loop; never blocks. */
public interface Transactions {

  TransactionLimits limits();

  /**
   * Begins a transaction.
   *
   * @param owner the only loop that uses it
   * @param onTimeout told when it was rolled back because it took too long
   */
  Transaction begin(Loop owner, Runnable onTimeout);
}
