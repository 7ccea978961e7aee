package io.amphora.amqp.link;

import io.amphora.amqp.codec.DeliveryEncoder;
import io.amphora.amqp.codec.Expiry;
import io.amphora.amqp.engine.AmqpEngine;
import io.amphora.amqp.large.BodyReader;
import io.amphora.core.BrokerException;
import io.amphora.core.delivery.Delivery;
import java.util.Optional;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.codec.ReadableBuffer.ByteBufferReader;
import org.apache.qpid.proton.engine.Sender;
import org.jspecify.annotations.Nullable;

/**
 * One delivery whose body is read from the log while it is sent. The engine gets the next piece
 * when it has written all of the one before, so a peer that does not read holds up the reading.
 * Owned by the connection loop.
 */
final class LargeDelivery {

  /** Bytes of a piece. */
  private static final int PIECE = 256 << 10;

  /** The same when the links hold much together. */
  private static final int LEAST_PIECE = 64 << 10;

  /** Pieces that wait for the engine. */
  private static final int AHEAD = 2;

  /** In front of the body there is no more than that (StreamScanner). */
  private static final int LONGEST_HEAD = 1 << 20;

  /** What a step came to. */
  enum Step {
    /** Nothing to do now. */
    NONE,
    /** The engine has more to write. */
    BYTES,
    /** It must not be delivered any more, and was not. */
    EXPIRED,
    /** It cannot be read: see {@link #failure}. Said once. */
    LOST,
    /** The engine has written all of it. */
    DONE
  }

  private final LinkContext context;
  private final Sender link;
  private final DeliveryWriter writer;
  private final Delivery delivery;
  private final BodyReader.Body body;
  private BodyReader reader;
  private int firstPiece = PIECE;
  private org.apache.qpid.proton.engine.@Nullable Delivery out;
  private boolean complete;
  private boolean lost;
  private boolean aborted;

  LargeDelivery(
      LinkContext context,
      Sender link,
      DeliveryWriter writer,
      Delivery delivery,
      BodyReader.Body body) {
    this.context = context;
    this.link = link;
    this.writer = writer;
    this.delivery = delivery;
    this.body = body;
    this.reader = newReader();
  }

  private BodyReader newReader() {
    return new BodyReader(body, context.loop(), context.wake());
  }

  Delivery delivery() {
    return delivery;
  }

  /** Whether this is what the engine knows it as. */
  boolean is(org.apache.qpid.proton.engine.Delivery other) {
    return out == other;
  }

  /** Whether the peer may have got a part of it. */
  boolean hasBegun() {
    return out != null;
  }

  /** Whether the engine counts it as sent: it has used its credit. */
  boolean isComplete() {
    return complete;
  }

  Optional<BrokerException> failure() {
    return reader.failure();
  }

  /** Does what can be done now. */
  Step step() {
    if (lost) {
      return Step.NONE;
    } else if (complete) {
      return afterLast();
    } else if (aborted && out != null) {
      complete = context.engine().abort(out);
      return complete ? Step.BYTES : Step.NONE;
    } else if (reader.failure().isPresent()) {
      lost = true;
      return Step.LOST;
    }
    return out == null ? first() : next(out);
  }

  private Step first() {
    reader.ask(firstPiece, 1);
    if (link.getCredit() <= 0) {
      return Step.NONE;
    }
    byte[] piece = reader.next().orElse(null);
    if (piece == null) {
      return Step.NONE;
    }
    long now = context.loop().nowMillis();
    Optional<Boolean> over = Expiry.isOver(delivery.record(), piece, now);
    if (over.isEmpty() && !reader.isOver() && firstPiece < LONGEST_HEAD) {
      readLongHead();
      return Step.NONE;
    } else if (over.orElse(false)) {
      return Step.EXPIRED;
    }
    out = writer.begin(delivery);
    return send(DeliveryEncoder.join(writer.head(delivery, now), piece));
  }

  /** When the message is over is among its properties, and these are long. */
  private void readLongHead() {
    firstPiece = LONGEST_HEAD;
    reader.close();
    reader = newReader();
    reader.ask(firstPiece, 1);
  }

  private Step next(org.apache.qpid.proton.engine.Delivery current) {
    boolean full = context.memory().isOutgoingFull();
    if (full && current.pending() > 0) {
      return Step.NONE;
    }
    reader.ask(full ? LEAST_PIECE : PIECE, full ? 1 : AHEAD);
    Optional<byte[]> piece = current.pending() > 0 ? Optional.empty() : reader.next();
    return piece.isPresent() ? send(ByteBufferReader.wrap(piece.get())) : Step.NONE;
  }

  private Step send(ReadableBuffer bytes) {
    link.sendNoCopy(bytes);
    if (reader.isOver()) {
      complete = true;
      // With the last bytes: no empty frame follows.
      link.advance();
    } else {
      reader.ask(PIECE, 1);
    }
    return Step.BYTES;
  }

  private Step afterLast() {
    if (link.getQueued() > 0) {
      return Step.NONE;
    }
    if (writer.isSettled() && out != null) {
      AmqpEngine.forget(out);
    }
    return Step.DONE;
  }

  /** The peer settled it before it had all of it: the rest is not sent. */
  void abort() {
    aborted = true;
    reader.close();
  }

  /** The link ends. */
  void close() {
    reader.close();
    if (out != null && !complete) {
      complete = true;
      context.engine().cut(out);
    }
  }
}
