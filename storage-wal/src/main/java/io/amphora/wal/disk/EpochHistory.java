package io.amphora.wal.disk;

import io.amphora.wal.EpochStart;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Leader epochs and the offsets where they start: an immutable value. Both ascend strictly. The
 * last entry is never removed by retention (safety rule 10).
 *
 * @param starts oldest first
 */
record EpochHistory(List<EpochStart> starts) {

  static final EpochHistory EMPTY = new EpochHistory(List.of());

  /** Epoch of the last batch, 0 when there was none. */
  int last() {
    return starts.isEmpty() ? 0 : starts.get(starts.size() - 1).epoch();
  }

  /** With the epoch of one more batch behind all others; epochs below the last are refused. */
  EpochHistory with(int epoch, long baseOffset) {
    if (epoch == last()) {
      return this;
    }
    if (epoch < last()) {
      throw new IllegalStateException("epoch " + epoch + " behind epoch " + last());
    }
    List<EpochStart> more = new ArrayList<>(starts);
    more.add(new EpochStart(epoch, baseOffset));
    return new EpochHistory(List.copyOf(more));
  }

  /** Without the epochs that start at or above {@code end}. */
  EpochHistory cutTo(long end) {
    if (starts.isEmpty() || starts.get(starts.size() - 1).offset() < end) {
      return this;
    }
    return new EpochHistory(starts.stream().filter(start -> start.offset() < end).toList());
  }

  /** Without the epochs that ended below {@code logStart}; the last one stays. */
  EpochHistory withoutBefore(long logStart) {
    int drop = 0;
    while (drop + 1 < starts.size() && starts.get(drop + 1).offset() <= logStart) {
      drop++;
    }
    return drop == 0 ? this : new EpochHistory(List.copyOf(starts.subList(drop, starts.size())));
  }

  byte[] toBytes() {
    ByteBuffer buffer = ByteBuffer.allocate(4 + starts.size() * 12);
    buffer.putInt(starts.size());
    starts.forEach(start -> buffer.putInt(start.epoch()).putLong(start.offset()));
    return buffer.array();
  }

  /** Reads what {@link #toBytes} wrote; the envelope was checked before. */
  static EpochHistory fromBytes(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    int count = buffer.getInt();
    List<EpochStart> starts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      starts.add(new EpochStart(buffer.getInt(), buffer.getLong()));
    }
    return new EpochHistory(List.copyOf(starts));
  }
}
