package io.amphora.wal.disk;

import io.amphora.wal.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The batches of one log between their arrival and the file. One {@link #write} puts at most a
 * round's worth into the file, and then the round's force must come before the next one: recovery
 * tells a torn write from damage by how much could be unforced (docs/protocol.md, Recovery).
 *
 * <p>A spooled body is copied in steps, one a round, so that other logs get their turn; it ends the
 * round for its log, so nothing lies behind it that was forced with it. Owned by the disk thread.
 */
final class AppendQueue {

  /** Bytes of a spool that one round copies. */
  static final int COPY_STEP = 4 << 20;

  private record Staged(RecordBatch batch, int position) {}

  private final SegmentedLog log;
  private final DiskTools tools;
  private final Deque<RecordBatch> pending = new ArrayDeque<>();
  private final Deque<Staged> staged = new ArrayDeque<>();
  private @Nullable SpoolCopy copy;
  private boolean stepUnforced;

  AppendQueue(SegmentedLog log, DiskTools tools) {
    this.log = log;
    this.tools = tools;
  }

  void add(RecordBatch batch) {
    pending.add(batch);
  }

  boolean isEmpty() {
    return pending.isEmpty();
  }

  /** Whether part of a batch is in the file and not forced. */
  boolean isStepUnforced() {
    return stepUnforced;
  }

  void onForced() {
    stepUnforced = false;
  }

  /** Where the first batch lies that is not wholly in the file; empty when there is none. */
  OptionalInt firstUnfinished() {
    Staged first = staged.peek();
    return first == null ? OptionalInt.empty() : OptionalInt.of(first.position());
  }

  /** Gives everything up, spools included. */
  void clear() {
    pending.forEach(AppendQueue::discard);
    pending.clear();
    staged.clear();
    copy = null;
    stepUnforced = false;
  }

  /** A batch that does not get into the log leaves no spool behind. */
  static void discard(RecordBatch batch) {
    if (batch.spooled().isPresent() && batch.spooled().get() instanceof DiskSpool.Body body) {
      body.file().erase();
    }
  }

  /** Writes what one round may hold, in as few writes as the staging buffer allows. */
  void write() throws IOException {
    tools.staging().clear();
    long bytes = 0;
    while (!pending.isEmpty() && bytes < DiskThread.ROUND_BYTES) {
      RecordBatch next = pending.element();
      if (next.spooled().isPresent()) {
        copyStep(next);
        return;
      }
      place(next);
      pending.remove();
      put(next);
      bytes += next.size();
    }
    flush();
  }

  private void place(RecordBatch batch) throws IOException {
    int position = log.active().writtenTo() + tools.staging().position();
    if (log.isFullFor(batch, position)) {
      flush();
      log.roll();
      position = 0;
    }
    log.active().onStaged(batch);
    staged.add(new Staged(batch, position));
  }

  /** All that is in memory of a batch. */
  private void put(RecordBatch batch) throws IOException {
    ByteBuffer staging = tools.staging();
    int done = 0;
    while (done < batch.heldBytes()) {
      int part = Math.min(staging.remaining(), batch.heldBytes() - done);
      staging.put(batch.array(), batch.arrayStart() + done, part);
      done += part;
      if (!staging.hasRemaining()) {
        flush();
      }
    }
  }

  private void copyStep(RecordBatch batch) throws IOException {
    SpoolCopy running = copy;
    if (running == null) {
      running = begin(batch);
    }
    int left = COPY_STEP;
    while (left > 0 && !running.isDone()) {
      left -= running.fill(tools.staging(), left);
      if (!tools.staging().hasRemaining()) {
        flush();
      }
    }
    flush();
    stepUnforced = !running.isDone();
    if (running.isDone()) {
      copy = null;
      pending.remove();
      discard(batch);
    }
  }

  private SpoolCopy begin(RecordBatch batch) throws IOException {
    if (!(batch.spooled().orElseThrow() instanceof DiskSpool.Body body)) {
      throw new IllegalStateException("the spool of " + batch + " is of another store");
    }
    place(batch);
    put(batch);
    SpoolCopy begun = new SpoolCopy(body);
    copy = begun;
    return begun;
  }

  private void flush() throws IOException {
    ByteBuffer staging = tools.staging();
    if (staging.position() == 0) {
      return;
    }
    staging.flip();
    int length = staging.remaining();
    try {
      log.writeActive(staging, copy == null);
    } finally {
      staging.clear();
    }
    tools.meter().onWritten(length);
    Staged first = staged.peek();
    while (first != null && first.position() + first.batch().size() <= log.active().writtenTo()) {
      staged.remove();
      log.onWritten(first.batch(), first.position());
      first = staged.peek();
    }
  }
}
