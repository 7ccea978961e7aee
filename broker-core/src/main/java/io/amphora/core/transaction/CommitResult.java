package io.amphora.core.transaction;

import io.amphora.core.BrokerException;

/** What became of the commit of a transaction. */
public sealed interface CommitResult {

  /** All of it is durable and applied. */
  record Committed() implements CommitResult {}

  /** Nothing of it is there or will be. */
  record RolledBack(BrokerException reason) implements CommitResult {}

  /** Nobody knows before the next start of the broker (house rule 4). */
  record Unknown(String reason) implements CommitResult {}
}
