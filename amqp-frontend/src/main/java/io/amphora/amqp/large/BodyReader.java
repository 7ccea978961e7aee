package io.amphora.amqp.large;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.partition.BodyRequest;
import io.amphora.core.partition.PartitionRef;
import java.util.ArrayDeque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of one stored message piece by piece, no further ahead than it is told. One read
 * at a time. Owned by the connection loop.
 */
public final class BodyReader {

  /** Too many reads wait for the disk: fewer do after this. */
  private static final long BUSY_NANOS = 5_000_000;

  private final PartitionRef partition;
  private final long offset;
  private final long length;
  private final Loop loop;
  private final Runnable changed;
  private final ArrayDeque<byte[]> ready = new ArrayDeque<>();
  private @Nullable BrokerException failure;
  private long asked;
  private long taken;
  private boolean reading;
  private boolean closed;

  /** The body of a record. */
  public record Body(PartitionRef partition, long offset, long length) {}

  /**
   * @param changed called on the loop when there is a piece more, or a failure
   */
  public BodyReader(Body body, Loop loop, Runnable changed) {
    this.partition = body.partition();
    this.offset = body.offset();
    this.length = body.length();
    this.loop = loop;
    this.changed = changed;
  }

  /**
   * Reads the next piece, unless there are enough, or a read is on its way.
   *
   * @param bytes size of the piece
   * @param ahead pieces that may wait
   */
  public void ask(int bytes, int ahead) {
    boolean more = asked < length && ready.size() < ahead;
    if (more && !reading && !closed && failure == null) {
      read((int) Math.min(bytes, length - asked));
    }
  }

  private void read(int bytes) {
    reading = true;
    BodyRequest request = new BodyRequest(offset, asked, bytes);
    partition.readBody(request, loop, reply -> onPiece(bytes, reply));
  }

  private void onPiece(int wanted, Reply<byte[]> reply) {
    if (closed) {
      return;
    }
    if (reply instanceof Reply.Failed<byte[]> failed
        && failed.error().code() == ErrorCode.RESOURCE_LIMIT) {
      loop.schedule(BUSY_NANOS, () -> again(wanted));
      return;
    }
    reading = false;
    if (reply instanceof Reply.Failed<byte[]> failed) {
      failure = failed.error();
    } else {
      onPiece(wanted, reply.orThrow());
    }
    changed.run();
  }

  private void onPiece(int wanted, byte[] piece) {
    if (piece.length == wanted) {
      asked += wanted;
      ready.add(piece);
    } else {
      failure =
          new BrokerException(
              ErrorCode.INTERNAL,
              "asked for " + wanted + " bytes of a body and got " + piece.length);
    }
  }

  private void again(int wanted) {
    if (!closed) {
      read(wanted);
    }
  }

  /** The next piece, when it is there. */
  public Optional<byte[]> next() {
    byte[] piece = ready.poll();
    if (piece != null) {
      taken += piece.length;
    }
    return Optional.ofNullable(piece);
  }

  /** Whether {@link #next} gave all of it. */
  public boolean isOver() {
    return taken == length;
  }

  /** Why there will be no more. */
  public Optional<BrokerException> failure() {
    return Optional.ofNullable(failure);
  }

  /** Nothing more is wanted. */
  public void close() {
    closed = true;
    ready.clear();
  }
}
