package io.amphora.amqp.node;

import static io.amphora.amqp.node.NodeRig.answers;
import static io.amphora.amqp.node.NodeRig.of;
import static io.amphora.amqp.node.NodeRig.property;
import static io.amphora.amqp.node.NodeRig.refusal;
import static io.amphora.amqp.node.NodeRig.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.sasl.Identity;
import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.message.Message;
import org.junit.jupiter.api.Test;

class TokenNodeTest {

  private static final String SAS = "servicebus.windows.net:sastoken";

  private static final CbsOptions KEYS =
      new CbsOptions(true, Map.of("Root", "secret", "Other", "key"));

  private static NodeRig client(boolean anonymous, CbsOptions cbs) {
    NodeRig client = new NodeRig(new EngineRig(anonymous, cbs));
    client.rig.broker.withTopic("hub", 2).withTopic("hub2", 1);
    return client;
  }

  private static NodeRig withCbs(boolean anonymous, CbsOptions cbs) {
    NodeRig client = client(anonymous, cbs);
    client.answersTo(100, "$cbs", "cbs-client-reply-to");
    client.requestsTo(101, "$cbs");
    return client;
  }

  private static long inSeconds(NodeRig client, int seconds) {
    return client.rig.loop.nowMillis() / 1000 + seconds;
  }

  private static Message put(NodeRig client, String type, Object token) {
    Map<String, Object> properties =
        Map.of("operation", "put-token", "type", type, "name", "amqp://h/hub");
    Message request = request(UnsignedLong.valueOf(3), "cbs-client-reply-to", properties, token);
    return answers(client.ask(101, request)).get(0);
  }

  private static Object code(NodeRig client, String uri, int seconds, String name, String key) {
    String token = SasTokenTest.sign(uri, inSeconds(client, seconds), name, key);
    return property(put(client, SAS, token), "status-code");
  }

  private static String attach(NodeRig client, int handle, String address) {
    return refusal(client.rig.send(Wire.sender(0, handle, "s" + handle, Wire.target(address))));
  }

  @Test
  void shouldTakeEveryTokenWhereNobodyNeedsOne() {
    NodeRig client = withCbs(true, new CbsOptions(true, Map.of()));
    Message answer = put(client, SAS, "whatever");
    assertThat(answer.getCorrelationId()).isEqualTo(UnsignedLong.valueOf(3));
    assertThat(property(answer, "status-code")).isEqualTo(202);
    assertThat(property(answer, "status-description")).isEqualTo("Accepted");
    assertThat(property(put(client, "jwt", "any"), "status-code")).isEqualTo(202);
    assertThat(property(put(client, SAS, null), "status-code")).isEqualTo(400);
    assertThat(attach(client, 0, "hub")).isEmpty();
  }

  @Test
  void shouldCheckTokensOnceThereAreKeys() {
    NodeRig client = withCbs(true, KEYS);
    assertThat(code(client, "sb://h/hub", 60, "Root", "secret")).isEqualTo(202);
    assertThat(code(client, "sb://h/hub", 60, "Root", "wrong")).isEqualTo(401);
    assertThat(code(client, "sb://h/hub", 60, "Nobody", "secret")).isEqualTo(401);
    assertThat(code(client, "sb://h/hub", 0, "Root", "secret")).isEqualTo(401);
    assertThat(property(put(client, SAS, "no token"), "status-code")).isEqualTo(400);
    assertThat(property(put(client, "other", "a"), "status-code")).isEqualTo(400);
  }

  @Test
  void shouldPermitNothingWithoutATokenWhereOneIsNeeded() {
    NodeRig client = client(false, KEYS);
    assertThat(attach(client, 0, "hub")).isEqualTo("amqp:unauthorized-access");
    assertThat(attach(client, 1, "$management")).isEqualTo("amqp:unauthorized-access");
    assertThat(attach(client, 2, null)).isEqualTo("amqp:unauthorized-access");
    assertThat(refusal(client.rig.send(Wire.receiver(0, 3, "r", Wire.source("hub")))))
        .isEqualTo("amqp:unauthorized-access");
    assertThat(attach(client, 4, "$cbs")).isEmpty();
  }

  @Test
  void shouldPermitWhatTheTokenWasSignedFor() {
    NodeRig client = withCbs(false, KEYS);
    assertThat(code(client, "amqp://h/hub/Partitions/1", 60, "Root", "secret")).isEqualTo(202);
    assertThat(attach(client, 0, "hub/Partitions/1")).isEmpty();
    assertThat(attach(client, 1, "hub")).isEqualTo("amqp:unauthorized-access");
    assertThat(code(client, "amqp://h/hub", 60, "Other", "key")).isEqualTo(202);
    assertThat(attach(client, 2, "hub")).isEmpty();
    assertThat(attach(client, 3, "/queues/hub")).isEmpty();
    assertThat(attach(client, 4, "hub2")).isEqualTo("amqp:unauthorized-access");
    assertThat(attach(client, 5, null)).isEqualTo("amqp:unauthorized-access");
    assertThat(code(client, "sb://h/", 60, "Root", "secret")).isEqualTo(202);
    assertThat(attach(client, 6, "hub2")).isEmpty();
    assertThat(attach(client, 7, null)).isEmpty();
  }

