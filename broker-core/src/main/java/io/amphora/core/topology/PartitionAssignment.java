package io.amphora.core.topology;

import java.util.List;

/**
 * The topology's picture of one partition. The partition's own log decides (safety rule 2).
 *
 * @param partition number from 0
 * @param replicas R in preferred order
 * @param leader broker id of the leader, empty when there is none
 * @param epoch leader epoch, 0 before the first election
 * @param isr broker ids in sync
 */
public record PartitionAssignment(
    int partition, List<ReplicaId> replicas, String leader, int epoch, List<String> isr) {

  /**
   * One replica.
   *
   * @param broker broker id
   * @param incarnation random id of this copy of the data (safety rule 1)
   */
  public record ReplicaId(String broker, String incarnation) {}
}
