package io.amphora.wal.disk;

import io.amphora.wal.EpochStart;
import io.amphora.wal.FlushPolicy;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a log that was found on disk into a state to go on from (docs/protocol.md "Recovery").
 * Used by the disk thread, once per log.
 */
final class LogRecovery {

  private static final Logger LOG = LoggerFactory.getLogger(LogRecovery.class);
  private static final int CHUNK = 1 << 20;

  private final Files files;
  private final PartitionFolder folder;
  private final Optional<CleanMarker.Entry> clean;
  private final FlushPolicy flush;
  private EpochHistory epochs = EpochHistory.EMPTY;
  private boolean epochsDirty;

  /**
   * @param clean how the log was closed; empty when it was not closed properly
   * @param flush policy under which it was written
   */
  LogRecovery(PartitionFolder folder, Optional<CleanMarker.Entry> clean, FlushPolicy flush) {
    this.files = folder.files();
    this.folder = folder;
    this.clean = clean;
    this.flush = flush;
  }

  /**
   * Recovers the log.
   *
   * @throws WalException {@code CORRUPT} when acknowledged data may be damaged; nothing is changed
   */
  RecoveredLog recover() throws IOException {
    List<Long> bases = folder.bases();
    if (bases.isEmpty()) {
      throw corrupt(folder.path() + " holds no segment. Restore it, or move the folder away");
    }
    long first = bases.get(0);
    Optional<PartitionFolder.LogStart> stored = folder.readLogStart();
    long logStart = Math.max(first, stored.map(PartitionFolder.LogStart::offset).orElse(first));
    List<Long> kept = eraseBelow(bases, logStart);
    List<Segment> closed = closedSegments(kept);
    long newest = kept.get(kept.size() - 1);
    boolean isClean = isClean(newest);
    Optional<IndexFiles.Loaded> index = loadIndex(newest);
    startEpochs(kept, index, stored);
    ActiveSegment active = scanNewest(newest, index, isClean);
    if (active.endOffset() < logStart) {
      active = restartAt(logStart, kept);
      closed = List.of();
    }
    return new RecoveredLog(closed, active, epochs, epochsDirty, logStart, !isClean);
  }

  /** Finishes a retention that was interrupted: the log start was durable before it erased. */
  private List<Long> eraseBelow(List<Long> bases, long logStart) throws IOException {
    int drop = 0;
    while (drop + 1 < bases.size() && bases.get(drop + 1) <= logStart) {
      folder.deleteSegment(bases.get(drop));
      drop++;
    }
    if (drop > 0) {
      folder.force();
    }
    return bases.subList(drop, bases.size());
  }

  private List<Segment> closedSegments(List<Long> bases) throws IOException {
    List<Segment> closed = new ArrayList<>();
    for (int i = 0; i + 1 < bases.size(); i++) {
      closed.add(closedSegment(bases.get(i), bases.get(i + 1)));
    }
    return List.copyOf(closed);
  }

  private Segment closedSegment(long base, long nextBase) throws IOException {
    Optional<IndexFiles.Summary> summary = IndexFiles.summary(files, folder, base);
    if (summary.isEmpty() || summary.get().covered() != sizeOf(base)) {
      LOG.info("{} has no usable index, it is rebuilt", folder.logFile(base));
      return rebuildIndex(base, nextBase);
    }
    IndexFiles.Summary found = summary.get();
    if (base + found.endOffset() != nextBase) {
      throw gap(base + found.endOffset(), nextBase);
    }
    return new Segment(
        base, nextBase, found.covered(), found.firstTime(), found.maxTime(), Optional.empty());
  }

  private WalException gap(long end, long nextBase) {
    return corrupt(
        folder.path()
            + " misses the offsets from "
            + end
            + " to "
            + nextBase
            + ". Restore the missing segment file, or move the folder away; nothing was deleted");
  }

  private long sizeOf(long base) throws IOException {
    try (Files.Handle handle = files.open(folder.logFile(base), Files.Mode.READ)) {
      return handle.size();
    }
  }

