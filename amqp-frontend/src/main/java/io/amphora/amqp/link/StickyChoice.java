package io.amphora.amqp.link;

import io.amphora.core.topology.TopicConfig.PartitionerKind;
import io.amphora.core.topology.TopicInfo;
import java.util.concurrent.ThreadLocalRandom;

/** Chooses partitions: by the key's hash, else as the topic says. State of one link. */
final class StickyChoice {

  private int next = ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);

  int choose(TopicInfo topic, boolean keyed, int keyHash) {
    int partitions = topic.partitions().size();
    if (keyed) {
      return Math.floorMod(keyHash, partitions);
    }
    if (topic.config().partitioner() == PartitionerKind.ROUND_ROBIN) {
      next = next == Integer.MAX_VALUE ? 0 : next + 1;
    }
    return next % partitions;
  }

  /** 32-bit FNV-1a with a final mix. */
  static int hash(byte[] key) {
    int h = 0x811c9dc5;
    for (byte b : key) {
      h = (h ^ (b & 0xFF)) * 0x01000193;
    }
    h ^= h >>> 16;
    h *= 0x85ebca6b;
    return h ^ h >>> 13;
  }
}
