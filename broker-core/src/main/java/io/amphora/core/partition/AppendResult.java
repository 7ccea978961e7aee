package io.amphora.core.partition;

import io.amphora.core.BrokerException;

/** What became of an append. */
public sealed interface AppendResult {

  /** It is as durable as its acks asked for. */
  record Appended(long baseOffset) implements AppendResult {}

  /** Nothing was appended. */
  record Refused(BrokerException error) implements AppendResult {}

  /** Unknown: leadership or the log was lost meanwhile. Do not settle (house rule 4). */
  record Indeterminate(String reason) implements AppendResult {}
}
