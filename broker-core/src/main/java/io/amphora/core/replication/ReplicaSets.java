package io.amphora.core.replication;

import io.amphora.core.topology.PartitionAssignment.ReplicaId;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The replica configuration of a partition: one set, or two while it changes from the first to the
 * second (safety rule 2). Immutable.
 *
 * @param sets one or two sets, each in preferred order, none empty
 */
public record ReplicaSets(List<List<ReplicaId>> sets) {

  public ReplicaSets {
    if (sets.isEmpty() || sets.size() > 2 || sets.stream().anyMatch(List::isEmpty)) {
      throw new IllegalArgumentException("one or two replica sets, none empty: " + sets);
    }
    sets = sets.stream().map(List::copyOf).toList();
  }

  /** A configuration that is not changing. */
  public static ReplicaSets of(List<ReplicaId> replicas) {
    return new ReplicaSets(List.of(replicas));
  }

  /** True when these replicas are a majority of every set. */
  public boolean isQuorum(Set<ReplicaId> replicas) {
    return isQuorum(replicas, 1);
  }

  /** True when of every set at least {@code minimum} and a majority are among these (rule 3). */
  public boolean isQuorum(Set<ReplicaId> replicas, int minimum) {
    return sets.stream()
        .allMatch(
            set ->
                set.stream().filter(replicas::contains).count()
                    >= Math.max(minimum, set.size() / 2 + 1));
  }

  /** All members, in preferred order, the newest set first. */
  public List<ReplicaId> preferred() {
    List<List<ReplicaId>> newestFirst = sets.size() == 2 ? List.of(sets.get(1), sets.get(0)) : sets;
    return newestFirst.stream().flatMap(Collection::stream).distinct().toList();
  }

  /** Whether the replica is in any set. */
  public boolean contains(ReplicaId replica) {
    return sets.stream().anyMatch(set -> set.contains(replica));
  }
}
