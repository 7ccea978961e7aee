package io.amphora.core.partition;

import io.amphora.core.BrokerException;

/** What the node is told of a partition's role; called on the partition loop. */
public interface PartitionEvents {

  /** Leads, and the epoch start is committed: the partition is of use. */
  void onLeading(PartitionSetup partition, int epoch);

  /** The log broke; the partition is closed until the node is started again. */
  void onBroken(PartitionSetup partition, BrokerException reason);
}
