package io.amphora.amqp.node;

import static io.amphora.amqp.node.NodeRig.answers;
import static io.amphora.amqp.node.NodeRig.body;
import static io.amphora.amqp.node.NodeRig.of;
import static io.amphora.amqp.node.NodeRig.property;
import static io.amphora.amqp.node.NodeRig.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.message.Message;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code $management}, and what all nodes have in common. */
class OperationsNodeTest {

  private static final String NODE = "$management";

  private final NodeRig client = new NodeRig(new EngineRig());

  @BeforeEach
  void topic() {
    client.rig.broker.withTopic("hub", 2);
  }

  private static Map<String, Object> read(String type, String name) {
    return Map.of("operation", "READ", "type", type, "name", name);
  }

  private static Map<String, Object> readHub() {
    return read("com.microsoft:eventhub", "hub");
  }

  private void attach() {
    client.answersTo(0, NODE, "reply");
    client.requestsTo(1, NODE);
  }

  private Message ask(Map<String, Object> properties, Object body) {
    return answers(client.ask(1, request("id", "reply", properties, body))).get(0);
  }

  @Test
  void shouldKeepTheTypeOfTheId() {
    attach();
    for (Object id :
        List.of(
            UnsignedLong.valueOf(7), UUID.randomUUID(), new Binary(new byte[] {1, 2}), "seven")) {
      List<Message> answers = answers(client.ask(1, request(id, "reply", readHub(), null)));
      assertThat(answers).hasSize(1);
      assertThat(answers.get(0).getCorrelationId()).isEqualTo(id);
    }
  }

  @Test
  void shouldReferToTheCorrelationIdWhenThereIsOne() {
    attach();
    Message request = request("id", "reply", readHub(), null);
    request.setCorrelationId(UnsignedLong.valueOf(9));
    assertThat(answers(client.ask(1, request)).get(0).getCorrelationId())
        .isEqualTo(UnsignedLong.valueOf(9));
  }

  @Test
  void shouldDescribeAHubInExactTypes() {
    attach();
    Message answer = ask(readHub(), null);
    assertThat(property(answer, "status-code")).isEqualTo(200);
    Map<?, ?> hub = (Map<?, ?>) body(answer);
    assertThat(hub.get("name")).isEqualTo("hub");
    assertThat(hub.get("created_at")).isInstanceOf(Date.class);
    assertThat(hub.get("partition_count")).isEqualTo(2);
    assertThat((Object[]) hub.get("partition_ids")).containsExactly("0", "1");
  }

  @Test
  void shouldDescribeAPartitionInExactTypes() {
    attach();
    client.rig.send(Wire.sender(0, 5, "p", Wire.target("hub/Partitions/1")));
    client.rig.send(Wire.transfer(5, 50L, Wire.message("a")));
    client.rig.send(Wire.transfer(5, 51L, Wire.message("b")));
    Map<String, Object> asked = new HashMap<>(read("com.microsoft:partition", "hub"));
    asked.put("partition", "1");
    Map<?, ?> filled = (Map<?, ?>) body(ask(asked, null));
    assertThat(filled.get("partition")).isEqualTo("1");
    assertThat(filled.get("begin_sequence_number")).isEqualTo(0L);
    assertThat(filled.get("last_enqueued_sequence_number")).isEqualTo(1L);
    assertThat(filled.get("last_enqueued_offset")).isEqualTo("1");
    assertThat(filled.get("last_enqueued_time_utc")).isInstanceOf(Date.class);
    assertThat(filled.get("is_partition_empty")).isEqualTo(false);
    asked.put("partition", "0");
    Map<?, ?> empty = (Map<?, ?>) body(ask(asked, null));
    assertThat(empty.get("is_partition_empty")).isEqualTo(true);
    assertThat(empty.get("last_enqueued_sequence_number")).isEqualTo(-1L);
  }

  @Test
  void shouldSayWhatIsMissingOrNotServed() {
    attach();
    Message missing = ask(read("com.microsoft:eventhub", "no"), null);
    assertThat(property(missing, "status-code")).isEqualTo(404);
    assertThat(property(missing, "status-description").toString())
        .matches("The messaging entity .* could not be found.*");
    assertThat(property(missing, "error-condition")).hasToString("amqp:not-found");
    Map<String, Object> partition = new HashMap<>(read("com.microsoft:partition", "hub"));
    for (String id : List.of("2", "-1", "x", "")) {
      partition.put("partition", id);
      assertThat(property(ask(partition, null), "status-code")).isEqualTo(404);
    }
    assertThat(property(ask(Map.of(), null), "status-code")).isEqualTo(400);
    assertThat(property(ask(read("other", "x"), null), "status-code")).isEqualTo(501);
  }

  @Test
  void shouldUseTheEntityOfItsAddress() {
    client.answersTo(0, "hub/$management", "reply");
    client.requestsTo(1, "/hub/$management");
    Map<String, Object> asked = Map.of("operation", "READ", "type", "com.microsoft:eventhub");
    assertThat(((Map<?, ?>) body(ask(asked, null))).get("name")).isEqualTo("hub");
  }

