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
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
    chunk.get(bytes, size, more);
    size += more;
    memory.unfinished(more);
  }

  byte[] bytes() {
    return bytes;
  }

  /** False when other links of the connection hold too much already. */
  boolean hasRoom() {
    return !memory.isUnfinishedFull(size);
  }

  void clear() {
    memory.unfinished(-size);
    bytes = new byte[0];
    size = 0;
  }
}
