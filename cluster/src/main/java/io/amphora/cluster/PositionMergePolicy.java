package io.amphora.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.merge.MergingValue;
import com.hazelcast.spi.merge.SplitBrainMergePolicy;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionMerge;
import org.jspecify.annotations.Nullable;

/**
 * What happens to positions when two halves of a cluster meet again: the same merge as for every
 * other write (safety rule 16). Typed {@link MergingValue}: a policy typed for maps would need
 * statistics per entry.
 */
public final class PositionMergePolicy
    implements SplitBrainMergePolicy<Position, MergingValue<Position>, Position>,
        IdentifiedDataSerializable {
  @Override
  public Position merge(MergingValue<Position> merging, @Nullable MergingValue<Position> existing) {
    Position incoming = merging.getDeserializedValue();
    return existing == null
        ? incoming
        : PositionMerge.merge(existing.getDeserializedValue(), incoming);
  }

  @Override
  public int getFactoryId() {
    return SerialIds.FACTORY;
  }

  @Override
  public int getClassId() {
    return SerialIds.POSITION_MERGE_POLICY;
  }

  @Override
  public void writeData(ObjectDataOutput out) {}

  @Override
  public void readData(ObjectDataInput in) {}
}
