package io.amphora.wal.disk;

import io.amphora.wal.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The newest segment of a log, the only one that is written. Owned by the disk thread. Its file is
 * closed while the log is idle, and opened again by the next write.
 */
final class ActiveSegment {

  /** A position is an int32, and so is an offset relative to the base. */
  static final int MAX_BYTES = Integer.MAX_VALUE - (1 << 20);

  private static final int INDEX_INTERVAL = 4 << 10;
  private static final int FIRST_PREALLOCATION = 64 << 10;
  private static final int MIN_STEP = 1 << 20;
  private static final int MAX_STEP = 16 << 20;

  private final PartitionFolder folder;
  private final long base;
  private Files.@Nullable Handle handle;
  private SegmentIndex index;
  private int size;
  private int writtenTo;
  private long allocated;
  private int lastIndexed = -INDEX_INTERVAL;
  private long endOffset;
  private long firstTime = Long.MAX_VALUE;
  private long maxTime = Long.MIN_VALUE;
  private int checkpoint;

  /** An empty segment. */
  ActiveSegment(PartitionFolder folder, long base) {
    this.folder = folder;
    this.base = base;
    this.endOffset = base;
    this.index = new SegmentIndex(0);
  }

  /** A segment whose index was loaded; batches behind it are added with {@link #recovered}. */
  ActiveSegment(PartitionFolder folder, long base, IndexFiles.Loaded loaded) {
    this.folder = folder;
    this.base = base;
    this.index = loaded.index();
    IndexFiles.Summary summary = loaded.summary();
    this.size = summary.covered();
    this.writtenTo = size;
    this.allocated = size;
    this.checkpoint = size;
    this.endOffset = base + summary.endOffset();
    this.firstTime = summary.firstTime();
    this.maxTime = summary.maxTime();
    int entries = summary.entries();
    this.lastIndexed = entries == 0 ? -INDEX_INTERVAL : index.position(entries - 1);
  }

  /** Takes over a batch found in the file by recovery. */
  void recovered(RecordBatch batch) {
    onWritten(batch, size);
    writtenTo = size;
    allocated = size;
  }

  /** A batch lies whole in the file, at {@code position}. */
  void onWritten(RecordBatch batch, int position) {
    if (position - lastIndexed >= INDEX_INTERVAL) {
      index.add((int) (batch.baseOffset() - base), position, maxTime);
      lastIndexed = position;
    }
    onStaged(batch);
    maxTime = Math.max(maxTime, batch.maxTimestamp());
    endOffset = batch.endOffset();
    size = position + batch.size();
  }

  /** A batch is about to be written: from the earliest one on the segment ages. */
  void onStaged(RecordBatch batch) {
    firstTime = Math.min(firstTime, batch.firstTimestamp());
  }

  /** Writes bytes behind those written so far; grows the preallocated space ahead of them. */
  void write(ByteBuffer bytes, long segmentBytes, boolean mayPreallocate, ByteBuffer zeros)
      throws IOException {
    Files.Handle file = file();
    int length = bytes.remaining();
    if (mayPreallocate && (long) writtenTo + length > allocated) {
      preallocate(file, (long) writtenTo + length, segmentBytes, zeros);
    }
    file.write(bytes, writtenTo);
    writtenTo += length;
    allocated = Math.max(allocated, writtenTo);
  }

  /**
   * Zero-fills a step that grows with the segment (ADR 0002): a force of bytes that lie in written
   * blocks need not touch the metadata. An idle partition pays nothing for its first batches.
   */
  private void preallocate(Files.Handle file, long needed, long segmentBytes, ByteBuffer zeros)
      throws IOException {
    if (needed < FIRST_PREALLOCATION) {
      return;
    }
    long step = Math.max(MIN_STEP, Math.min(MAX_STEP, Long.highestOneBit(needed)));
    long target = Math.min(needed + step, segmentBytes);
    try {
      for (long at = Math.max(allocated, writtenTo); at < target; ) {
        zeros.clear();
        zeros.limit((int) Math.min(zeros.capacity(), target - at));
        int length = zeros.remaining();
        file.write(zeros, at);
        at += length;
        allocated = at;
      }
    } catch (Files.DiskFullException e) {
      file.truncate(writtenTo); // go on without: the room is better used for batches
      allocated = writtenTo;
    }
  }

