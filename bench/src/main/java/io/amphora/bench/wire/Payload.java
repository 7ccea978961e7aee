package io.amphora.bench.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.qpid.proton.codec.ReadableBuffer;

/**
 * A durable message with one data section, encoded once. The first eight bytes of the body are a
 * time in nanoseconds, so that who receives it knows when it was due.
 */
public final class Payload {

  private static final byte[] HEADER = {0x00, 0x53, 0x70, (byte) 0xc0, 0x02, 0x01, 0x41};

  private final byte[] encoded;
  private final int size;

  /**
   * @param size bytes of the body, at least 8
   */
  public Payload(int size) {
    if (size < Long.BYTES) {
      throw new IllegalArgumentException("a message needs at least 8 bytes");
    }
    this.size = size;
    byte[] body = new byte[size];
    new Random(1).nextBytes(body);
    byte[] intro = size < 256 ? new byte[] {0x00, 0x53, 0x75, (byte) 0xa0} : wideIntro();
    ByteBuffer all =
        ByteBuffer.allocate(HEADER.length + intro.length + (size < 256 ? 1 : Integer.BYTES) + size);
    all.put(HEADER).put(intro);
    if (size < 256) {
      all.put((byte) size);
    } else {
      all.putInt(size);
    }
    encoded = all.put(body).array();
  }

  private static byte[] wideIntro() {
    return "\0Su".concat("\u00b0").getBytes(StandardCharsets.ISO_8859_1);
  }

  /** A fresh message that carries the time. */
  public ReadableBuffer stamped(long nanos) {
    byte[] copy = encoded.clone();
    ByteBuffer.wrap(copy).putLong(copy.length - size, nanos);
    return ReadableBuffer.ByteBufferReader.wrap(copy);
  }

  /** The time in a received message, whatever sections a broker put before the body. */
  public long stampOf(ReadableBuffer message) {
    message.position(message.limit() - size);
    return message.getLong();
  }
}