  /** Scans a closed segment; damage in it stays for the reader to report. */
  private Segment rebuildIndex(long base, long nextBase) throws IOException {
    ActiveSegment rebuilt = new ActiveSegment(folder, base);
    try (Files.Handle handle = files.open(folder.logFile(base), Files.Mode.READ)) {
      BatchScanner scanner = new BatchScanner(folder.logFile(base), handle, handle.size(), CHUNK);
      Optional<RecordBatch> batch = nextOrSkip(scanner, rebuilt.endOffset(), nextBase);
      while (batch.isPresent()) {
        rebuilt.onWritten(batch.get(), (int) scanner.position() - batch.get().size());
        batch = nextOrSkip(scanner, rebuilt.endOffset(), nextBase);
      }
      Segment found = rebuilt.snapshot();
      if (found.end() > nextBase) {
        throw gap(found.end(), nextBase);
      }
      int size = (int) handle.size();
      storeIndex(
          new Segment(base, nextBase, size, found.firstTime(), found.maxTime(), found.index()));
      return new Segment(
          base, nextBase, size, found.firstTime(), found.maxTime(), Optional.empty());
    }
  }

  private void storeIndex(Segment segment) throws IOException {
    SegmentIndex index = segment.index().orElseThrow();
    IndexFiles.Summary summary =
        new IndexFiles.Summary(
            index.size(),
            segment.size(),
            (int) (segment.end() - segment.base()),
            segment.firstTime(),
            segment.maxTime());
    try {
      IndexFiles.store(files, folder, segment.base(), new IndexFiles.Loaded(index, summary));
      folder.force();
    } catch (Files.DiskFullException e) {
      LOG.warn("no room for the index of {}", folder.logFile(segment.base()), e);
    }
  }

  private static Optional<RecordBatch> nextOrSkip(BatchScanner scanner, long from, long to)
      throws IOException {
    try {
      return scanner.next();
    } catch (WalException e) {
      LOG.error("{}; reading it fails, the rest of the segment stays readable", e.getMessage());
      return scanner.skipDamage(from + 1, to) ? scanner.next() : Optional.empty();
    }
  }

  /** Whether the newest segment is as it was left; bytes that are gone were acknowledged. */
  private boolean isClean(long newest) throws IOException {
    if (clean.isEmpty()) {
      return false;
    }
    long base = clean.get().base();
    long size = base == newest ? sizeOf(newest) : 0;
    if (base > newest || (base == newest && size < clean.get().size())) {
      throw corrupt(
          folder.logFile(base)
              + " has lost bytes since the log was closed. Restore it; to go on with what is left,"
              + " stop the broker and remove the file clean-shutdown. Nothing was changed");
    }
    return size == clean.get().size();
  }

  private Optional<IndexFiles.Loaded> loadIndex(long newest) throws IOException {
    long size = sizeOf(newest);
    Optional<IndexFiles.Loaded> index = IndexFiles.load(files, folder, newest);
    if (index.filter(i -> i.summary().covered() > size).isPresent()) {
      LOG.error(
          "{} has {} bytes, fewer than were forced: what is missing is lost",
          folder.logFile(newest),
          size);
      return Optional.empty();
    }
    return index;
  }

  /**
   * Epochs of what the newest segment's index covers; the scan behind it adds the rest, and
   * overrules what the file says about it.
   */
  private void startEpochs(
      List<Long> bases,
      Optional<IndexFiles.Loaded> index,
      Optional<PartitionFolder.LogStart> logStart)
      throws IOException {
    long newest = bases.get(bases.size() - 1);
    Optional<EpochHistory> stored = folder.readEpochs();
    EpochHistory found =
        stored.orElseGet(
            () ->
                logStart
                    .map(PartitionFolder.LogStart::last)
                    .filter(last -> last.epoch() > 0)
                    .map(last -> new EpochHistory(List.of(last)))
                    .orElse(EpochHistory.EMPTY));
    long covered = newest + index.map(i -> i.summary().endOffset()).orElse(0);
    if (stored.isEmpty() && covered > bases.get(0)) {
      LOG.warn("{} has no usable epoch file, it is rebuilt from the log", folder.path());
      found = rebuildEpochs(bases, covered, found);
      epochsDirty = true;
    }
    epochs = found.cutTo(covered);
  }