  /** Cuts what was written of a batch that did not fit on the disk, durably. */
  void cutBack(int position) throws IOException {
    Files.Handle file = file();
    file.truncate(position);
    file.force();
    writtenTo = position;
    allocated = position;
  }

  /** The open file. */
  Files.Handle file() throws IOException {
    Files.Handle open = handle;
    if (open == null) {
      open = folder.files().open(folder.logFile(base), Files.Mode.WRITE);
      handle = open;
    }
    return open;
  }

  /** Takes over a file that was just made. */
  void adopt(Files.Handle created) {
    handle = created;
  }

  /** Gives back preallocated space and closes the file. */
  void release() throws IOException {
    Files.Handle open = handle;
    if (open != null) {
      handle = null;
      try (open) {
        cutPreallocated(open);
      }
    }
  }

  /** Closes the file as it is. */
  void abandon() {
    Files.Handle open = handle;
    handle = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // the log is given up already; the operating system takes the descriptor back
      }
    }
  }

  private void cutPreallocated(Files.Handle open) throws IOException {
    if (allocated > writtenTo) { // which is behind the last batch while a large one is copied
      open.truncate(writtenTo);
      allocated = writtenTo;
    }
  }

  /**
   * Forces the file at its true length and stores its index, so that recovery starts here. The
   * caller forces the directory.
   *
   * @param cut give back preallocated space as well
   */
  void checkpoint(boolean cut) throws IOException {
    Files.Handle file = file();
    if (cut) {
      cutPreallocated(file);
    }
    file.force();
    storeIndex();
  }

  /** Stores the index when there is room; without it recovery scans the segment. */
  void storeIndexIfRoom() throws IOException {
    try {
      storeIndex();
    } catch (Files.DiskFullException e) {
      folder.deleteIndex(base);
    }
  }

  private void storeIndex() throws IOException {
    int relativeEnd = (int) (endOffset - base);
    IndexFiles.Summary summary =
        new IndexFiles.Summary(index.size(), size, relativeEnd, firstTime, maxTime);
    IndexFiles.store(folder.files(), folder, base, new IndexFiles.Loaded(index, summary));
    checkpoint = size;
  }

  /** Bounds what recovery has to scan, at a cost that stays small beside the data. */
  boolean needsCheckpoint() {
    return size - checkpoint >= Math.max(MAX_STEP, size / 4);
  }

  /** Whether a scan of what the stored index does not cover would take long. */
  boolean isWorthIndexing() {
    return size - checkpoint >= MIN_STEP;
  }

  /** True when the batch must go to a new segment. */
  boolean isFullFor(RecordBatch batch, int position, long maxBytes, long maxMillis) {
    if (position == 0) {
      return false;
    }
    return ageAt(batch.maxTimestamp()) >= maxMillis
        || position + (long) batch.size() > Math.min(maxBytes, MAX_BYTES)
        || batch.endOffset() - base > Integer.MAX_VALUE;
  }

  /** Saturates: a clock may have jumped anywhere. */
  private long ageAt(long time) {
    long age = time - firstTime;
    boolean overflow = ((time ^ firstTime) & (time ^ age)) < 0;
    return overflow ? (time > firstTime ? Long.MAX_VALUE : 0) : age;
  }

  /** Snapshot for readers and for the list of closed segments. */
  Segment snapshot() {
    return new Segment(base, endOffset, size, firstTime, maxTime, Optional.of(index));
  }

  long base() {
    return base;
  }

  long endOffset() {
    return endOffset;
  }

  int size() {
    return size;
  }

  int writtenTo() {
    return writtenTo;
  }
}
