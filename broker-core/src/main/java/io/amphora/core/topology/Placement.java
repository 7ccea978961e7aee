package io.amphora.core.topology;

import java.util.ArrayList;
import java.util.List;

/**
 * Spreads the replicas of a new topic over the brokers (replica j of partition i on broker start +
 * i + j). Pure.
 */
public final class Placement {

  private Placement() {}

  /**
   * Partition i, replica j goes to broker {@code (start + i + j) mod n}.
   *
   * @param brokers ids, sorted, without repeats
   * @param start spreads topics; at least 0
   * @param partitions number of partitions
   * @param factor replicas of each partition, 1 to the number of brokers
   * @return broker ids by partition, the preferred leader first
   * @throws IllegalArgumentException when there are fewer brokers than the factor asks for
   */
  public static List<List<String>> place(
      List<String> brokers, int start, int partitions, int factor) {
    if (factor < 1 || factor > brokers.size()) {
      throw new IllegalArgumentException(
          "replication factor " + factor + " with " + brokers.size() + " brokers");
    }
    List<List<String>> placed = new ArrayList<>(partitions);
    for (int i = 0; i < partitions; i++) {
      List<String> replicas = new ArrayList<>(factor);
      for (int j = 0; j < factor; j++) {
        replicas.add(brokers.get((int) (((long) start + i + j) % brokers.size())));
      }
      placed.add(List.copyOf(replicas));
    }
    return List.copyOf(placed);
  }
}
