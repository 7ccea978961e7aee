package io.amphora.admin.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.admin.http.Answer;
import io.amphora.admin.http.ApiRequest;
import io.amphora.admin.http.RouteTable;
import io.amphora.core.Loop;
import io.amphora.core.node.Broker;
import io.amphora.core.partition.PartitionStatus;
import io.amphora.core.topology.PartitionAssignment;
import io.amphora.core.topology.TopicInfo;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** The partitions of a topic, where each stands. */
public final class PartitionsResource {
  private final Broker broker;
  private final PartitionStatuses statuses;

  public PartitionsResource(Broker broker, Loop loop) {
    this.broker = broker;
    this.statuses = new PartitionStatuses(broker, loop);
  }

  public void mount(RouteTable routes) {
    routes.get("/api/v1/topics/{topic}/partitions", this::list, "limit", "after");
  }

  private Future<Answer> list(ApiRequest request) {
    TopicInfo topic = TopicsResource.existing(broker, request.path("topic"));
    int limit = (int) request.number("limit", Page.MAX_LIMIT, 1, Page.MAX_LIMIT);
    long after = request.number("after", -1, -1, Integer.MAX_VALUE);
    List<PartitionAssignment> rest =
        topic.partitions().stream().filter(p -> p.partition() > after).toList();
    List<PartitionAssignment> page = rest.subList(0, Math.min(limit, rest.size()));
    Optional<LongNode> next =
        rest.size() > limit
            ? Optional.of(LongNode.valueOf(page.get(limit - 1).partition()))
            : Optional.empty();
    List<Future<JsonNode>> items = page.stream().map(p -> item(topic, p)).toList();
    return Future.all(items).map(all -> Answer.json(200, Page.list(all.list(), next)));
  }

  private Future<JsonNode> item(TopicInfo topic, PartitionAssignment assignment) {
    return statuses.of(topic, assignment.partition()).map(status -> json(assignment, status));
  }

  /** A partition that cannot be asked is shown as the topology knows it, with nulls. */
  private static JsonNode json(PartitionAssignment assignment, Optional<PartitionStatus> status) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("partition", assignment.partition());
    json.put("role", status.map(PartitionStatus::role).orElse("unknown"));
    json.put("epoch", status.map(PartitionStatus::epoch).orElse(assignment.epoch()));
    json.put("leader", assignment.leader().isEmpty() ? null : assignment.leader());
    json.put("logStart", status.map(s -> s.log().logStart()).orElse(null));
    json.put("end", status.map(s -> s.log().writtenEnd()).orElse(null));
    json.put("highWatermark", status.map(PartitionStatus::highWatermark).orElse(null));
    json.put("messages", status.map(s -> s.messagesFrom(s.log().logStart())).orElse(null));
    json.put("bytes", status.map(s -> s.log().bytes()).orElse(null));
    json.put("segments", status.map(s -> s.log().segments()).orElse(null));
    return json;
  }
}
