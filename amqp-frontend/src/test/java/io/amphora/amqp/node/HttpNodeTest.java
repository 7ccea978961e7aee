package io.amphora.amqp.node;

import static io.amphora.amqp.node.NodeRig.answers;
import static io.amphora.amqp.node.NodeRig.body;
import static io.amphora.amqp.node.NodeRig.property;
import static io.amphora.amqp.node.NodeRig.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.sasl.Identity;
import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.Reply;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.message.Message;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code /management} over a pair of links. */
class HttpNodeTest {

  private final NodeRig client = new NodeRig(new EngineRig());

  @BeforeEach
  void pair() {
    assertThat(refusal(client.paired(0, false, true))).isEmpty();
    assertThat(refusal(client.paired(1, true, true))).isEmpty();
    client.rig.send(Wire.flow(1, 0L, 100, false, false));
  }

  private Message ask(String method, String path, Object body) {
    UUID id = UUID.randomUUID();
    Message request = NodeRig.request(id, "$me", Map.of(), body);
    request.setSubject(method);
    request.setAddress(path);
    Message answer = answers(client.ask(0, request)).get(0);
    assertThat(answer.getCorrelationId()).isEqualTo(id);
    assertThat(property(answer, "http:response")).isEqualTo("1.1");
    return answer;
  }

  private static Map<?, ?> info(Message answer) {
    return (Map<?, ?>) body(answer);
  }

  private void publish(int count) {
    client.rig.send(Wire.sender(0, 9, "p", Wire.target("/queues/a%2Fb")));
    for (int i = 0; i < count; i++) {
      client.rig.send(Wire.transfer(9, 1000L + i, Wire.message("m")));
    }
  }

  @Test
  void shouldDeclareAndDescribeAQueue() {
    Map<String, Object> arguments = Map.of("x-queue-type", "stream");
    Message made = ask("PUT", "/queues/a%2Fb", Map.of("arguments", arguments));
    assertThat(made.getSubject()).isEqualTo("201");
    assertThat(info(made).get("name")).isEqualTo("a/b");
    assertThat(info(made).get("type")).isEqualTo("stream");
    assertThat(info(made).get("arguments")).isEqualTo(arguments);
    assertThat((Object[]) info(made).get("replicas")).isInstanceOf(String[].class);
    publish(3);
    Message again = ask("PUT", "/queues/a%2Fb", Map.of());
    assertThat(again.getSubject()).isEqualTo("200");
    assertThat(info(again).get("message_count")).isEqualTo(3L);
    assertThat(info(ask("GET", "/queues/a%2Fb", null)).get("consumer_count")).isEqualTo(0);
  }

  @Test
  void shouldPurgeAndDelete() {
    ask("PUT", "/queues/a%2Fb", Map.of());
    publish(3);
    Message purged = ask("DELETE", "/queues/a%2Fb/messages", null);
    assertThat(purged.getSubject()).isEqualTo("200");
    assertThat(info(purged).get("message_count")).isEqualTo(3L);
    assertThat(client.rig.broker.group("a/b::$queue").settled).hasSize(3);
    assertThat(client.rig.broker.group("a/b::$queue").memberCount()).isZero();
    assertThat(ask("DELETE", "/queues/a%2Fb", null).getSubject()).isEqualTo("200");
    assertThat(client.rig.broker.topology().topics()).isEmpty();
    assertThat(ask("GET", "/queues/a%2Fb", null).getSubject()).isEqualTo("404");
  }

  @Test
  void shouldDeleteExclusiveQueuesWithTheConnection() {
    ask("PUT", "/queues/mine", Map.of("exclusive", true));
    ask("PUT", "/queues/ours", Map.of());
    assertThat(info(ask("GET", "/queues/mine", null)).get("exclusive")).isEqualTo(true);
    client.rig.send(Wire.close());
    client.rig.loop.runAll();
    assertThat(client.rig.broker.topology().topics()).containsOnlyKeys("ours");
  }

  @Test
  void shouldSayClearlyWhatItDoesNotServe() {
    assertThat(ask("PUT", "/exchanges/e", Map.of()).getSubject()).isEqualTo("501");
    assertThat(ask("POST", "/bindings", Map.of()).getSubject()).isEqualTo("501");
    assertThat(body(ask("POST", "/bindings", Map.of())).toString()).contains("no exchanges");
    assertThat(ask("PUT", "/queues/q", Map.of("auto_delete", true)).getSubject()).isEqualTo("400");
    assertThat(ask("PUT", "/queues/__x", Map.of()).getSubject()).isEqualTo("400");
    assertThat(ask("PUT", "/queues/%zz", Map.of()).getSubject()).isEqualTo("400");
    assertThat(ask("PUT", "/queues/", Map.of()).getSubject()).isEqualTo("404");
    assertThat(ask("PATCH", "/queues/q", Map.of()).getSubject()).isEqualTo("405");
    assertThat(ask("GET", "/elsewhere", null).getSubject()).isEqualTo("404");
    assertThat(ask("DELETE", "/queues/none/messages", null).getSubject()).isEqualTo("404");
  }

  @Test
  void shouldInsistOnAPair() {
    NodeRig other = new NodeRig(new EngineRig());
    assertThat(refusal(other.paired(0, false, false))).isEqualTo("amqp:precondition-failed");
    assertThat(refusal(other.paired(1, true, null))).isEqualTo("amqp:precondition-failed");
  }

  @Test
  void shouldTakeTokensThatProlongAConnection() {
    assertThat(ask("PUT", "/auth/tokens", new Binary(new byte[] {1})).getSubject())
        .isEqualTo("401");
    client.rig.tokens = token -> Reply.ok(Identity.token("user", Identity.NEVER));
    assertThat(ask("PUT", "/auth/tokens", new Binary(new byte[] {1})).getSubject())
        .isEqualTo("204");
    assertThat(ask("PUT", "/auth/tokens", "text").getSubject()).isEqualTo("400");
    assertThat(ask("GET", "/auth/tokens", null).getSubject()).isEqualTo("405");
  }
}
