package io.amphora.core.replication;

import io.amphora.wal.EpochStart;
import java.util.ArrayList;
import java.util.List;

/**
 * The leader epochs of a log and where they start: epochs and offsets both grow. Owned by the
 * partition loop; {@link #starts} is an immutable snapshot.
 */
public final class EpochHistory {

  private List<EpochStart> starts;

  /**
   * @param starts as the log tells, oldest first
   */
  public EpochHistory(List<EpochStart> starts) {
    this.starts = List.copyOf(starts);
  }

  public List<EpochStart> starts() {
    return starts;
  }

  /** The last epoch, 0 when there is none. */
  public int lastEpoch() {
    return starts.isEmpty() ? 0 : starts.get(starts.size() - 1).epoch();
  }

  /** A new epoch begins. */
  public void add(int epoch, long offset) {
    if (epoch <= lastEpoch()) {
      throw new IllegalStateException("epoch " + epoch + " after " + lastEpoch());
    }
    List<EpochStart> longer = new ArrayList<>(starts);
    longer.add(new EpochStart(epoch, offset));
    starts = List.copyOf(longer);
  }

  /** What starts at or above {@code offset} was cut off. */
  public void truncateTo(long offset) {
    starts = starts.stream().filter(s -> s.offset() < offset).toList();
  }
}
