package io.amphora.amqp.link;

import java.util.Arrays;
import org.apache.qpid.proton.codec.ReadableBuffer;

/** Frames of a message that is not complete yet. */
final class PartialMessage {

  private final LinkMemory memory;
  private byte[] bytes = new byte[0];
  private int size;

  PartialMessage(LinkMemory memory) {
    this.memory = memory;
  }

  int size() {
    return size;
  }

  void add(ReadableBuffer chunk) {
    int more = chunk.remaining();
    if (size + more > bytes.length) {
      int before = bytes.length;
      bytes = Arrays.copyOf(bytes, Math.max(before * 2, size + more));
      memory.unfinished(bytes.length - before);
    }
    chunk.get(bytes, size, more);
    size += more;
  }

  byte[] bytes() {
    return bytes;
  }

  /** False when other links, of any connection, hold too much already. */
  boolean hasRoom() {
    return !memory.isUnfinishedFull(bytes.length);
  }

  void clear() {
    memory.unfinished(-bytes.length);
    bytes = new byte[0];
    size = 0;
  }
}
