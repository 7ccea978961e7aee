package io.amphora.wal.disk;

import io.amphora.wal.BatchFormat;
import io.amphora.wal.LogState;
import io.amphora.wal.ReadResult;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Answers reads from the published views of logs, with records decompressed: what is asked for is
 * counted in bytes of memory. Owned by the read thread; it changes nothing on disk. A read that failed while the log was cut under it is tried again on the new view.
 */
final class ColdReader {

  private static final int ATTEMPTS = 5;
  private static final int MIN_CHUNK = 16 << 10;
  private static final int MAX_CHUNK = 4 << 20;

  /**
   * What is read.
   *
   * @param from first offset
   * @param limit batches that start at or above it are left out
   * @param maxBytes stop before this many bytes, after one batch
   */
  record Range(long from, long limit, int maxBytes) {}

  private interface Reading<T> {
    T on(LogView view) throws IOException;
  }

  private final ReadFiles readFiles;

  ColdReader(ReadFiles readFiles) {
    this.readFiles = readFiles;
  }

  /** Whole batches of one segment, from the one that holds the offset. */
  ReadResult read(SegmentedLog log, Range range) throws IOException {
    return onStableView(log, view -> new ReadResult(readOn(log, view, range)));
  }

  /** Base offset of the first batch whose largest timestamp is at or after the given one. */
  long offsetForTime(SegmentedLog log, long timestamp) throws IOException {
    return onStableView(log, view -> offsetOn(log, view, timestamp));
  }

  private <T> T onStableView(SegmentedLog log, Reading<T> reading) throws IOException {
    for (int attempt = 1; ; attempt++) {
      LogView view = log.view();
      try {
        return reading.on(view);
      } catch (IOException | WalException e) {
        if (attempt == ATTEMPTS || log.view().generation() == view.generation()) {
          throw e;
        }
      }
    }
  }

  private List<RecordBatch> readOn(SegmentedLog log, LogView view, Range range) throws IOException {
    LogState state = view.state();
    if (range.from() < state.logStart() || range.from() > state.writtenEnd()) {
      throw new WalException(
          WalException.Kind.OUT_OF_RANGE,
          "offset %d of %s is not within [%d, %d]"
              .formatted(range.from(), log.name(), state.logStart(), state.writtenEnd()));
    }
    Optional<Segment> segment = view.holding(range.from());
    if (segment.isEmpty() || range.limit() <= range.from()) {
      return List.of();
    }
    int chunk = Math.max(MIN_CHUNK, Math.min(MAX_CHUNK, range.maxBytes()));
    SegmentCursor cursor = cursor(log, view, segment.get(), chunk);
    cursor.seekOffset(range.from());
    return collect(cursor, range);
  }

  private SegmentCursor cursor(SegmentedLog log, LogView view, Segment segment, int chunk)
      throws IOException {
    ReadFiles.Key key = new ReadFiles.Key(log.folder(), segment.base(), view.generation());
    BatchScanner scanner =
        new BatchScanner(
            log.folder().logFile(segment.base()), readFiles.handle(key), segment.size(), chunk);
    SegmentIndex index = segment.index().isPresent() ? segment.index().get() : readFiles.index(key);
    return new SegmentCursor(segment, index, scanner);
  }

  private static List<RecordBatch> collect(SegmentCursor cursor, Range range) throws IOException {
    List<RecordBatch> batches = new ArrayList<>();
    long bytes = 0;
    while (true) {
      Optional<RecordBatch> next = nextWhole(cursor, batches.isEmpty());
      if (next.isEmpty() || next.get().baseOffset() >= range.limit()) {
        return batches;
      }
      RecordBatch batch = next.get();
      bytes += BatchFormat.HEADER_SIZE + batch.plainSize();
      if (bytes > range.maxBytes() && !batches.isEmpty()) {
        return batches;
      }
      if (batch.endOffset() <= range.from()) {
        bytes = 0;
      } else if (!addOpened(cursor, batch, batches)) {
        return batches;
      }
    }
  }

  private static boolean addOpened(
      SegmentCursor cursor, RecordBatch batch, List<RecordBatch> batches) {
    try {
      batches.add(cursor.opened(batch));
      return true;
    } catch (WalException e) {
      if (batches.isEmpty()) {
        throw e;
      }
      return false;
    }
  }

  /** Damage ends a read that has something to return; the next one starts at it and reports it. */
  private static Optional<RecordBatch> nextWhole(SegmentCursor cursor, boolean first)
      throws IOException {
    try {
      return cursor.next();
    } catch (WalException e) {
      if (first) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private long offsetOn(SegmentedLog log, LogView view, long timestamp) throws IOException {
    LogState state = view.state();
    List<Segment> segments = new ArrayList<>(view.closed());
    segments.add(view.active());
    for (Segment segment : segments) {
      if (segment.size() > 0 && segment.maxTime() >= timestamp) {
        SegmentCursor cursor = cursor(log, view, segment, MIN_CHUNK);
        Optional<RecordBatch> found = firstAt(cursor, timestamp, state.logStart());
        if (found.isPresent()) {
          return Math.max(found.get().baseOffset(), state.logStart());
        }
      }
    }
    return state.writtenEnd();
  }

  /** The first batch that is late enough and not removed. */
  private static Optional<RecordBatch> firstAt(SegmentCursor cursor, long timestamp, long logStart)
      throws IOException {
    cursor.seekTime(timestamp);
    Optional<RecordBatch> batch = cursor.nextReadable();
    while (batch.isPresent()
        && (batch.get().maxTimestamp() < timestamp || batch.get().endOffset() <= logStart)) {
      batch = cursor.nextReadable();
    }
    return batch;
  }
}