  private EpochHistory rebuildEpochs(List<Long> bases, long end, EpochHistory known)
      throws IOException {
    List<EpochStart> starts = new ArrayList<>(known.cutTo(bases.get(0)).starts());
    int last = starts.isEmpty() ? 0 : starts.get(starts.size() - 1).epoch();
    for (int i = 0; i < bases.size(); i++) {
      long base = bases.get(i);
      long next = i + 1 < bases.size() ? bases.get(i + 1) : end;
      try (Files.Handle handle = files.open(folder.logFile(base), Files.Mode.READ)) {
        BatchScanner scanner = new BatchScanner(folder.logFile(base), handle, handle.size(), CHUNK);
        long at = base;
        while (at < next) {
          Optional<RecordBatch> batch = nextOrSkip(scanner, at, next);
          if (batch.isEmpty()) {
            break;
          }
          at = batch.get().endOffset();
          if (batch.get().epoch() > last) {
            last = batch.get().epoch();
            starts.add(new EpochStart(last, batch.get().baseOffset()));
          }
        }
      }
    }
    return new EpochHistory(List.copyOf(starts));
  }

  /** Scans from the index's end, cuts the torn tail and leaves the file at its true length. */
  private ActiveSegment scanNewest(long base, Optional<IndexFiles.Loaded> index, boolean isClean)
      throws IOException {
    ActiveSegment active =
        index
            .map(loaded -> new ActiveSegment(folder, base, loaded))
            .orElseGet(() -> new ActiveSegment(folder, base));
    // What is behind the length of a proper stop may be anything; what is before it was forced.
    long vouched = clean.filter(c -> c.base() == base).map(CleanMarker.Entry::size).orElse(0L);
    try (Files.Handle handle = files.open(folder.logFile(base), Files.Mode.WRITE)) {
      long length = handle.size();
      BatchScanner scanner = new BatchScanner(folder.logFile(base), handle, length, CHUNK);
      scanner.seek(active.size());
      boolean more = active.size() < length;
      while (more) {
        more = takeNext(scanner, active, active.size() < vouched);
      }
      if (active.size() < length) {
        LOG.info(
            "{} is cut from {} to {} bytes, its last whole batch ends at offset {}",
            folder.logFile(base),
            length,
            active.size(),
            active.endOffset());
        handle.truncate(active.size());
      }
      if (!isClean) {
        handle.force(); // what is reported as durable from here on must be
      }
    }
    return active;
  }

  private boolean takeNext(BatchScanner scanner, ActiveSegment active, boolean isClean)
      throws IOException {
    Optional<RecordBatch> batch;
    try {
      batch = scanner.next();
    } catch (WalException e) {
      refuseCorruption(scanner, active, isClean, e);
      return false;
    }
    if (batch.isEmpty()) {
      return false;
    }
    RecordBatch found = batch.get();
    if (found.baseOffset() != active.endOffset() || found.epoch() < epochs.last()) {
      if (isClean) {
        throw scanner.corrupt("unexpected " + found, active.size());
      }
      return false; // stale bytes of an earlier life (safety rule 10)
    }
    EpochHistory before = epochs;
    epochs = epochs.with(found.epoch(), found.baseOffset());
    epochsDirty |= !epochs.equals(before);
    active.recovered(found);
    return true;
  }

  /** Bytes that are no batch: they end the log, or refuse it. */
  private void refuseCorruption(
      BatchScanner scanner, ActiveSegment active, boolean isClean, WalException error)
      throws IOException {
    TornTail tail = new TornTail(active.size(), active.endOffset(), isClean, flush);
    if (tail.judge(scanner) == TornTail.Verdict.DAMAGED) {
      throw corrupt(
          error.getMessage()
              + ", offset "
              + active.endOffset()
              + ". Valid batches follow or the log was closed properly, so this is no torn write."
              + " Restore the file from a replica or a backup; to give up everything from this"
              + " offset on, cut the file to "
              + active.size()
              + " bytes and remove its index files");
    }
  }

  /** Less than the log start survived (flush policy other than commit): go on at the start. */
  private ActiveSegment restartAt(long logStart, List<Long> bases) throws IOException {
    LOG.warn("{} lost its end, it goes on at its start {}", folder.path(), logStart);
    folder.createSegment(logStart).close();
    for (long base : bases) {
      folder.deleteSegment(base);
    }
    folder.force();
    return new ActiveSegment(folder, logStart);
  }

  private static WalException corrupt(String message) {
    return new WalException(WalException.Kind.CORRUPT, message);
  }
}
