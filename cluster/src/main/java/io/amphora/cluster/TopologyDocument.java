package io.amphora.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.Objects;

/** The encoded topology in the cache map, with what orders it: (term, version), safety rule 9. */
public final class TopologyDocument implements IdentifiedDataSerializable {
  private long term;
  private long version;
  private byte[] bytes;

  public TopologyDocument() {
    this(0, 0, new byte[0]);
  }

  TopologyDocument(long term, long version, byte[] bytes) {
    this.term = term;
    this.version = version;
    this.bytes = bytes;
  }

  /** The one with the higher (term, version); the first when they are equal. */
  static TopologyDocument newer(TopologyDocument one, TopologyDocument other) {
    int byTerm = Long.compare(other.term, one.term);
    int order = byTerm != 0 ? byTerm : Long.compare(other.version, one.version);
    return order > 0 ? other : one;
  }

  long term() {
    return term;
  }

  long version() {
    return version;
  }

  byte[] bytes() {
    return bytes;
  }

  @Override
  public int getFactoryId() {
    return SerialIds.FACTORY;
  }

  @Override
  public int getClassId() {
    return SerialIds.TOPOLOGY_DOCUMENT;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeLong(term);
    out.writeLong(version);
    out.writeByteArray(bytes);
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    term = in.readLong();
    version = in.readLong();
    bytes = Objects.requireNonNull(in.readByteArray(), "topology bytes");
  }
}
