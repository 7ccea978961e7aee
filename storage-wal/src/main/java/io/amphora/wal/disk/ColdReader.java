package io.amphora.wal.disk;

import io.amphora.wal.LogRecord;
import io.amphora.wal.LogState;
import io.amphora.wal.ReadResult;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Answers reads from the published views of logs. Owned by the read thread; it changes nothing on
 * disk. A read that failed while the log was cut under it is tried again on the new view.
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

  /**
   * A piece of a record's body.
   *
   * @param offset of the record
   * @param from first byte
   * @param length most bytes
   */
  record Piece(long offset, long from, int length) {}

  private interface Reading<T> {
    T on(LogView view) throws IOException;
  }

  private final ReadFiles readFiles;
  private final VerifiedBatches verified = new VerifiedBatches();

  ColdReader(ReadFiles readFiles) {
    this.readFiles = readFiles;
  }

  /** Batches of one segment, large ones head only, from the one that holds the offset. */
  ReadResult read(SegmentedLog log, Range range) throws IOException {
    return onStableView(log, view -> new ReadResult(readOn(log, view, range)));
  }

  /** Bytes of the body of one record. */
  byte[] readBody(SegmentedLog log, Piece piece) throws IOException {
    return onStableView(log, view -> bodyOn(log, view, piece));
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
      throw outOfRange(log, range.from(), state);
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

  private static WalException outOfRange(SegmentedLog log, long offset, LogState state) {
    return new WalException(
        WalException.Kind.OUT_OF_RANGE,
        "offset %d of %s is not within [%d, %d]"
            .formatted(offset, log.name(), state.logStart(), state.writtenEnd()));
  }

  private byte[] bodyOn(SegmentedLog log, LogView view, Piece piece) throws IOException {
    LogState state = view.state();
    long offset = piece.offset();
    Segment segment =
        view.holding(offset)
            .filter(s -> offset >= state.logStart())
            .orElseThrow(() -> outOfRange(log, offset, state));
    ReadFiles.Key key = keyOf(log, view, segment);
    BatchScanner scanner = scanner(log, segment, key, MIN_CHUNK);
    scanner.remember(verified.in(key), verified.addTo(key));
    SegmentCursor cursor = cursor(segment, key, scanner);
    cursor.seekOffset(offset);
    long position = scanner.position();
    Optional<RecordBatch> batch = cursor.next();
    LogRecord record =
        batch
            .flatMap(b -> find(b, offset))
            .filter(r -> piece.from() <= r.bodyLength())
            .orElseThrow(() -> outOfRange(log, offset, state));
    int length = (int) Math.min(piece.length(), record.bodyLength() - piece.from());
    if (record.isWhole()) {
      byte[] bytes = new byte[length];
      record.body().get((int) piece.from(), bytes);
      return bytes;
    }
    return scanner.bytes(position + record.batch().heldBytes() + piece.from(), length);
  }

  private static Optional<LogRecord> find(RecordBatch batch, long offset) {
    for (LogRecord record : batch) {
      if (record.offset() == offset) {
        return Optional.of(record);
      }
    }
    return Optional.empty();
  }

  private static ReadFiles.Key keyOf(SegmentedLog log, LogView view, Segment segment) {
    return new ReadFiles.Key(log.folder(), segment.base(), view.generation());
  }

  private BatchScanner scanner(SegmentedLog log, Segment segment, ReadFiles.Key key, int chunk)
      throws IOException {
    return new BatchScanner(
        log.folder().logFile(segment.base()), readFiles.handle(key), segment.size(), chunk);
  }

  /** Verifies each large batch anew, and remembers that it did. */
  private SegmentCursor cursor(SegmentedLog log, LogView view, Segment segment, int chunk)
      throws IOException {
    ReadFiles.Key key = keyOf(log, view, segment);
    BatchScanner scanner = scanner(log, segment, key, chunk);
    scanner.remember(position -> false, verified.addTo(key));
    return cursor(segment, key, scanner);
  }

  private SegmentCursor cursor(Segment segment, ReadFiles.Key key, BatchScanner scanner)
      throws IOException {
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
      bytes += batch.heldBytes();
      if (bytes > range.maxBytes() && !batches.isEmpty()) {
        return batches;
      }
      if (batch.endOffset() > range.from()) {
        batches.add(batch);
        if (batch.isHeadOnly()) {
          return batches; // the next may be as large, and verifying it would take as long
        }
      } else {
        bytes = 0;
      }
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
