package io.amphora.wal.disk;

import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import java.io.IOException;
import java.util.Optional;

/**
 * Walks the batches of one segment in order of offsets, and knows how to get past damage without
 * ever handing it out. Used by the read thread, for one read.
 */
final class SegmentCursor {

  private final Segment segment;
  private final SegmentIndex index;
  private final BatchScanner scanner;
  private long expected;

  SegmentCursor(Segment segment, SegmentIndex index, BatchScanner scanner) {
    this.segment = segment;
    this.index = index;
    this.scanner = scanner;
    this.expected = segment.base();
  }

  /**
   * Moves to a batch at or before the offset, past damage in front of it.
   *
   * @throws WalException {@code CORRUPT} when the offset itself lies in damaged bytes
   */
  void seekOffset(long offset) throws IOException {
    startAt(index.floor(offset - segment.base()));
    while (expected <= offset) {
      long before = scanner.position();
      long from = expected;
      Optional<RecordBatch> batch;
      try {
        batch = next();
      } catch (WalException e) {
        skip(e, offset);
        continue;
      }
      if (batch.isEmpty() || batch.get().endOffset() > offset) {
        scanner.seek(before);
        expected = from;
        return;
      }
    }
  }

  private void skip(WalException damage, long offset) throws IOException {
    if (!scanner.skipDamage(expected + 1, segment.end())) {
      throw damage;
    }
    long position = scanner.position();
    long found = scanner.next().orElseThrow(() -> damage).baseOffset();
    scanner.seek(position);
    if (found > offset) {
      throw damage;
    }
    expected = found;
  }

  /** Moves to a batch before the first one with this timestamp. */
  void seekTime(long timestamp) {
    startAt(index.floorOfTime(timestamp));
  }

  private void startAt(int entry) {
    expected = segment.base() + (entry < 0 ? 0 : index.offset(entry));
    scanner.seek(entry < 0 ? 0 : index.position(entry));
  }

  /**
   * The next batch; empty at the end of the segment.
   *
   * @throws WalException {@code CORRUPT} when it is damaged or not the one that should follow
   */
  Optional<RecordBatch> next() throws IOException {
    long at = scanner.position();
    Optional<RecordBatch> batch = scanner.next();
    if (batch.isEmpty()) {
      if (expected < segment.end()) {
        throw scanner.corrupt("offsets from " + expected + " on are missing", at);
      }
      return batch;
    }
    if (batch.get().baseOffset() != expected) {
      scanner.seek(at);
      throw scanner.corrupt("found " + batch.get() + " instead of offset " + expected, at);
    }
    expected = batch.get().endOffset();
    return batch;
  }

  /**
   * The batch that came last with its records decompressed; what is wrong with them is told like
   * other damage. The cursor stays behind it.
   */
  RecordBatch opened(RecordBatch batch) {
    try {
      return batch.opened();
    } catch (WalException e) {
      if (e.kind() != WalException.Kind.CORRUPT) {
        throw e;
      }
      throw scanner.corrupt(String.valueOf(e.getMessage()), scanner.position() - batch.size());
    }
  }

  /** The next batch that is not damaged; empty at the end of the segment. */
  Optional<RecordBatch> nextReadable() throws IOException {
    try {
      return next();
    } catch (WalException e) {
      if (!scanner.skipDamage(expected + 1, segment.end())) {
        return Optional.empty();
      }
      Optional<RecordBatch> batch = scanner.next();
      batch.ifPresent(found -> expected = found.endOffset());
      return batch;
    }
  }
}
