package io.amphora.admin.resource;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.core.topology.TopicInfo;
import java.util.Optional;

/**
 * A group on one partition.
 *
 * @param lagSeconds age of the oldest message that is not done; empty when there is none or it was
 *     not asked for
 */
record GroupPartition(TopicInfo topic, int partition, GroupLag lag, Optional<Long> lagSeconds) {
  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("topic", topic.name());
    json.put("partition", partition);
    json.put("committed", lag.committed().orElse(null));
    json.put("end", lag.end().orElse(null));
    json.put("lag", lag.lag().orElse(null));
    json.put("lagSeconds", lagSeconds.orElse(null));
    json.put("parked", lag.parked());
    json.put("retried", lag.retried());
    return json;
  }
}
