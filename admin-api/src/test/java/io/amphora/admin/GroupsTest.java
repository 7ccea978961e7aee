package io.amphora.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.amphora.core.delivery.MemberId;
import io.amphora.core.node.MemberView;
import io.amphora.core.position.OffsetRange;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.core.position.Reset;
import io.amphora.core.topology.GroupInfo;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupsTest {
  private static final GroupInfo BILLING =
      new GroupInfo("billing", new UUID(0, 1), GroupInfo.Mode.ORDERED, false);
  private static final GroupInfo QUEUE =
      new GroupInfo("t::$queue", new UUID(0, 2), GroupInfo.Mode.SHARED, false);

  private RunningServer server;

  @BeforeEach
  void start() throws Exception {
    server = RunningServer.open();
    server.broker.topic("t", 1);
    server.broker.partition("t", 0).append(5000, "", "1", "2", "3", "4").append(6000, "", "5");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void position(GroupInfo group, long committed, List<OffsetRange> done) {
    Position position =
        new Position(
            Reset.NONE,
            committed,
            done,
            Map.of(committed, 2),
            List.of(new OffsetRange(1, 2), new OffsetRange(4, 7), new OffsetRange(9, 10)));
    UUID topicId = server.broker.topics.get("t").id();
    server.broker.positions.put(new PositionKey(group.id(), topicId, 0), position);
  }

  private void member(GroupInfo group) {
    MemberView member = new MemberView(new MemberId("app", "link", 1), "t", List.of(0));
    server.broker.members.put(group, List.of(member));
  }

  @Test
  void shouldCountMessagesNotControlRecordsForAGroupWithoutMembers() throws Exception {
    server.broker.groups.put("billing", BILLING);
    position(BILLING, 0, List.of());
    JsonNode group = server.getJson("/api/v1/groups/billing");
    assertThat(group.path("mode").asText()).isEqualTo("ordered");
    assertThat(group.path("members")).isEmpty();
    assertThat(group.path("lag").asLong()).isEqualTo(5);
    JsonNode position = group.path("positions").get(0);
    assertThat(position.path("topic").asText()).isEqualTo("t");
    assertThat(position.path("committed").asLong()).isZero();
    assertThat(position.path("end").asLong()).isEqualTo(6);
    assertThat(position.path("parked").asLong()).isEqualTo(5);
    assertThat(position.path("retried").asLong()).isEqualTo(1);
    assertThat(group.path("parked").asLong()).isEqualTo(5);
    assertThat(group.path("retried").asLong()).isEqualTo(1);
  }

  @Test
  void shouldSubtractWhatIsDoneAndTellTheAge() throws Exception {
    server.broker.groups.put("billing", BILLING);
    position(BILLING, 2, List.of(new OffsetRange(2, 4), new OffsetRange(5, 6)));
    JsonNode group = server.getJson("/api/v1/groups/billing");
    assertThat(group.path("lag").asLong()).isEqualTo(1);
    long sinceFirstOpen = System.currentTimeMillis() / 1000 - 5;
    assertThat(group.path("positions").get(0).path("lagSeconds").asLong())
        .isBetween(sinceFirstOpen - 60, sinceFirstOpen + 60);
  }

  @Test
  void shouldShowNoLagWhenAllIsDone() throws Exception {
    server.broker.groups.put("billing", BILLING);
    position(BILLING, 6, List.of());
    JsonNode group = server.getJson("/api/v1/groups/billing");
    assertThat(group.path("lag").asLong()).isZero();
    assertThat(group.path("positions").get(0).path("lagSeconds").asLong()).isZero();
  }

  @Test
  void shouldShowNullForAGroupThatNeverCommitted() throws Exception {
    member(BILLING);
    JsonNode group = server.getJson("/api/v1/groups/billing");
    assertThat(group.path("members").get(0).path("containerId").asText()).isEqualTo("app");
    JsonNode position = group.path("positions").get(0);
    assertThat(position.path("committed").isNull()).isTrue();
    assertThat(position.path("lag").isNull()).isTrue();
    assertThat(position.path("end").asLong()).isEqualTo(6);
    assertThat(group.path("lag").asLong()).isZero();
  }

  @Test
  void shouldShowTheQueueOfATopic() throws Exception {
    server.broker.groups.put(QUEUE.name(), QUEUE);
    JsonNode group = server.getJson("/api/v1/groups/t%3A%3A%24queue");
    assertThat(group.path("name").asText()).isEqualTo("t::$queue");
    assertThat(group.path("mode").asText()).isEqualTo("shared");
    assertThat(group.path("positions")).hasSize(1);
    assertThat(server.getJson("/api/v1/groups/t::$queue")).isEqualTo(group);
  }

  @Test
  void shouldListCreatedGroupsAndGroupsWithMembersOnly() throws Exception {
    server.broker.groups.put(QUEUE.name(), QUEUE);
    member(BILLING);
    member(new GroupInfo("", new UUID(0, 3), GroupInfo.Mode.ORDERED, false));
    position(QUEUE, 3, List.of());
    JsonNode items = server.getJson("/api/v1/groups").path("items");
    assertThat(items).hasSize(2);
    assertThat(items.get(0).path("name").asText()).isEqualTo("billing");
    assertThat(items.get(1).path("lag").asLong()).isEqualTo(3);
  }

  @Test
  void shouldListWhatIsParkedPageByPage() throws Exception {
    server.broker.groups.put("billing", BILLING);
    position(BILLING, 2, List.of());
    JsonNode first = server.getJson("/api/v1/groups/billing/parked?topic=t&partition=0&limit=2");
    assertThat(first.path("items").toString())
        .isEqualTo("[{\"from\":1,\"to\":2},{\"from\":4,\"to\":7}]");
    assertThat(first.path("next").asLong()).isEqualTo(4);
    JsonNode rest = server.getJson("/api/v1/groups/billing/parked?topic=t&after=4");
    assertThat(rest.path("items").toString()).isEqualTo("[{\"from\":9,\"to\":10}]");
    assertThat(rest.path("next").isNull()).isTrue();
  }

  @Test
  void shouldRefuseAListOfParkedMessagesOfNothing() throws Exception {
    server.broker.groups.put("billing", BILLING);
    assertThat(server.get("/api/v1/groups/none/parked?topic=t").statusCode()).isEqualTo(404);
    assertThat(server.get("/api/v1/groups/billing/parked?topic=u").statusCode()).isEqualTo(404);
    assertThat(server.get("/api/v1/groups/billing/parked").statusCode()).isEqualTo(400);
    assertThat(server.get("/api/v1/groups/billing/parked?topic=t&partition=1").statusCode())
        .isEqualTo(400);
  }

  @Test
  void shouldSayThatThereIsNoSuchGroup() throws Exception {
    assertThat(server.get("/api/v1/groups/none").statusCode()).isEqualTo(404);
  }

  @Test
  void shouldSurviveAPositionOfADeletedTopic() throws Exception {
    server.broker.groups.put("billing", BILLING);
    position(BILLING, 2, List.of());
    server.broker.topics.clear();
    JsonNode group = server.getJson("/api/v1/groups/billing");
    assertThat(group.path("positions")).isEmpty();
    assertThat(group.path("lag").asLong()).isZero();
  }
}
