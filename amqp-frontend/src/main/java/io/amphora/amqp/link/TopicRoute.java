package io.amphora.amqp.link;

import io.amphora.core.node.Broker;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.partition.Partitioner;
import io.amphora.core.topology.TopicInfo;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The way from a producer to the partitions of one topic; follows the topology as it changes. Owned
 * by the connection loop.
 */
final class TopicRoute {

  private final Broker broker;
  private final int fixedPartition;
  private final int start = ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);
  private TopicInfo topic;
  private Partitioner partitioner;
  private @Nullable PartitionRef[] refs;

  /**
   * @param fixedPartition the partition the address names, -1 when it names none
   */
  TopicRoute(Broker broker, TopicInfo topic, int fixedPartition) {
    this.broker = broker;
    this.topic = topic;
    this.fixedPartition = fixedPartition;
    this.refs = new PartitionRef[topic.partitions().size()];
    this.partitioner = partitioner(topic);
  }

  private Partitioner partitioner(TopicInfo of) {
    return new Partitioner(of.config().partitioner(), of.partitions().size(), start);
  }

  TopicInfo topic() {
    return topic;
  }

  /** Looks at the topology; false when the topic is gone, or another one of that name is there. */
  boolean refresh() {
    TopicInfo now = broker.topology().topics().get(topic.name());
    if (now == null || !now.id().equals(topic.id())) {
      return false;
    }
    if (!now.equals(topic)) {
      topic = now;
      refs = new PartitionRef[now.partitions().size()];
      partitioner = partitioner(now);
    }
    return true;
  }

  /** The partition for a message; empty when it does not exist here. */
  Optional<PartitionRef> choose(boolean keyed, int keyHash) {
    int number = fixedPartition;
    if (number < 0) {
      number = keyed ? partitioner.keyed(keyHash) : partitioner.unkeyed();
    }
    if (number >= refs.length) {
      return Optional.empty();
    }
    PartitionRef ref = refs[number];
    if (ref == null) {
      ref = broker.partition(topic, number).orElse(null);
      refs[number] = ref;
    }
    return Optional.ofNullable(ref);
  }
}
