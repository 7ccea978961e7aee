package io.amphora.amqp.filter;

import java.nio.charset.StandardCharsets;

/**
 * What a batch keeps of who sent it (docs/protocol.md, producer id): a hash of the container-id of
 * the connection, from 0. FNV-1a with 64 bits; the top bit is cleared. Pure.
 */
public final class SenderMark {

  /** Nobody, or not known. */
  public static final long NONE = -1;

  private static final long BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private SenderMark() {}

  /** The mark of a container; {@link #NONE} for one without a name. */
  public static long of(String containerId) {
    if (containerId.isEmpty()) {
      return NONE;
    }
    long hash = BASIS;
    for (byte each : containerId.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (each & 0xFF)) * PRIME;
    }
    return hash & Long.MAX_VALUE;
  }
}
