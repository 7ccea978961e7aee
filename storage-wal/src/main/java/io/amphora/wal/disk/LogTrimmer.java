package io.amphora.wal.disk;

import io.amphora.wal.EpochStart;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes things away from a log, at either end. Each step is ordered so that power loss between two
 * of them leaves a log that recovery understands. Used by the disk thread.
 */
final class LogTrimmer {

  private static final Logger LOG = LoggerFactory.getLogger(LogTrimmer.class);
  private static final int CHUNK = 1 << 20;

  private final SegmentedLog log;
  private final PartitionFolder folder;

  LogTrimmer(SegmentedLog log) {
    this.log = log;
    this.folder = log.folder();
  }

  /** Drops every batch that holds {@code offset} or a later one. */
  void truncateTo(long offset) throws IOException {
    if (offset < log.logStart()) {
      throw outOfRange(offset, "below the log start " + log.logStart());
    }
    if (offset >= log.active().endOffset()) {
      return;
    }
    List<Segment> left = log.closedSegments();
    ActiveSegment end = log.active();
    int keep = left.size();
    while (offset < end.base() && keep > 0) {
      // newest first and each for itself durable: a gap in the middle would look like a loss
      end.abandon();
      folder.deleteSegment(end.base());
      folder.force();
      keep--;
      end = new ActiveSegment(folder, left.get(keep).base());
    }
    end.abandon();
    long oldStart = log.logStart();
    log.onTruncated(List.copyOf(left.subList(0, keep)), cutOrFail(end.base(), offset));
    if (log.logStart() < oldStart) {
      writeStart(log.logStart()); // the start lay within a batch that had to go as a whole
    }
  }

  /** Damage met half way cannot be undone: it ends the log instead of leaving it half cut. */
  private ActiveSegment cutOrFail(long base, long offset) throws IOException {
    try {
      return cut(base, offset);
    } catch (WalException e) {
      throw new IOException("truncation met damage: " + e.getMessage(), e);
    }
  }

  /** Cuts one segment file behind the last batch that ends at or below {@code offset}. */
  private ActiveSegment cut(long base, long offset) throws IOException {
    Optional<IndexFiles.Loaded> index = IndexFiles.load(folder.files(), folder, base);
    folder.deleteIndex(base); // it may say more than the file will hold
    folder.force();
    ActiveSegment kept =
        index
            .flatMap(loaded -> before(loaded, offset - base))
            .map(loaded -> new ActiveSegment(folder, base, loaded))
            .orElseGet(() -> new ActiveSegment(folder, base));
    Files.Handle handle = kept.file();
    BatchScanner scanner = new BatchScanner(folder.logFile(base), handle, handle.size(), CHUNK);
    scanner.seek(kept.size());
    while (kept.endOffset() < offset) {
      Optional<RecordBatch> batch = scanner.next();
      if (batch.isEmpty() || batch.get().endOffset() > offset) {
        break;
      }
      kept.recovered(batch.get());
    }
    handle.truncate(kept.size());
    handle.force();
    return kept;
  }

  /** The part of an index that ends at its last entry at or below the offset. */
  private static Optional<IndexFiles.Loaded> before(IndexFiles.Loaded loaded, long offset) {
    SegmentIndex index = loaded.index();
    int entry = index.floor(offset);
    if (entry < 1) {
      return Optional.empty();
    }
    int position = index.position(entry);
    SegmentIndex cut = index.cutTo(position);
    IndexFiles.Summary summary =
        new IndexFiles.Summary(
            cut.size(),
            position,
            index.offset(entry),
            loaded.summary().firstTime(),
            index.maxTimeBefore(entry));
    return Optional.of(new IndexFiles.Loaded(cut, summary));
  }

  /** Makes {@code offset} the log start and erases the segments below it. */
  void truncateBefore(long offset) throws IOException {
    if (offset > log.active().endOffset()) {
      throw outOfRange(offset, "above the end " + log.active().endOffset());
    }
    if (offset <= log.logStart()) {
      return;
    }
    if (offset > log.durableEnd()) {
      log.forceNow();
    }
    if (offset == log.active().endOffset() && log.active().size() > 0) {
      log.roll();
    }
    moveStart(offset);
  }

  /** Erases what retention wants gone. */
  void retain(Retention.Wish wish) throws IOException {
    log.report();
    Retention decision = Retention.decide(log.view(), wish);
    if (decision.rollFirst()) {
      rollIfRoom();
    }
    int erase = Math.min(decision.erase(), log.closedSegments().size());
    if (erase > 0) {
      moveStart(Retention.newStart(log.view().state(), log.closedSegments(), erase));
    }
  }

  /** A full disk must not keep retention from what makes room. */
  private void rollIfRoom() throws IOException {
    try {
      log.roll();
    } catch (Files.DiskFullException e) {
      LOG.debug("[{}] no room to close the active segment", log.name(), e);
    }
  }

  /** The start is durable before anything is erased, so recovery can finish what was begun. */
  private void moveStart(long start) throws IOException {
    try {
      writeStart(start);
    } catch (Files.DiskFullException e) {
      eraseOneByOne(start);
      writeStart(start);
    }
    List<Segment> gone = wholeBelow(start);
    forgetBelow(start);
    for (Segment segment : gone) {
      folder.deleteSegment(segment.base());
    }
    if (!gone.isEmpty()) {
      folder.force();
    }
  }

  private List<Segment> wholeBelow(long start) {
    return log.closedSegments().stream().filter(segment -> segment.end() <= start).toList();
  }

  /** Shown before the files go: a reader that misses one must find that the log has changed. */
  private void forgetBelow(long start) {
    log.onTrimmed(start);
    log.report();
  }

  private void writeStart(long start) throws IOException {
    List<EpochStart> epochs = log.epochs().starts();
    EpochStart last = epochs.isEmpty() ? new EpochStart(0, 0) : epochs.get(epochs.size() - 1);
    folder.writeLogStart(new PartitionFolder.LogStart(start, last));
  }

  /**
   * Makes room on a full disk: oldest first and each for itself durable, so that at any moment the
   * first segment that is left tells the start.
   */
  private void eraseOneByOne(long start) throws IOException {
    for (Segment segment : wholeBelow(start)) {
      forgetBelow(Math.max(log.logStart(), segment.end()));
      folder.deleteSegment(segment.base());
      folder.force();
    }
  }

  private WalException outOfRange(long offset, String why) {
    return new WalException(
        WalException.Kind.OUT_OF_RANGE, "offset " + offset + " of " + log.name() + " is " + why);
  }
}
