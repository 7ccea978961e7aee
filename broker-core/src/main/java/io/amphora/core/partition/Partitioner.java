package io.amphora.core.partition;

import io.amphora.core.topology.TopicConfig.PartitionerKind;

/**
 * Chooses partitions for the records of one producer. A record with a key goes to {@code hash mod
 * partitions} (hash taken as unsigned), so that a key keeps its order; a record without goes where
 * the topic's setting says. Owned by the producer's loop.
 */
public final class Partitioner {

  private final PartitionerKind kind;
  private final int partitions;
  private int current;

  /**
   * @param partitions number of partitions, at least 1
   * @param start any number; spreads producers over the partitions
   */
  public Partitioner(PartitionerKind kind, int partitions, int start) {
    if (partitions < 1) {
      throw new IllegalArgumentException("partitions: " + partitions);
    }
    this.kind = kind;
    this.partitions = partitions;
    this.current = Math.floorMod(start, partitions);
  }

  /** Partition of a key with this hash ({@link KeyHash}). Pure. */
  public static int keyed(int keyHash, int partitions) {
    return Integer.remainderUnsigned(keyHash, partitions);
  }

  /** Partition of a key with this hash. */
  public int keyed(int keyHash) {
    return keyed(keyHash, partitions);
  }

  /** Partition of the next record without a key. */
  public int unkeyed() {
    int chosen = current;
    if (kind == PartitionerKind.ROUND_ROBIN) {
      current = (current + 1) % partitions;
    }
    return chosen;
  }
}
