package io.amphora.wal.disk;

import io.amphora.wal.LogListener;
import io.amphora.wal.LogName;
import io.amphora.wal.LogState;
import io.amphora.wal.OpenRequest;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import io.amphora.wal.WalOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One open log: closed segments and the active one. Owned by the disk thread; other threads see the
 * {@link LogView} it publishes. What is queued is written, then forced, then reported: {@link
 * #enqueue}, {@link #writePending}, {@link #onForced}, {@link #report}.
 */
final class SegmentedLog {

  private static final Logger LOG = LoggerFactory.getLogger(SegmentedLog.class);

  /** Whether the log can be used. */
  enum Status {
    /** It can. */
    OPEN,
    /** An error that cannot be explained ended it. */
    FAILED,
    /** It was closed or deleted. */
    CLOSED
  }

  private final LogName name;
  private final PartitionFolder folder;
  private final DiskTools tools;
  private final Owner owner;
  private final LogListener listener;
  private final AppendQueue queue;
  private WalOptions options;
  private List<Segment> closed;
  private long closedBytes;
  private ActiveSegment active;
  private EpochHistory epochs;
  private boolean epochsDirty;
  private long logStart;
  private long durableEnd;
  private long nextOffset;
  private int nextEpoch;
  private boolean rejecting;
  private long unforcedSince;
  private long generation;
  private volatile Status status = Status.OPEN;
  private volatile LogView view;

  SegmentedLog(PartitionFolder folder, DiskTools tools, OpenRequest request, RecoveredLog found) {
    this.name = request.name();
    this.folder = folder;
    this.tools = tools;
    this.owner = new Owner(request.owner());
    this.listener = request.listener();
    this.queue = new AppendQueue(this, tools);
    this.options = request.options();
    this.closed = found.closed();
    this.closedBytes = closed.stream().mapToLong(Segment::size).sum();
    this.active = found.active();
    this.epochs = found.epochs();
    this.epochsDirty = found.epochsDirty();
    this.logStart = found.logStart();
    this.durableEnd = active.endOffset();
    this.nextOffset = active.endOffset();
    this.nextEpoch = epochs.last();
    this.view = snapshot();
  }

  // ---- append

  /** Takes a batch for the next write. Batches that follow a rejected one are dropped. */
  void enqueue(RecordBatch batch) {
    if (status != Status.OPEN || (rejecting && batch.baseOffset() != nextOffset)) {
      AppendQueue.discard(batch);
      return;
    }
    if (batch.baseOffset() != nextOffset || batch.epoch() < nextEpoch) {
      AppendQueue.discard(batch);
      fail(
          new IOException(
              batch + " does not follow offset " + nextOffset + " of epoch " + nextEpoch));
      return;
    }
    rejecting = false;
    nextOffset = batch.endOffset();
    nextEpoch = batch.epoch();
    queue.add(batch);
  }

  /** Writes what was taken, as much of it as one round may hold. */
  void writePending(long nowNanos) {
    if (queue.isEmpty()) {
      return;
    }
    boolean wasForced = isForced();
    tools.openFiles().touch(this);
    try {
      queue.write();
    } catch (Files.DiskFullException e) {
      tools.meter().onDiskFull();
      reject(WalException.Kind.DISK_FULL, "no space left to append to " + folder.path(), e);
    } catch (SpoolCopy.UnusableException e) {
      reject(WalException.Kind.IO, "a large message is lost: " + e.getMessage(), e);
    } catch (IOException | IllegalStateException e) {
      fail(e);
    }
    if (wasForced) {
      unforcedSince = nowNanos;
    }
  }

  /** Whether the next round has something left to write. */
  boolean hasPending() {
    return !queue.isEmpty();
  }

  /** Whether a batch at this position must go to a new segment. */
  boolean isFullFor(RecordBatch batch, int position) {
    return active.isFullFor(batch, position, options.segmentBytes(), options.segmentMillis());
  }

  /**
   * Writes bytes behind those written so far.
   *
   * @param preallocate whether growing ahead pays: not for a copy, which fills what it grows
   */
  void writeActive(ByteBuffer bytes, boolean preallocate) throws IOException {
    boolean may = preallocate && !tools.meter().isLow();
    active.write(bytes, options.segmentBytes(), may, tools.zeros());
  }

  /** A batch lies whole in the file. */
  void onWritten(RecordBatch batch, int position) {
    EpochHistory before = epochs;
    epochs = epochs.with(batch.epoch(), batch.baseOffset());
    epochsDirty |= !epochs.equals(before);
    active.onWritten(batch, position);
  }

  /** Cut the partial write, refuse what is queued, and wait for the owner to go on. */
  private void reject(WalException.Kind kind, String what, IOException error) {
    try {
      OptionalInt unfinished = queue.firstUnfinished();
      if (unfinished.isPresent()) {
        active.cutBack(unfinished.getAsInt());
        durableEnd = active.endOffset();
      }
    } catch (IOException e) {
      fail(e);
      return;
    }
    queue.clear();
    rejecting = true;
    nextOffset = active.endOffset();
    nextEpoch = epochs.last();
    long from = nextOffset;
    WalException reason = new WalException(kind, what, error);
    LOG.warn("[{}] appends from offset {} are refused: {}", name, from, what);
    owner.post(() -> listener.onRejected(from, reason));
  }

  /** Closes the active segment and starts the next one at its end. */
  void roll() throws IOException {
    persistEpochs();
    active.checkpoint(true);
    folder.force();
    ActiveSegment next = new ActiveSegment(folder, active.endOffset());
    next.adopt(folder.createSegment(next.base()));
    List<Segment> more = new ArrayList<>(closed);
    more.add(active.snapshot().closed());
    active.abandon();
    closedBytes += active.size();
    closed = List.copyOf(more);
    active = next;
    durableEnd = next.endOffset();
    tools.openFiles().touch(this);
    tools.meter().checkSpace();
  }

  // ---- force and report

  boolean isForced() {
    return durableEnd == active.endOffset();
  }

  /** Nanoseconds until the file must be forced; Long.MAX_VALUE when it need not be. */
  long nanosUntilForce(long nowNanos) {
    if (status != Status.OPEN || (isForced() && !queue.isStepUnforced())) {
      return Long.MAX_VALUE;
    }
    return switch (options.flush()) {
      case COMMIT -> 0;
      case INTERVAL ->
          Math.max(0, options.flushIntervalMillis() * 1_000_000L - (nowNanos - unforcedSince));
      case OS -> Long.MAX_VALUE;
    };
  }

  Files.Handle fileToForce() throws IOException {
    return active.file();
  }

  /** The file was forced and holds all that was written. */
  void onForced() {
    if (status != Status.OPEN) {
      return;
    }
    queue.onForced();
    durableEnd = active.endOffset();
    if (active.needsCheckpoint()) {
      try {
        persistEpochs();
        active.checkpoint(false);
        folder.force();
      } catch (Files.DiskFullException e) {
        LOG.debug("[{}] no room for a checkpoint, tried again later", name, e);
      } catch (IOException e) {
        fail(e);
      }
    }
  }

  /** Forces now, outside a round. */
  void forceNow() throws IOException {
    if (!isForced()) {
      active.file().force();
      durableEnd = active.endOffset();
    }
  }

  private void persistEpochs() throws IOException {
    if (epochsDirty) {
      folder.writeEpochs(epochs);
      epochsDirty = false;
    }
  }

  /** Publishes where the log stands and tells the owner when that changed. */
  void report() {
    LogState before = view.state();
    view = snapshot();
    LogState now = view.state();
    if (!now.equals(before) && status == Status.OPEN) {
      owner.post(() -> listener.onProgress(now));
    }
  }

  private LogView snapshot() {
    Segment newest = active.snapshot();
    LogState state =
        new LogState(
            logStart,
            active.endOffset(),
            durableEnd,
            epochs.last(),
            closedBytes + newest.size(),
            closed.size() + 1);
    return new LogView(closed, newest, state, epochs.starts(), generation);
  }

  // ---- the ends

  /** The log is unusable from now on. A force that failed is not tried again (house rule 6). */
  void fail(Exception cause) {
    if (status != Status.OPEN) {
      return;
    }
    status = Status.FAILED;
    drop();
    WalException error =
        new WalException(
            WalException.Kind.IO,
            "log "
                + folder.path()
                + " failed and is not used any more; check the disk, then restart: "
                + cause.getMessage(),
            cause);
    owner.post(() -> listener.onFailure(error));
    tools.onFault().accept(error);
  }

  private void drop() {
    queue.clear();
    active.abandon();
    tools.openFiles().forget(this);
  }

  void releaseFile() throws IOException {
    active.release();
  }

  /** Forces everything and closes the file; true when a restart need not scan. */
  boolean close() {
    if (status != Status.OPEN) {
      return false;
    }
    try {
      if (active.isWorthIndexing()) {
        persistEpochs();
        active.checkpoint(true);
        folder.force();
        durableEnd = active.endOffset();
      } else {
        forceNow(); // scanned by the next start: six forces a log would make the stop of many slow
      }
      active.release();
      view = snapshot();
      status = Status.CLOSED;
      tools.openFiles().forget(this);
      return true;
    } catch (Files.DiskFullException e) {
      LOG.warn("[{}] no room for its index, the next start scans the log", name, e);
      status = Status.CLOSED;
      drop();
      return false;
    } catch (IOException e) {
      fail(e);
      return false;
    }
  }

  /** The folder goes away; nothing is forced. */
  void closeDeleted() {
    status = Status.CLOSED;
    drop();
  }

  // ---- for LogTrimmer, which takes things away

  /** Moves the log start and forgets the segments below it; their files are gone already. */
  void onTrimmed(long newStart) {
    logStart = newStart;
    List<Segment> kept = closed.stream().filter(segment -> segment.end() > newStart).toList();
    replaceSegments(kept, active);
    EpochHistory shorter = epochs.withoutBefore(newStart);
    epochsDirty |= !shorter.equals(epochs);
    epochs = shorter;
  }

  /** The log ends with this segment now; its file was cut and forced. */
  void onTruncated(List<Segment> left, ActiveSegment end) throws IOException {
    replaceSegments(left, end);
    EpochHistory shorter = epochs.cutTo(end.endOffset());
    epochsDirty |= !shorter.equals(epochs);
    epochs = shorter;
    logStart = Math.min(logStart, end.endOffset());
    durableEnd = end.endOffset();
    nextOffset = end.endOffset();
    nextEpoch = epochs.last();
    rejecting = false;
    tools.openFiles().touch(this);
    try {
      persistEpochs(); // before the index: recovery asks it for the epochs of what that covers
      end.storeIndexIfRoom();
      folder.force();
    } catch (Files.DiskFullException e) {
      LOG.warn("[{}] no room for the epoch file, it is written later", name, e);
    }
  }

  private void replaceSegments(List<Segment> segments, ActiveSegment newest) {
    closed = segments;
    closedBytes = segments.stream().mapToLong(Segment::size).sum();
    active = newest;
    generation++;
  }

  LogName name() {
    return name;
  }

  PartitionFolder folder() {
    return folder;
  }

  Owner owner() {
    return owner;
  }

  ActiveSegment active() {
    return active;
  }

  List<Segment> closedSegments() {
    return closed;
  }

  EpochHistory epochs() {
    return epochs;
  }

  long logStart() {
    return logStart;
  }

  long durableEnd() {
    return durableEnd;
  }

  void configure(WalOptions changed) {
    options = changed;
  }

  /** Readable from any thread. */
  Status status() {
    return status;
  }

  /** Readable from any thread. */
  LogView view() {
    return view;
  }
}
