package io.amphora.core.replication;

import java.util.UUID;

/** A partition by identity, not by name (safety rule 8). */
public record ReplicaKey(UUID topicId, int partition) {

  @Override
  public String toString() {
    return topicId + "-" + partition;
  }
}
