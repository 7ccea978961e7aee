package io.amphora.amqp.large;

import io.amphora.core.Loop;
import io.amphora.wal.Spool;
import io.amphora.wal.WalException;
import io.amphora.wal.WalResult;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes what comes in small pieces to a spool in larger ones, one write at a time. What it holds
 * is bounded by its caller, who is told and stops reading. Owned by one loop.
 */
final class SpoolWriter {

  /** Bytes of one write at most. */
  private static final int PIECE = 128 << 10;

  /** A queue that is full empties within this. */
  private static final long BUSY_NANOS = 5_000_000;

  private final Spool spool;
  private final Loop loop;
  private final LongConsumer pending;
  private final Runnable idle;
  private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
  private @Nullable WalException failure;
  private boolean writing;
  private boolean ended;
  private boolean discarded;

  /**
   * @param pending told by how many bytes that which waits here, or is on its way, changed
   * @param idle called when all is written after {@link #end}, or after a failure
   */
  SpoolWriter(Spool spool, Loop loop, LongConsumer pending, Runnable idle) {
    this.spool = spool;
    this.loop = loop;
    this.pending = pending;
    this.idle = idle;
  }

  private static final class Piece {
    final byte[] bytes = new byte[PIECE];
    int size;
  }

  Spool spool() {
    return spool;
  }

  Optional<WalException> failure() {
    return Optional.ofNullable(failure);
  }

  /** True when all that was added is written, and the end was said. */
  boolean isDone() {
    return ended && pieces.isEmpty() && failure == null && !discarded;
  }

  /** Adds bytes, which are copied. */
  void add(byte[] array, int start, int length) {
    if (failure != null || discarded) {
      return;
    }
    pending.accept(length);
    int at = start;
    int end = start + length;
    while (at < end) {
      Piece last = last();
      int count = Math.min(end - at, last.bytes.length - last.size);
      System.arraycopy(array, at, last.bytes, last.size, count);
      last.size += count;
      at += count;
    }
    writeNext();
  }

  /** A piece with room that is not on its way. */
  private Piece last() {
    Piece last = pieces.peekLast();
    boolean onItsWay = writing && pieces.size() == 1;
    if (last == null || onItsWay || last.size == last.bytes.length) {
      last = new Piece();
      pieces.add(last);
    }
    return last;
  }

  /** Nothing more comes. */
  void end() {
    ended = true;
  }

  /** As much as has come meanwhile: a client with tiny frames does not make tiny writes. */
  private void writeNext() {
    Piece next = pieces.peek();
    if (!writing && next != null) {
      writing = true;
      spool.write(next.bytes, 0, next.size, this::onWritten);
    }
  }

  private void onWritten(WalResult<Long> result) {
    if (discarded) {
      return;
    }
    if (result instanceof WalResult.Failed<Long> failed) {
      if (failed.error().kind() == WalException.Kind.BUSY) {
        loop.schedule(BUSY_NANOS, this::again);
        return;
      }
      failure = failed.error();
      forget();
    } else {
      pending.accept(-pieces.remove().size);
    }
    writing = false;
    writeNext();
    if (failure != null || isDone()) {
      idle.run();
    }
  }

  private void again() {
    if (!discarded) {
      writing = false;
      writeNext();
    }
  }

  private void forget() {
    long waiting = 0;
    for (Piece piece : pieces) {
      waiting += piece.size;
    }
    pieces.clear();
    pending.accept(-waiting);
  }

  /** The message is not wanted any more: nothing of it stays. */
  void discard() {
    if (!discarded) {
      discarded = true;
      forget();
      spool.discard();
    }
  }
}
