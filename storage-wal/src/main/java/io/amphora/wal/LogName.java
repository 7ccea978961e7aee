package io.amphora.wal;

import java.util.UUID;

/**
 * Identity of one log. The topic id makes it unique over time: a topic that is deleted and created
 * again under the same name has other logs (safety rule 8).
 *
 * @param topic full topic name, 1 to 249 UTF-8 bytes
 * @param partition partition number, from 0
 * @param topicId identity of the topic
 */
public record LogName(String topic, int partition, UUID topicId) {

  @Override
  public String toString() {
    return topic + "-" + partition + "." + topicId;
  }
}
