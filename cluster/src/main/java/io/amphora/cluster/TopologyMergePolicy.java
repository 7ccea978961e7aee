package io.amphora.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.merge.MergingValue;
import com.hazelcast.spi.merge.SplitBrainMergePolicy;
import org.jspecify.annotations.Nullable;

/** After a split the document with the highest (term, version) stays in the cache. */
public final class TopologyMergePolicy
    implements SplitBrainMergePolicy<
            TopologyDocument, MergingValue<TopologyDocument>, TopologyDocument>,
        IdentifiedDataSerializable {
  @Override
  public TopologyDocument merge(
      MergingValue<TopologyDocument> merging, @Nullable MergingValue<TopologyDocument> existing) {
    TopologyDocument incoming = merging.getDeserializedValue();
    return existing == null
        ? incoming
        : TopologyDocument.newer(existing.getDeserializedValue(), incoming);
  }

  @Override
  public int getFactoryId() {
    return SerialIds.FACTORY;
  }

  @Override
  public int getClassId() {
    return SerialIds.TOPOLOGY_MERGE_POLICY;
  }

  @Override
  public void writeData(ObjectDataOutput out) {}

  @Override
  public void readData(ObjectDataInput in) {}
}
