package io.amphora.core.replication;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The promises of all partitions of a node as one document (docs/safety-rules.md, "Cost"): magic,
 * version, count, then 44 bytes a partition, then a CRC-32C of all before it.
 */
public final class ReplicaStatesCodec {

  private static final int MAGIC = 0x414D5052; // "AMPR"
  private static final int VERSION = 1;
  private static final int HEADER = 12;
  private static final int ENTRY = 16 + 4 + 4 + 16 + 4;
  private static final int CRC = 4;

  private ReplicaStatesCodec() {}

  /** Encodes all states. */
  public static byte[] encode(Map<ReplicaKey, ReplicaState> states) {
    ByteBuffer out = ByteBuffer.allocate(HEADER + states.size() * ENTRY + CRC);
    out.putInt(MAGIC).putInt(VERSION).putInt(states.size());
    states.forEach(
        (key, state) -> {
          putUuid(out, key.topicId());
          out.putInt(key.partition()).putInt(state.promised());
          putUuid(out, state.electionId());
          out.putInt(state.led());
        });
    out.putInt(crc(out.array(), out.position()));
    return out.array();
  }

  /**
   * Decodes the document.
   *
   * @throws IllegalArgumentException when it is damaged or of another version
   */
  public static Map<ReplicaKey, ReplicaState> decode(byte[] document) {
    ByteBuffer in = ByteBuffer.wrap(document);
    if (document.length < HEADER + CRC || in.getInt() != MAGIC) {
      throw new IllegalArgumentException("not a document of promises");
    }
    if (in.getInt(document.length - CRC) != crc(document, document.length - CRC)) {
      throw new IllegalArgumentException("the document of promises is damaged");
    }
    int version = in.getInt();
    int count = in.getInt();
    if (version != VERSION || document.length != HEADER + (long) count * ENTRY + CRC) {
      throw new IllegalArgumentException("the document of promises has version " + version);
    }
    Map<ReplicaKey, ReplicaState> states = new HashMap<>();
    for (int i = 0; i < count; i++) {
      ReplicaKey key = new ReplicaKey(uuid(in), in.getInt());
      ReplicaState state = new ReplicaState(in.getInt(), uuid(in), in.getInt());
      if (!isPossible(key, state) || states.put(key, state) != null) {
        throw new IllegalArgumentException("the document of promises has an impossible entry");
      }
    }
    return states;
  }

  /** Nobody leads an epoch that was not promised to it (safety rule 4). */
  private static boolean isPossible(ReplicaKey key, ReplicaState state) {
    return key.partition() >= 0 && state.led() >= 0 && state.led() <= state.promised();
  }

  private static void putUuid(ByteBuffer out, UUID id) {
    out.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
  }

  private static UUID uuid(ByteBuffer in) {
    return new UUID(in.getLong(), in.getLong());
  }

  private static int crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
