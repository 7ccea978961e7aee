package io.amphora.amqp.link;

import io.amphora.core.node.Broker;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.topology.TopicInfo;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The way from a producer to the partitions of one topic; follows the topology as it changes. Owned
 * by the connection loop.
 */
final class TopicRoute {

  private final Broker broker;
  private final int fixedPartition;
  private final StickyChoice choice = new StickyChoice();
  private TopicInfo topic;
  private @Nullable PartitionRef[] refs;

  /**
   * @param fixedPartition the partition the address names, -1 when it names none
   */
  TopicRoute(Broker broker, TopicInfo topic, int fixedPartition) {
    this.broker = broker;
    this.topic = topic;
    this.fixedPartition = fixedPartition;
    this.refs = new PartitionRef[topic.partitions().size()];
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
    if (now != topic) {
      topic = now;
      refs = new PartitionRef[now.partitions().size()];
    }
    return true;
  }

  /** The partition for a message; empty when it does not exist here. */
  Optional<PartitionRef> choose(byte @Nullable [] key, int keyHash) {
    int number = fixedPartition;
    if (number < 0) {
      number = choice.choose(topic, key != null, keyHash);
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
