package io.amphora.core.replication;

import io.amphora.core.topology.PartitionAssignment.ReplicaId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Where the committed part of a log ends, in one leader's term: the smallest durable end over the
 * ISR, as long as the ISR is a quorum (safety rule 3), and nothing before the epoch start is on
 * disk everywhere (docs/safety-rules.md). Never falls. Owned by the leader.
 */
public final class HighWatermark {

  private final ReplicaSets config;
  private final int minIsr;
  private final long epochStartEnd;
  private final Map<ReplicaId, Long> durableEnds = new HashMap<>();
  private Set<ReplicaId> isr;
  private long value;

  /**
   * @param config who counts
   * @param minIsr least number of replicas in sync; a majority counts when that is more
   * @param leader the only member of the ISR at first
   * @param epochStartEnd offset after the epoch start record; nothing counts below it
   */
  public HighWatermark(ReplicaSets config, int minIsr, ReplicaId leader, long epochStartEnd) {
    this.config = config;
    this.minIsr = minIsr;
    this.epochStartEnd = epochStartEnd;
    this.isr = Set.of(leader);
  }

  /** The offset after the last committed record; 0 until the epoch start is committed. */
  public long value() {
    return value;
  }

  /** Whether the epoch start is committed: from then on the value may be shown. */
  public boolean isOpen() {
    return value >= epochStartEnd;
  }

  /**
   * A replica's log is on disk up to here.
   *
   * @return true when the high watermark moved
   */
  public boolean onDurable(ReplicaId replica, long end) {
    durableEnds.merge(replica, end, Math::max);
    return advance();
  }

  /**
   * The replicas in sync changed. A joiner must be at or above the high watermark (rule 3).
   *
   * @return true when the high watermark moved
   */
  public boolean onIsr(Set<ReplicaId> now) {
    for (ReplicaId replica : now) {
      if (!isr.contains(replica) && endOf(replica) < value) {
        throw new IllegalStateException(replica + " is below the high watermark " + value);
      }
    }
    isr = new HashSet<>(now);
    return advance();
  }

  private boolean advance() {
    if (!config.isQuorum(isr, minIsr)) {
      return false;
    }
    long end = isr.stream().mapToLong(this::endOf).min().orElse(0);
    if (end < epochStartEnd || end <= value) {
      return false;
    }
    value = end;
    return true;
  }

  private long endOf(ReplicaId replica) {
    return durableEnds.getOrDefault(replica, 0L);
  }
}
