package io.amphora.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.nio.serialization.StreamSerializer;
import io.amphora.core.position.OffsetRange;
import io.amphora.core.position.Position;
import io.amphora.core.position.Reset;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A position in the live map. A hand-written stream, not Compact: Compact replicates its schema
 * with a blocking call on the first write of a class, which could be an event loop.
 */
final class PositionSerializer implements StreamSerializer<Position> {
  private static final byte FORMAT = 1;

  @Override
  public int getTypeId() {
    return SerialIds.POSITION;
  }

  @Override
  public void write(ObjectDataOutput out, Position position) throws IOException {
    out.writeByte(FORMAT);
    out.writeInt(position.reset().epoch());
    out.writeInt(position.reset().counter());
    out.writeLong(position.committed());
    writeRanges(out, position.done());
    writeRanges(out, position.parked());
    out.writeInt(position.attempts().size());
    for (Map.Entry<Long, Integer> entry : position.attempts().entrySet()) {
      out.writeLong(entry.getKey());
      out.writeInt(entry.getValue());
    }
  }

  private static void writeRanges(ObjectDataOutput out, List<OffsetRange> ranges)
      throws IOException {
    out.writeInt(ranges.size());
    for (OffsetRange range : ranges) {
      out.writeLong(range.from());
      out.writeLong(range.to());
    }
  }

  @Override
  public Position read(ObjectDataInput in) throws IOException {
    byte format = in.readByte();
    if (format != FORMAT) {
      throw new HazelcastSerializationException(
          "position in format " + format + "; this broker reads format " + FORMAT);
    }
    Reset reset = new Reset(in.readInt(), in.readInt());
    long committed = in.readLong();
    List<OffsetRange> done = readRanges(in);
    List<OffsetRange> parked = readRanges(in);
    Map<Long, Integer> attempts = new HashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      attempts.put(in.readLong(), in.readInt());
    }
    return new Position(reset, committed, done, Map.copyOf(attempts), parked);
  }

  private static List<OffsetRange> readRanges(ObjectDataInput in) throws IOException {
    List<OffsetRange> ranges = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      ranges.add(new OffsetRange(in.readLong(), in.readLong()));
    }
    return List.copyOf(ranges);
  }
}
