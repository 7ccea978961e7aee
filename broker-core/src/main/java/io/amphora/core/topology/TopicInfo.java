package io.amphora.core.topology;

import java.util.List;
import java.util.UUID;

/**
 * A topic.
 *
 * @param name full name
 * @param id identity; new at each creation
 * @param config settings
 * @param createdMillis time of creation, milliseconds since 1970
 * @param partitions by number
 */
public record TopicInfo(
    String name,
    UUID id,
    TopicConfig config,
    long createdMillis,
    List<PartitionAssignment> partitions) {

  /** True for the broker's own topics. */
  public boolean isInternal() {
    return name.startsWith("__") || name.startsWith("$");
  }
}
