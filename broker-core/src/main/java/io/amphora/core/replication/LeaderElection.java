package io.amphora.core.replication;

import io.amphora.core.topology.PartitionAssignment.ReplicaId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides from the answers to Promise who leads (docs/safety-rules.md; safety rules 1, 2 and 6).
 * Pure.
 */
public final class LeaderElection {

  /** The greatest log: by last epoch, then by durable end. */
  private static final Comparator<Promise.Granted> BY_LOG =
      Comparator.comparingInt(Promise.Granted::lastEpoch)
          .thenComparingLong(Promise.Granted::durableEnd);

  /** What the answers come to. */
  public sealed interface Outcome {}

  /**
   * A leader.
   *
   * @param leader who it is
   * @param answeredEnd durable end it answered with; it refuses to lead with less (rule 5)
   */
  public record Elected(ReplicaId leader, long answeredEnd) implements Outcome {}

  /**
   * Nobody, now.
   *
   * @param reason one sentence for the operator
   * @param retryAbove when above 0, the epoch that was promised elsewhere: elect above it (rule 6)
   */
  public record NoLeader(String reason, int retryAbove) implements Outcome {}

  private LeaderElection() {}

  /** Decides. Answers come from different replicas and all belong to one attempt. */
  public static Outcome elect(List<Promise> answers) {
    int refused =
        answers.stream()
            .filter(Promise.Refused.class::isInstance)
            .mapToInt(a -> ((Promise.Refused) a).promised())
            .max()
            .orElse(0);
    if (refused > 0) {
      return new NoLeader("a replica has promised epoch " + refused, refused);
    }
    List<Promise.Granted> granted =
        answers.stream()
            .filter(Promise.Granted.class::isInstance)
            .map(Promise.Granted.class::cast)
            .toList();
    Optional<Promise.Granted> greatest = granted.stream().max(BY_LOG);
    return greatest
        .map(g -> among(granted, g))
        .orElseGet(() -> new NoLeader("no replica answered", 0));
  }

  private static Outcome among(List<Promise.Granted> granted, Promise.Granted greatest) {
    ReplicaSets config = greatest.config();
    Set<ReplicaId> answered =
        granted.stream().map(Promise.Granted::replica).collect(Collectors.toSet());
    if (!config.isQuorum(answered)) {
      return new NoLeader("only " + answered.size() + " replicas answered, no majority", 0);
    }
    return config.preferred().stream()
        .flatMap(r -> granted.stream().filter(g -> g.replica().equals(r)))
        .filter(g -> g.electable() && BY_LOG.compare(g, greatest) == 0)
        .findFirst()
        .<Outcome>map(g -> new Elected(g.replica(), g.durableEnd()))
        .orElseGet(() -> new NoLeader("the replica with the longest log is damaged", 0));
  }
}
