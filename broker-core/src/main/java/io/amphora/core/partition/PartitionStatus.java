package io.amphora.core.partition;

import io.amphora.wal.EpochStart;
import io.amphora.wal.LogState;
import java.util.List;

/**
 * A partition at one moment.
 *
 * @param partition number
 * @param role {@code leader}, {@code follower} or {@code closed}
 * @param epoch leader epoch
 * @param highWatermark end of what consumers see
 * @param log where its log stands
 * @param epochs epochs and where they start: each start is a control record that is no message
 * @param pendingBytes appended but not yet acknowledged, bytes
 */
public record PartitionStatus(
    int partition,
    String role,
    int epoch,
    long highWatermark,
    LogState log,
    List<EpochStart> epochs,
    long pendingBytes) {

  /** Messages in {@code [from, highWatermark)}: control records do not count. */
  public long messagesFrom(long from) {
    long start = Math.max(from, log.logStart());
    if (start >= highWatermark) {
      return 0;
    }
    long control =
        epochs.stream().filter(e -> e.offset() >= start && e.offset() < highWatermark).count();
    return highWatermark - start - control;
  }
}
