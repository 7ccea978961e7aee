package io.amphora.core.delivery;

import io.amphora.core.partition.ReadSlice;
import io.amphora.core.position.PositionTracker;
import io.amphora.wal.LogRecord;
import io.amphora.wal.RecordBatch;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Records that were read and not yet handed out for the first time. One read at a time, so it never
 * holds more than {@link #READ_BYTES} or one batch. Owned by the partition loop.
 */
final class ReadAhead {
  /** Bytes asked for in one read at most. */
  static final int READ_BYTES = 1 << 20;

  private final ArrayDeque<LogRecord> queue = new ArrayDeque<>();
  private long cursor;

  ReadAhead(long start) {
    this.cursor = start;
  }

  /** Where the next read starts: everything below was queued once or is done. */
  long cursor() {
    return cursor;
  }

  Optional<LogRecord> peek() {
    return Optional.ofNullable(queue.peekFirst());
  }

  void removeFirst() {
    queue.removeFirst();
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Forgets what was read; it is read again when it is needed. */
  void drop() {
    LogRecord first = queue.peekFirst();
    if (first != null) {
      cursor = first.offset();
      queue.clear();
    }
  }

  /** Offsets at the cursor that retention took before the group had them. */
  long gap(ReadSlice slice) {
    return Math.max(0, slice.logStart() - cursor);
  }

  /**
   * Queues the records of a slice that are not done. Offsets without a message (gaps, control
   * records) become done, so that the position moves over them.
   *
   * @return false when the slice brought nothing and the cursor did not move
   */
  boolean fill(ReadSlice slice, PositionTracker tracker) {
    long before = cursor;
    passTo(slice.logStart(), tracker);
    for (RecordBatch batch : slice.batches()) {
      if (!batch.isControl() && batch.endOffset() > cursor) {
        fillFrom(batch, tracker);
      }
      passTo(batch.endOffset(), tracker);
    }
    return cursor > before;
  }

  private void fillFrom(RecordBatch batch, PositionTracker tracker) {
    for (LogRecord record : batch) {
      if (record.offset() >= cursor) {
        passTo(record.offset(), tracker);
        cursor = record.offset() + 1;
        if (!tracker.isDone(record.offset())) {
          queue.addLast(record);
        }
      }
    }
  }

  private void passTo(long offset, PositionTracker tracker) {
    if (offset > cursor) {
      tracker.skip(cursor, offset);
      cursor = offset;
    }
  }
}
