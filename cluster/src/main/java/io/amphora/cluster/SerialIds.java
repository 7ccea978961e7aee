package io.amphora.cluster;

import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;

/**
 * Type ids of everything that this module puts on Hazelcast's wire. Part of the protocol between
 * brokers: never reuse a number.
 */
final class SerialIds implements DataSerializableFactory {
  static final int FACTORY = 1;

  /** Class ids within {@link #FACTORY}. */
  static final int MERGE_POSITION = 1;

  static final int POSITION_MERGE_POLICY = 2;
  static final int PUBLISH_TOPOLOGY = 3;
  static final int TOPOLOGY_MERGE_POLICY = 4;
  static final int TOPOLOGY_DOCUMENT = 5;

  /** Global type ids of stream serializers. */
  static final int POSITION_KEY = 101;

  static final int POSITION = 102;

  @Override
  public IdentifiedDataSerializable create(int classId) {
    return switch (classId) {
      case MERGE_POSITION -> new MergePosition();
      case POSITION_MERGE_POLICY -> new PositionMergePolicy();
      case PUBLISH_TOPOLOGY -> new PublishTopology();
      case TOPOLOGY_MERGE_POLICY -> new TopologyMergePolicy();
      case TOPOLOGY_DOCUMENT -> new TopologyDocument();
      default -> throw new IllegalArgumentException("unknown class id " + classId);
    };
  }
}
