package io.amphora.admin.resource;

import io.amphora.core.partition.ReadSlice;
import io.amphora.core.position.Position;
import io.amphora.wal.LogRecord;
import io.amphora.wal.RecordBatch;
import java.util.Optional;

/** Finds the oldest message that a group has not done. Pure. */
final class OldestOpen {
  private OldestOpen() {}

  /** Its append time, milliseconds since 1970; empty when the slice does not reach it. */
  static Optional<Long> timestamp(ReadSlice slice, Position position) {
    for (RecordBatch batch : slice.batches()) {
      if (!batch.isControl()) {
        for (LogRecord record : batch) {
          if (isOpen(record.offset(), position) && record.offset() < slice.highWatermark()) {
            return Optional.of(record.timestamp());
          }
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isOpen(long offset, Position position) {
    return offset >= position.committed()
        && position.done().stream()
            .noneMatch(range -> offset >= range.from() && offset < range.to());
  }
}