  @Test
  void shouldLeaveChangesToAdministrators() {
    NodeRig client = withCbs(false, KEYS);
    code(client, "sb://h/", 60, "Root", "secret");
    client.answersTo(0, "$management", "reply");
    client.requestsTo(1, "$management");
    Map<String, Object> delete =
        Map.of("operation", "DELETE", "type", "amphora:topic", "name", "hub");
    Message answer = answers(client.ask(1, request("1", "reply", delete, null))).get(0);
    assertThat(property(answer, "status-code")).isEqualTo(403);
    assertThat(client.rig.broker.topology().topics()).containsKey("hub");
  }

  @Test
  void shouldEndLinksWithTheirToken() {
    NodeRig client = withCbs(false, KEYS);
    code(client, "sb://h/hub", 60, "Root", "secret");
    code(client, "sb://h/hub2", 600, "Root", "secret");
    attach(client, 0, "hub");
    attach(client, 1, "hub2");
    assertThat(of(client.rig.advance(50_000_000_000L), RawFrame.DETACH)).isEmpty();
    List<RawFrame> ended = of(client.rig.advance(20_000_000_000L), RawFrame.DETACH);
    assertThat(ended).hasSize(1);
    assertThat(ended.get(0).condition(2)).isEqualTo("amqp:unauthorized-access");
    assertThat(attach(client, 2, "hub")).isEqualTo("amqp:unauthorized-access");
    assertThat(attach(client, 3, "hub2")).isEmpty();
  }

  @Test
  void shouldGoOnWithARenewedToken() {
    NodeRig client = withCbs(false, KEYS);
    code(client, "sb://h/hub", 60, "Root", "secret");
    attach(client, 0, "hub");
    client.rig.advance(50_000_000_000L);
    code(client, "sb://h/hub", 600, "Root", "secret");
    assertThat(of(client.rig.advance(50_000_000_000L), RawFrame.DETACH)).isEmpty();
  }

  @Test
  void shouldForgetTheTimerWithTheConnection() {
    NodeRig client = withCbs(false, KEYS);
    long before = client.rig.loop.timers();
    code(client, "sb://h/hub", 60, "Root", "secret");
    assertThat(client.rig.loop.timers()).isEqualTo(before + 1);
    client.rig.send(Wire.close());
    assertThat(client.rig.loop.timers()).isLessThanOrEqualTo(before);
  }

  @Test
  void shouldRefuseTheNodeWhereItIsOff() {
    assertThat(attach(client(true, CbsOptions.OFF), 0, "$cbs")).isEqualTo("amqp:not-found");
  }

  @Test
  void shouldAnnounceWhatABatchMayHaveToClientsWithTokens() {
    NodeRig client = withCbs(true, new CbsOptions(true, Map.of()));
    List<RawFrame> frames = client.rig.send(Wire.sender(0, 0, "s", Wire.target("hub")));
    assertThat(of(frames, RawFrame.ATTACH).get(0).get(10)).isEqualTo(UnsignedLong.valueOf(1 << 20));
  }

  private static NodeRig withBearer(long untilMillis) {
    NodeRig client = withCbs(false, KEYS);
    client.rig.tokens =
        token ->
            token.equals("good")
                ? Reply.ok(Identity.token("user", untilMillis))
                : Reply.failed(ErrorCode.UNAUTHORIZED, "not good");
    return client;
  }

  @Test
  void shouldMakeAUserOfWhoPutsABearerToken() {
    NodeRig client = withBearer(Identity.NEVER);
    Message refused = put(client, "jwt", "bad");
    assertThat(property(refused, "status-code")).isEqualTo(401);
    assertThat(property(refused, "status-description")).isEqualTo("not good");
    assertThat(attach(client, 0, "hub")).isEqualTo("amqp:unauthorized-access");
    assertThat(property(put(client, "jwt", "good"), "status-code")).isEqualTo(202);
    assertThat(client.rig.engine.identity().user()).isEqualTo("user");
    assertThat(attach(client, 1, "hub")).isEmpty();
    assertThat(attach(client, 2, null)).isEmpty();
  }

  @Test
  void shouldEndTheConnectionWithItsBearerToken() {
    NodeRig client = withBearer(1_700_000_060_000L);
    put(client, "jwt", "good");
    assertThat(of(client.rig.advance(50_000_000_000L), RawFrame.CLOSE)).isEmpty();
    List<RawFrame> closed = of(client.rig.advance(20_000_000_000L), RawFrame.CLOSE);
    assertThat(closed.get(0).condition(0)).isEqualTo("amqp:unauthorized-access");
  }
}
