package io.amphora.core.node;

import io.amphora.core.FaultHandler;
import io.amphora.core.Loop;
import io.amphora.core.PositionStore;
import io.amphora.core.Reply;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.Topology;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** What delivery needs of its node. */
public interface NodeServices {

  /** The control loop. */
  Loop control();

  /** The loops that partitions are spread over. */
  List<Loop> loops();

  /** The latest topology; a volatile read. */
  Topology topology();

  /** A partition hosted here, when there is one. Any thread. */
  Optional<PartitionRef> partition(TopicInfo topic, int partition);

  /** The loop that owns a partition; the same for ever while the node runs. */
  Loop loopOf(UUID topicId, int partition);

  /**
   * Creates a group durably in the topology, or finds the existing one of that name (its own id and
   * mode count then). Call on the control loop; answered there.
   */
  void ensureGroup(GroupInfo wanted, Consumer<Reply<GroupInfo>> done);

  /** Removes a group from the topology; answered on the control loop. */
  void removeGroup(String name, Consumer<Reply<String>> done);

  PositionStore positionStore();

  CoreOptions options();

  FaultHandler faults();
}
