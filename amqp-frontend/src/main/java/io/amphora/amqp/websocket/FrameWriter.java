package io.amphora.amqp.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;

/**
 * Puts the broker's bytes into WebSocket frames. Clients refuse frames above their own AMQP
 * max-frame-size (conventions 1.7), which is not known here but is no less than 512 (part 2,
 * section 2.7.1): so a WebSocket frame holds one AMQP frame or a part of it, or several within 512
 * bytes. Owned by the connection loop.
 */
final class FrameWriter {

  private static final int BINARY = 0x82;
  private static final int CLOSE = 0x88;
  private static final int PONG = 0x8a;
  private static final int LONGEST_HEAD = 4;

  /** MIN-MAX-FRAME-SIZE. */
  private static final int PACK = 512;

  /** The protonj2 client takes AMQP frames of 65536 bytes, but in WebSocket frames of 65535. */
  private static final int LONGEST = 32 << 10;

  /** Where a frame has its size, a protocol header says AMQP. */
  private static final int PROTOCOL_HEADER = 'A' << 24 | 'M' << 16 | 'Q' << 8 | 'P';

  private int size;
  private int sizeBytes;
  private int left;

  /** The same bytes in frames; may end anywhere in an AMQP frame. */
  ByteBuf write(ByteBuf data, ByteBufAllocator buffers) {
    int length = data.readableBytes();
    ByteBuf out = buffers.buffer(length + LONGEST_HEAD + length / 64);
    int from = data.readerIndex();
    while (from < data.writerIndex()) {
      int to = piece(data, from);
      head(out, BINARY, to - from);
      out.writeBytes(data, from, to - from);
      from = to;
    }
    return out;
  }

  /** The end of what goes into one WebSocket frame. */
  private int piece(ByteBuf data, int from) {
    int end = Math.min(data.writerIndex(), from + LONGEST);
    int at = from;
    while (at < end) {
      if (left == 0 && sizeBytes == 0 && at > from && !fits(data, from, at)) {
        return at;
      }
      if (left == 0) {
        at = size(data, at, end);
      }
      int count = Math.min(left, end - at);
      left -= count;
      at += count;
    }
    return at;
  }

  /** Whether the frame that begins here can go with those before it. */
  private static boolean fits(ByteBuf data, int from, int at) {
    return data.writerIndex() - at >= Integer.BYTES
        && (long) at - from + lengthOf(data.getInt(at)) <= PACK;
  }

  private int size(ByteBuf data, int at, int end) {
    int next = at;
    while (sizeBytes < Integer.BYTES && next < end) {
      size = (size << 8) | (data.getByte(next++) & 0xff);
      sizeBytes++;
    }
    if (sizeBytes == Integer.BYTES) {
      left = lengthOf(size) - Integer.BYTES;
      sizeBytes = 0;
      size = 0;
    }
    return next;
  }

  private static int lengthOf(int size) {
    return size == PROTOCOL_HEADER ? 8 : size;
  }

  private static void head(ByteBuf out, int first, int length) {
    out.writeByte(first);
    if (length <= 125) {
      out.writeByte(length);
    } else {
      out.writeByte(126).writeShort(length);
    }
  }

  static ByteBuf pong(byte[] text, ByteBufAllocator buffers) {
    ByteBuf out = buffers.buffer(LONGEST_HEAD + text.length);
    head(out, PONG, text.length);
    return out.writeBytes(text);
  }

  static ByteBuf close(FrameReader.End end, ByteBufAllocator buffers) {
    byte[] reason = end.reason().getBytes(StandardCharsets.US_ASCII);
    ByteBuf out = buffers.buffer(LONGEST_HEAD + 2 + reason.length);
    head(out, CLOSE, 2 + reason.length);
    return out.writeShort(end.status()).writeBytes(reason);
  }
}
