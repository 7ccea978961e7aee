package io.amphora.core.transaction;

import io.amphora.core.Loop;
import java.util.function.Consumer;

/** Makes the work of a transaction durable and visible, all or nothing. Any loop. */
public interface Committer {

  /**
   * Commits.
   *
   * @param done called once on {@code owner}; {@code Committed} when the work is applied
   */
  void commit(TransactionWork work, Loop owner, Consumer<CommitResult> done);
}
