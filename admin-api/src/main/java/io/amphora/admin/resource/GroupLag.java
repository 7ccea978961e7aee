package io.amphora.admin.resource;

import io.amphora.core.partition.PartitionStatus;
import io.amphora.core.position.OffsetRange;
import io.amphora.core.position.Position;
import java.util.Optional;

/**
 * How far a group is behind on one partition. Pure.
 *
 * @param committed everything below is done; empty when nothing was ever committed
 * @param end end of what is visible; empty when the partition cannot be asked
 * @param lag messages (not the broker's own control records) that are visible and not done; empty
 *     when one of the two is: "never committed" is not lag
 * @param parked messages that were put aside
 * @param retried messages that failed at least once and are not done
 */
record GroupLag(
    Optional<Long> committed, Optional<Long> end, Optional<Long> lag, long parked, long retried) {

  static GroupLag of(Optional<Position> position, Optional<PartitionStatus> status) {
    Optional<Long> lag = position.flatMap(where -> status.map(partition -> lag(where, partition)));
    return new GroupLag(
        position.map(Position::committed),
        status.map(PartitionStatus::highWatermark),
        lag,
        position.map(GroupLag::parked).orElse(0L),
        position.map(where -> (long) where.attempts().size()).orElse(0L));
  }

  /** A position below the log start goes on at the log start; what is above the end waits. */
  private static long lag(Position position, PartitionStatus status) {
    long from = Math.max(position.committed(), status.log().logStart());
    long done =
        position.done().stream()
            .mapToLong(range -> within(range, from, status.highWatermark()))
            .sum();
    return Math.max(0, status.messagesFrom(from) - done);
  }

  private static long within(OffsetRange range, long from, long to) {
    return Math.max(0, Math.min(range.to(), to) - Math.max(range.from(), from));
  }

  private static long parked(Position position) {
    return position.parked().stream().mapToLong(range -> range.to() - range.from()).sum();
  }
}
