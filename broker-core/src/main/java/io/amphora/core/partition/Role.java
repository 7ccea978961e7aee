package io.amphora.core.partition;

import io.amphora.core.BrokerException;

/** What a partition is here, now. */
sealed interface Role permits Role.Closed, Leader {

  /**
   * Takes no part.
   *
   * @param reason what callers are told
   */
  record Closed(BrokerException reason) implements Role {}
}
