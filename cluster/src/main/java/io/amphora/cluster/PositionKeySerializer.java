package io.amphora.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.StreamSerializer;
import io.amphora.core.position.PositionKey;
import java.io.IOException;
import java.util.UUID;

/** A key of the live map. Keys are compared by these bytes: the form must never change. */
final class PositionKeySerializer implements StreamSerializer<PositionKey> {
  @Override
  public int getTypeId() {
    return SerialIds.POSITION_KEY;
  }

  @Override
  public void write(ObjectDataOutput out, PositionKey key) throws IOException {
    writeId(out, key.groupId());
    writeId(out, key.topicId());
    out.writeInt(key.partition());
  }

  private static void writeId(ObjectDataOutput out, UUID id) throws IOException {
    out.writeLong(id.getMostSignificantBits());
    out.writeLong(id.getLeastSignificantBits());
  }

  @Override
  public PositionKey read(ObjectDataInput in) throws IOException {
    return new PositionKey(readId(in), readId(in), in.readInt());
  }

  private static UUID readId(ObjectDataInput in) throws IOException {
    return new UUID(in.readLong(), in.readLong());
  }
}
