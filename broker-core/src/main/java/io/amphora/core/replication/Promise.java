package io.amphora.core.replication;

import io.amphora.core.topology.PartitionAssignment.ReplicaId;
import java.util.UUID;

/** A replica's answer to the request to promise a leader epoch (safety rules 1, 5 and 6). */
public sealed interface Promise {

  /**
   * What was asked.
   *
   * @param epoch epoch to promise, from 1
   * @param electionId random, new for each attempt
   */
  record Request(int epoch, UUID electionId) {}

  /**
   * Promised, on disk.
   *
   * @param replica who answers
   * @param lastEpoch leader epoch of the last batch in its log, 0 when there is none
   * @param durableEnd end of its log on disk
   * @param electable false for a replica with a hole: it votes but cannot lead
   * @param config latest configuration in its log
   */
  record Granted(
      ReplicaId replica, int lastEpoch, long durableEnd, boolean electable, ReplicaSets config)
      implements Promise {}

  /**
   * Not promised.
   *
   * @param promised the epoch it has promised to somebody
   */
  record Refused(int promised) implements Promise {}
}
