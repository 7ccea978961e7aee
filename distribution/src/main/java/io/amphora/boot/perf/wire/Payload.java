package io.amphora.boot.perf.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.qpid.proton.codec.ReadableBuffer;

/**
 * A durable message with one data section, encoded once. The first eight bytes of the body are a
 * time in nanoseconds, so that who receives it knows when it was due; the next eight, where there
 * is room, tell this payload's messages from all others.
 */
public final class Payload {

  /** Smallest body, bytes. */
  public static final int MIN_SIZE = Long.BYTES;

  /** From this size on a body says whose it is. */
  public static final int MARKED_SIZE = 2 * Long.BYTES;

  /** The time of a message that is not one of these. */
  static final long NOT_OURS = Long.MIN_VALUE;

  private static final byte[] HEADER = {0x00, 0x53, 0x70, (byte) 0xc0, 0x02, 0x01, 0x41};
  private static final int SHORT_BODY = 256;

  private final byte[] encoded;
  private final int size;
  private final long mark = ThreadLocalRandom.current().nextLong();

  /**
   * @param size bytes of the body, at least {@link #MIN_SIZE}
   */
  public Payload(int size) {
    if (size < MIN_SIZE) {
      throw new IllegalArgumentException("a message needs at least 8 bytes");
    }
    this.size = size;
    byte[] body = new byte[size];
    new Random(1).nextBytes(body);
    if (size >= MARKED_SIZE) {
      ByteBuffer.wrap(body).putLong(Long.BYTES, mark);
    }
    byte[] intro = size < SHORT_BODY ? new byte[] {0x00, 0x53, 0x75, (byte) 0xa0} : wideIntro();
    int length = size < SHORT_BODY ? 1 : Integer.BYTES;
    ByteBuffer all = ByteBuffer.allocate(HEADER.length + intro.length + length + size);
    all.put(HEADER).put(intro);
    if (size < SHORT_BODY) {
      all.put((byte) size);
    } else {
      all.putInt(size);
    }
    encoded = all.put(body).array();
  }

  private static byte[] wideIntro() {
    return "\0Su".concat("\u00b0").getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Bytes of a body. */
  public int size() {
    return size;
  }

  /** A fresh message that carries the time. */
  public ReadableBuffer stamped(long nanos) {
    byte[] copy = encoded.clone();
    ByteBuffer.wrap(copy).putLong(copy.length - size, nanos);
    return ReadableBuffer.ByteBufferReader.wrap(copy);
  }

  /**
   * The time in a received message, whatever sections a broker put before the body.
   *
   * @return {@link #NOT_OURS} for a message that another payload made
   */
  public long stampOf(ReadableBuffer message) {
    if (message.limit() < size) {
      return NOT_OURS;
    }
    message.position(message.limit() - size);
    long stamp = message.getLong();
    return size >= MARKED_SIZE && message.getLong() != mark ? NOT_OURS : stamp;
  }
}
