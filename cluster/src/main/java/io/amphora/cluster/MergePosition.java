package io.amphora.cluster;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.core.position.PositionMerge;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The only way in which an entry of the positions map changes (safety rule 16). It merges, so it
 * runs on the owner and on the backups, in any order and any number of times, with one result.
 */
final class MergePosition
    implements EntryProcessor<PositionKey, Position, @Nullable Void>, IdentifiedDataSerializable {
  private static final long serialVersionUID = 1L;

  private transient Position incoming;

  MergePosition() {
    this(Position.at(0));
  }

  MergePosition(Position incoming) {
    this.incoming = incoming;
  }

  @Override
  public @Nullable Void process(Map.Entry<PositionKey, Position> entry) {
    @Nullable Position current = entry.getValue();
    Position merged = current == null ? incoming : PositionMerge.merge(current, incoming);
    if (!merged.equals(current)) {
      entry.setValue(merged);
    }
    return null;
  }

  @Override
  public int getFactoryId() {
    return SerialIds.FACTORY;
  }

  @Override
  public int getClassId() {
    return SerialIds.MERGE_POSITION;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeObject(incoming);
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    incoming = in.readObject();
  }
}
