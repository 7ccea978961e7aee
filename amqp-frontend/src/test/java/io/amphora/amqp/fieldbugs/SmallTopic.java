package io.amphora.amqp.fieldbugs;

import io.amphora.core.topology.TopicConfig;

/** A topic of the defaults but for the size of its messages. */
final class SmallTopic {

  private SmallTopic() {}

  static TopicConfig of(long maxMessageBytes) {
    TopicConfig d = TopicConfig.DEFAULT;
    return new TopicConfig(
        1,
        d.retention(),
        d.segmentBytes(),
        d.segmentMillis(),
        d.flush(),
        d.flushIntervalMillis(),
        d.partitioner(),
        maxMessageBytes,
        d.maxAttempts());
  }
}
