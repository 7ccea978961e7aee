package io.amphora.cluster;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a topology document unless a newer one is there: writes may be late or repeated. */
final class PublishTopology
    implements EntryProcessor<String, TopologyDocument, @Nullable Void>,
        IdentifiedDataSerializable {
  private static final long serialVersionUID = 1L;

  private transient TopologyDocument incoming;

  PublishTopology() {
    this(new TopologyDocument());
  }

  PublishTopology(TopologyDocument incoming) {
    this.incoming = incoming;
  }

  @Override
  public @Nullable Void process(Map.Entry<String, TopologyDocument> entry) {
    @Nullable TopologyDocument current = entry.getValue();
    if (current == null || TopologyDocument.newer(current, incoming) == incoming) {
      entry.setValue(incoming);
    }
    return null;
  }

  @Override
  public int getFactoryId() {
    return SerialIds.FACTORY;
  }

  @Override
  public int getClassId() {
    return SerialIds.PUBLISH_TOPOLOGY;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    incoming.writeData(out);
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    incoming = new TopologyDocument();
    incoming.readData(in);
  }
}
