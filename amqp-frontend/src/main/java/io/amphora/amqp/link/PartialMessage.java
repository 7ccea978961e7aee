package io.amphora.amqp.link;

import java.util.Arrays;
import org.apache.qpid.proton.codec.ReadableBuffer;

/** Frames of a message that is not complete yet. */
final class PartialMessage {

  private byte[] bytes = new byte[0];
  private int size;

  int size() {
    return size;
  }

  void add(ReadableBuffer chunk) {
    int more = chunk.remaining();
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
    chunk.get(bytes, size, more);
    size += more;
  }

  byte[] bytes() {
    return bytes;
  }

  void clear() {
    bytes = new byte[0];
    size = 0;
  }
}
