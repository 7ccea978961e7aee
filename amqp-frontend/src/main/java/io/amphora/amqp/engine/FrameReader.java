package io.amphora.amqp.engine;

import io.amphora.amqp.codec.LoopCodec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.transport.AmqpError;
import org.apache.qpid.proton.amqp.transport.EmptyFrame;
import org.apache.qpid.proton.amqp.transport.FrameBody;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.engine.TransportConditionException;
import org.apache.qpid.proton.engine.TransportException;
import org.apache.qpid.proton.engine.impl.FrameHandler;
import org.apache.qpid.proton.framing.TransportFrame;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what comes behind the AMQP header into frames and decodes them (part 2, section 2.3). The
 * parser of the stock engine keeps a buffer of the largest frame for each connection; this one
 * decodes where the bytes lie and keeps what came of an unfinished frame only. Owned by the
 * connection loop.
 */
final class FrameReader {

  /** Size, data offset, type, channel. */
  private static final int HEADER = 8;

  private static final int SIZE = Integer.BYTES;
  private static final byte[] NOTHING = new byte[0];

  private final int maxFrameSize;
  private final FrameHandler handler;

  /** The beginning of a frame that is not complete. */
  private byte[] begun = NOTHING;

  private int held;
  private boolean ended;

  FrameReader(int maxFrameSize, FrameHandler handler) {
    this.maxFrameSize = maxFrameSize;
    this.handler = handler;
  }

  /**
   * Takes all bytes; those behind the end of the connection are dropped.
   *
   * @throws TransportException when the engine does not take a frame
   */
  void read(ByteBuffer in) {
    while (!ended && in.hasRemaining()) {
      next(in);
    }
    in.position(in.limit());
  }

  private void next(ByteBuffer in) {
    if (held == 0 && in.remaining() >= SIZE) {
      int size = in.getInt(in.position());
      if (isLegal(size) && in.remaining() >= size) {
        ByteBuffer frame = in.slice(in.position(), size);
        in.position(in.position() + size);
        onFrame(frame);
        return;
      }
    }
    if (!collect(in, SIZE)) {
      return;
    }
    int size = ByteBuffer.wrap(begun).getInt();
    if (!isLegal(size)) {
      fail(new TransportException("a frame of %d bytes; 8 to %d are legal", size, maxFrameSize));
    } else if (collect(in, size)) {
      ByteBuffer frame = ByteBuffer.wrap(begun, 0, size);
      begun = NOTHING;
      held = 0;
      onFrame(frame);
    }
  }

  private boolean isLegal(int size) {
    return size >= HEADER && size <= maxFrameSize;
  }

  /** Takes bytes until so many are held; the array grows with what really comes. */
  private boolean collect(ByteBuffer in, int wanted) {
    int count = Math.max(0, Math.min(wanted - held, in.remaining()));
    if (held + count > begun.length) {
      int length = Math.min(wanted, Math.max(held + count, 2 * begun.length));
      begun = Arrays.copyOf(begun, length);
    }
    in.get(begun, held, count);
    held += count;
    return held >= wanted;
  }

  /**
   * @param frame all of one frame, and nothing behind it
   */
  private void onFrame(ByteBuffer frame) {
    int bodyStart = (frame.get(SIZE) & 0xFF) * 4;
    int type = frame.get(SIZE + 1) & 0xFF;
    if (bodyStart < HEADER || bodyStart > frame.limit()) {
      fail(new TransportException("a frame of %d bytes, body at %d", frame.limit(), bodyStart));
    } else if (type != 0) {
      fail(new TransportException("a frame of type %d", type));
    } else {
      int channel = frame.getShort(SIZE + 2) & 0xFFFF;
      TransportFrame decoded = decode(channel, frame.position(bodyStart));
      if (decoded != null) {
        onDecoded(decoded);
      }
    }
  }

  private void onDecoded(TransportFrame frame) {
    ended = true; // also when the engine fails on it
    ended = handler.handleFrame(frame);
    if (ended) {
      handler.closed(null);
    }
  }

  /** The frame with its performative; null when it has none that can be read. */
  private @Nullable TransportFrame decode(int channel, ByteBuffer body) {
    if (!body.hasRemaining()) {
      return new TransportFrame(channel, EmptyFrame.INSTANCE, null);
    }
    DecoderImpl decoder = LoopCodec.get().decoder();
    try {
      decoder.setByteBuffer(body);
      if (decoder.readObject() instanceof FrameBody performative) {
        return new TransportFrame(channel, performative, payload(body));
      }
      undecodable("its body is no performative");
    } catch (RuntimeException e) {
      // The state of a decoder that failed is not worth a thought.
      LoopCodec.discard();
      undecodable(String.valueOf(e.getMessage()));
    } finally {
      decoder.setByteBuffer(null);
    }
    return null;
  }

  private static @Nullable Binary payload(ByteBuffer rest) {
    if (!rest.hasRemaining()) {
      return null;
    }
    byte[] bytes = new byte[rest.remaining()];
    rest.get(bytes);
    return new Binary(bytes);
  }

  private void undecodable(String why) {
    fail(
        new TransportConditionException(
            "a frame that cannot be read: " + why, AmqpError.DECODE_ERROR));
  }

  private void fail(TransportException why) {
    ended = true;
    handler.closed(why);
  }
}
