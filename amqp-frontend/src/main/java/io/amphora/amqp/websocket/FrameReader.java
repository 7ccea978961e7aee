package io.amphora.amqp.websocket;

import io.netty.buffer.ByteBuf;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes a client's bytes out of their WebSocket frames, in place and as they come (RFC 6455 section
 * 5). Netty's own decoder holds a frame until all of it is there; how large that is the client
 * decides, who may not even have logged in. This one holds a head, and what a ping says. Owned by
 * the connection loop.
 */
final class FrameReader {

  /** Longest frame taken, bytes: nobody needs it, as a message may span frames. */
  static final long LIMIT = 1 << 30;

  private static final int LONGEST_HEAD = 14;
  private static final int LONGEST_CONTROL = 125;

  private static final int CONTINUATION = 0;
  private static final int TEXT = 1;
  private static final int BINARY = 2;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;

  /**
   * Why nothing more is read.
   *
   * @param status what to answer, section 7.4.1
   * @param reason for a person, ASCII, at most 123 bytes
   */
  record End(int status, String reason) {}

  static final End NORMAL = new End(1000, "");

  private final byte[] head = new byte[LONGEST_HEAD];
  private int headBytes;
  private int headLength = 2;
  private byte @Nullable [] control;
  private int controlBytes;
  private int opcode;
  private int mask;
  private long left;
  private boolean inFrame;
  private boolean inMessage;
  private byte @Nullable [] ping;
  private @Nullable End end;

  /** Why reading ended; empty while it goes on. */
  Optional<End> end() {
    return Optional.ofNullable(end);
  }

  /** What the newest ping said, once; it is the only one to be answered (section 5.5.3). */
  Optional<byte[]> takePing() {
    byte[] taken = ping;
    ping = null;
    return Optional.ofNullable(taken);
  }

  /** Takes what was read; the buffer then holds only what the frames carried. */
  void read(ByteBuf in) {
    int from = in.readerIndex();
    int to = from;
    int limit = in.writerIndex();
    while (from < limit && end == null) {
      if (inFrame) {
        int count = (int) Math.min(left, limit - from);
        to += body(in, from, to, count);
        from += count;
      } else {
        headByte(in.getByte(from++));
      }
    }
    in.writerIndex(to);
  }

  private void headByte(byte next) {
    head[headBytes++] = next;
    if (headBytes == 2) {
      headLength = 2 + 4 + lengthBytes(head[1] & 0x7f);
      check(head[0] & 0xff, head[1] & 0xff);
    } else if (headBytes == headLength) {
      headBytes = 0;
      begin();
    }
  }

  private static int lengthBytes(int length) {
    return switch (length) {
      case 126 -> Short.BYTES;
      case 127 -> Long.BYTES;
      default -> 0;
    };
  }

  private void check(int first, int second) {
    opcode = first & 0x0f;
    boolean last = (first & 0x80) != 0;
    if ((first & 0x70) != 0) {
      end = new End(1002, "no extension was agreed on");
    } else if ((second & 0x80) == 0) {
      end = new End(1002, "frames of clients are masked"); // section 5.1
    } else {
      switch (opcode) {
        case CONTINUATION, BINARY -> checkMessage(last);
        case CLOSE, PING, PONG -> checkControl(last, second & 0x7f);
        case TEXT -> end = new End(1003, "AMQP goes into binary messages");
        default -> end = new End(1002, "an unknown opcode");
      }
    }
  }

  private void checkMessage(boolean last) {
    if (inMessage != (opcode == CONTINUATION)) {
      end = new End(1002, "continuation without begin, or begin without end");
    }
    inMessage = !last;
  }

  private void checkControl(boolean last, int length) {
    if (!last || length > LONGEST_CONTROL) {
      end = new End(1002, "control frames have 125 bytes at most, in one piece");
    }
  }

  private void begin() {
    int lengthBytes = headLength - 2 - 4;
    long length = lengthBytes == 0 ? head[1] & 0x7f : number(2, lengthBytes);
    mask = (int) number(2 + lengthBytes, 4);
    if (length < 0 || (lengthBytes == 2 && length < 126) || (lengthBytes == 8 && length < 65536)) {
      end = new End(1002, "a length that is not written as it has to be"); // section 5.2
    } else if (length > LIMIT) {
      end = new End(1009, "frames have " + LIMIT + " bytes at most");
    } else {
      left = length;
      control = opcode >= CLOSE ? new byte[(int) length] : null;
      controlBytes = 0;
      inFrame = true;
      endOfFrame();
    }
  }

  private long number(int at, int bytes) {
    long number = 0;
    for (int i = at; i < at + bytes; i++) {
      number = (number << 8) | (head[i] & 0xff);
    }
    return number;
  }

  /** Returns how many bytes of payload it moved to {@code to}. */
  private int body(ByteBuf in, int from, int to, int count) {
    unmask(in, from, to, count);
    left -= count;
    int moved = count;
    if (control != null) {
      in.getBytes(to, control, controlBytes, count);
      controlBytes += count;
      moved = 0;
    }
    endOfFrame();
    return moved;
  }

  /** Section 5.3; eight bytes at a time, forward, because the target is never behind the source. */
  private void unmask(ByteBuf in, int from, int to, int count) {
    long wide = (mask & 0xffffffffL) | (long) mask << 32;
    int at = 0;
    for (; at + Long.BYTES <= count; at += Long.BYTES) {
      in.setLong(to + at, in.getLong(from + at) ^ wide);
    }
    for (; at < count; at++) {
      in.setByte(to + at, in.getByte(from + at) ^ mask >>> (24 - 8 * (at & 3)));
    }
    mask = Integer.rotateLeft(mask, 8 * (count & 3));
  }

  private void endOfFrame() {
    if (left > 0) {
      return;
    }
    inFrame = false;
    headLength = 2;
    if (opcode == PING) {
      ping = control;
    } else if (opcode == CLOSE) {
      end = NORMAL;
    }
    control = null;
  }
}
