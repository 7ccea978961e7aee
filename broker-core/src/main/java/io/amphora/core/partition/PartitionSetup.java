package io.amphora.core.partition;

import io.amphora.core.replication.ReplicaKey;
import io.amphora.core.replication.ReplicaSets;
import io.amphora.core.topology.PartitionAssignment.ReplicaId;
import io.amphora.core.topology.TopicInfo;
import io.amphora.wal.LogName;
import io.amphora.wal.WalOptions;

/**
 * What a hosted partition is, fixed while it is hosted.
 *
 * @param topic its topic
 * @param number partition number
 * @param self the copy of the data on this broker
 * @param config replica sets
 */
public record PartitionSetup(TopicInfo topic, int number, ReplicaId self, ReplicaSets config) {

  public ReplicaKey key() {
    return new ReplicaKey(topic.id(), number);
  }

  public LogName logName() {
    return new LogName(topic.name(), number, topic.id());
  }

  /** How its log is kept. */
  public WalOptions walOptions() {
    return new WalOptions(
        topic.config().segmentBytes(),
        topic.config().segmentMillis(),
        topic.config().flush(),
        topic.config().flushIntervalMillis());
  }

  @Override
  public String toString() {
    return topic.name() + "-" + number;
  }
}
