package io.amphora.admin.resource;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.admin.http.Answer;
import io.amphora.admin.http.ApiRequest;
import io.amphora.admin.http.ProblemException;
import io.amphora.admin.http.RouteTable;
import io.amphora.core.Loop;
import io.amphora.core.node.Broker;
import io.amphora.core.position.OffsetRange;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicInfo;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Where the messages are that a group put aside on one partition (docs/adr/0005). */
public final class ParkedResource {
  private final Broker broker;
  private final Loop loop;

  public ParkedResource(Broker broker, Loop loop) {
    this.broker = broker;
    this.loop = loop;
  }

  public void mount(RouteTable routes) {
    routes.get("/api/v1/groups/{group}/parked", this::list, "topic", "partition", "limit", "after");
  }

  private Future<Answer> list(ApiRequest request) {
    String name =
        request
            .query("topic")
            .orElseThrow(() -> ProblemException.invalid("topic", "name the topic"));
    TopicInfo topic = TopicsResource.existing(broker, name);
    int partition = (int) request.number("partition", 0, 0, topic.partitions().size() - 1L);
    int limit = (int) request.number("limit", Page.MAX_LIMIT, 1, Page.MAX_LIMIT);
    long after = request.number("after", -1, -1, Long.MAX_VALUE);
    return GroupSnapshot.take(broker, loop)
        .map(
            snapshot -> {
              GroupInfo group = snapshot.existing(request.path("group"));
              List<OffsetRange> parked =
                  snapshot.position(group, topic, partition).stream()
                      .flatMap(position -> position.parked().stream())
                      .filter(range -> range.from() > after)
                      .toList();
              return page(parked, limit);
            });
  }

  private static Answer page(List<OffsetRange> parked, int limit) {
    List<OffsetRange> shown = parked.subList(0, Math.min(limit, parked.size()));
    Optional<LongNode> next =
        parked.size() > limit
            ? Optional.of(LongNode.valueOf(shown.get(limit - 1).from()))
            : Optional.empty();
    return Answer.json(200, Page.list(shown.stream().map(ParkedResource::json).toList(), next));
  }

  private static ObjectNode json(OffsetRange range) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("from", range.from());
    json.put("to", range.to());
    return json;
  }
}
