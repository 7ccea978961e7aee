package io.amphora.admin.resource;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.admin.http.Answer;
import io.amphora.admin.http.ApiRequest;
import io.amphora.admin.http.RouteTable;
import io.amphora.core.Loop;
import io.amphora.core.node.Broker;
import io.amphora.core.node.MemberView;
import io.amphora.core.topology.GroupInfo;
import io.vertx.core.Future;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;

/** Groups with members, positions and lag, also those without members. */
public final class GroupsResource {
  private final Broker broker;
  private final Loop loop;

  public GroupsResource(Broker broker, Loop loop) {
    this.broker = broker;
    this.loop = loop;
  }

  public void mount(RouteTable routes) {
    routes
        .get("/api/v1/groups", this::list, "limit", "after")
        .get("/api/v1/groups/{group}", this::show);
  }

  private Future<Answer> list(ApiRequest request) {
    return GroupSnapshot.take(broker, loop)
        .compose(
            snapshot -> {
              SortedMap<String, GroupInfo> groups = snapshot.groups();
              Page page = Page.of(request, groups.keySet().stream());
              GroupFigures figures = new GroupFigures(broker, loop, snapshot);
              List<Future<ObjectNode>> items =
                  page.names().stream()
                      .flatMap(name -> Optional.ofNullable(groups.get(name)).stream())
                      .map(group -> summary(figures, snapshot, group))
                      .toList();
              return Future.all(items).map(all -> Answer.json(200, page.toJson(all.list())));
            });
  }

  private static Future<ObjectNode> summary(
      GroupFigures figures, GroupSnapshot snapshot, GroupInfo group) {
    return figures
        .of(group, false)
        .map(partitions -> json(group, snapshot.membersOf(group), partitions));
  }

  private Future<Answer> show(ApiRequest request) {
    String name = request.path("group");
    return GroupSnapshot.take(broker, loop)
        .compose(
            snapshot -> {
              GroupInfo group = snapshot.existing(name);
              return new GroupFigures(broker, loop, snapshot)
                  .of(group, true)
                  .map(partitions -> shown(snapshot, group, partitions));
            });
  }

  private static Answer shown(
      GroupSnapshot snapshot, GroupInfo group, List<GroupPartition> partitions) {
    ObjectNode json = json(group, snapshot.membersOf(group), partitions);
    ArrayNode positions = json.putArray("positions");
    partitions.forEach(partition -> positions.add(partition.toJson()));
    return Answer.json(200, json);
  }

  private static ObjectNode json(
      GroupInfo group, List<MemberView> members, List<GroupPartition> partitions) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", group.name());
    json.put("mode", group.mode().name().toLowerCase(Locale.ROOT));
    json.putNull("assignor");
    json.putNull("generation");
    ArrayNode list = json.putArray("members");
    members.forEach(member -> list.add(json(member)));
    json.put("lag", partitions.stream().mapToLong(p -> p.lag().lag().orElse(0L)).sum());
    json.put("parked", partitions.stream().mapToLong(p -> p.lag().parked()).sum());
    json.put("retried", partitions.stream().mapToLong(p -> p.lag().retried()).sum());
    return json;
  }

  private static ObjectNode json(MemberView member) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("containerId", member.id().containerId());
    json.put("linkName", member.id().linkName());
    json.put("topic", member.topic());
    ArrayNode partitions = json.putArray("partitions");
    member.partitions().forEach(partitions::add);
    return json;
  }
}