  @Test
  void shouldCreateListAndDeleteTopics() {
    attach();
    Map<String, Object> on = Map.of("operation", "CREATE", "type", "amphora:topic", "name", "new");
    assertThat(property(ask(on, Map.of("partitions", 3)), "status-code")).isEqualTo(201);
    assertThat(client.rig.broker.topology().topics().get("new").partitions()).hasSize(3);
    assertThat(property(ask(on, Map.of()), "status-code")).isEqualTo(409);
    Map<String, Object> query = Map.of("operation", "QUERY", "type", "amphora:topic");
    Map<?, ?> listed = (Map<?, ?>) body(ask(query, null));
    assertThat(listed.get("results")).isEqualTo(List.of(List.of("hub", 2), List.of("new", 3)));
    Map<String, Object> off = Map.of("operation", "DELETE", "type", "amphora:topic", "name", "new");
    assertThat(property(ask(off, null), "status-code")).isEqualTo(204);
    assertThat(client.rig.broker.topology().topics()).containsOnlyKeys("hub");
    assertThat(property(ask(off, null), "status-code")).isEqualTo(404);
  }

  @Test
  void shouldAnswerWhereTheRequestWantsIt() {
    client.answersTo(0, NODE, "a");
    client.answersTo(1, NODE, "b");
    client.requestsTo(2, NODE);
    RawFrame first = transfer(client.ask(2, request("1", "b", readHub(), null)));
    RawFrame second = transfer(client.ask(2, request("2", "a", readHub(), null)));
    RawFrame third = transfer(client.ask(2, request("3", null, readHub(), null)));
    assertThat(NodeRig.handle(first)).isEqualTo(1);
    assertThat(NodeRig.handle(second)).isZero();
    assertThat(NodeRig.handle(third)).isZero();
  }

  private static RawFrame transfer(List<RawFrame> frames) {
    return of(frames, RawFrame.TRANSFER).get(0);
  }

  @Test
  void shouldAnswerOnAnotherSession() {
    client.rig.send(Wire.begin(1));
    Object[] more = {null, null, Wire.source(NODE), Wire.target("reply"), null};
    client.rig.send(Wire.attach(1, 0, "in", true, more));
    client.rig.send(
        Wire.frame(
            1,
            RawFrame.FLOW,
            Wire.u(1),
            Wire.u(1000),
            Wire.u(0),
            Wire.u(2048),
            Wire.u(0),
            Wire.u(0),
            Wire.u(10)));
    client.requestsTo(0, NODE);
    RawFrame answer = transfer(client.ask(0, request("1", "reply", readHub(), null)));
    assertThat(answer.channel()).isEqualTo(1);
  }

  @Test
  void shouldKeepAnAnswerUntilThereIsCredit() {
    Object[] more = {null, null, Wire.source(NODE), Wire.target("reply"), null};
    client.rig.send(Wire.attach(0, 0, "in", true, more));
    client.requestsTo(1, NODE);
    List<RawFrame> frames = client.ask(1, request("1", "reply", readHub(), null));
    assertThat(of(frames, RawFrame.TRANSFER)).isEmpty();
    assertThat(answers(client.rig.send(Wire.flow(0, 0L, 1, false, false)))).hasSize(1);
  }

  @Test
  void shouldDropAndCountAnswersThatNobodyReceives() {
    client.requestsTo(1, NODE);
    List<RawFrame> frames = client.ask(1, request("1", "reply", readHub(), null));
    assertThat(of(frames, RawFrame.DISPOSITION).get(0).described(4)).isEqualTo(0x24);
    assertThat(client.rig.nodes.dropped()).isEqualTo(1);
    assertThat(of(frames, RawFrame.CLOSE)).isEmpty();
  }

  @Test
  void shouldRejectWhatIsNoMessage() {
    attach();
    List<RawFrame> frames = client.rig.send(Wire.transfer(1, 0L, new byte[] {0, 0x53, 1, 2, 3}));
    assertThat(of(frames, RawFrame.DISPOSITION).get(0).described(4)).isEqualTo(0x25);
    assertThat(answers(client.ask(1, request("1", "reply", readHub(), null)))).hasSize(1);
  }

  @Test
  void shouldRejectWhatIsNestedTooDeep() {
    attach();
    byte[] deep = new byte[60_000];
    List<RawFrame> frames = client.rig.send(Wire.transfer(1, 0L, deep));
    assertThat(of(frames, RawFrame.DISPOSITION).get(0).described(4)).isEqualTo(0x25);
    assertThat(of(frames, RawFrame.CLOSE)).isEmpty();
  }

  @Test
  void shouldEndALinkWithATooLargeRequest() {
    attach();
    byte[] part = new byte[60_000];
    List<RawFrame> frames = List.of();
    for (int i = 0; i < 6 && of(frames, RawFrame.DETACH).isEmpty(); i++) {
      frames = client.rig.send(Wire.transfer(1, 0L, part, false, true));
    }
    assertThat(of(frames, RawFrame.DETACH).get(0).condition(2))
        .isEqualTo("amqp:link:message-size-exceeded");
  }

  @Test
  void shouldServeManyRequestsOneAfterTheOther() {
    attach();
    for (int i = 0; i < 90; i++) {
      Message request = request(UnsignedLong.valueOf(i), "reply", readHub(), null);
      assertThat(answers(client.ask(1, request)).get(0).getCorrelationId())
          .isEqualTo(UnsignedLong.valueOf(i));
    }
  }

  @Test
  void shouldAnswerADrain() {
    attach();
    List<RawFrame> frames = client.rig.send(Wire.flow(0, 0L, 5, true, false));
    RawFrame flow = of(frames, RawFrame.FLOW).get(0);
    assertThat(flow.uint(6)).isZero();
    assertThat(flow.uint(5)).isEqualTo(5);
  }
}
