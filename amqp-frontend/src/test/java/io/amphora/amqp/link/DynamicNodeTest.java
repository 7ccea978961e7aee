package io.amphora.amqp.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.delivery.StartPosition;
import io.amphora.core.delivery.SubscribeRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.junit.jupiter.api.Test;

class DynamicNodeTest {

  private final EngineRig rig = new EngineRig().opened();

  private static Object source(String capability) {
    return terminus(0x28, 11, 10, capability);
  }

  private static Object target(String capability) {
    return terminus(0x29, 7, 6, capability);
  }

  private static Object terminus(int code, int fields, int capabilities, String capability) {
    List<Object> list = new ArrayList<>(Arrays.asList(new Object[fields]));
    list.set(4, true);
    list.set(5, Map.of(Symbol.valueOf("lifetime-policy"), Wire.list(0x2c)));
    list.set(capabilities, Symbol.valueOf(capability));
    return new Wire.Described(UnsignedLong.valueOf(code), list);
  }

  private static List<RawFrame> of(List<RawFrame> frames, int code) {
    return frames.stream().filter(f -> f.code() == code).toList();
  }

  private static List<?> terminus(List<RawFrame> frames, int field) {
    return (List<?>) ((DescribedType) of(frames, RawFrame.ATTACH).get(0).get(field)).getDescribed();
  }

  private String addressOf(List<RawFrame> frames, int field) {
    List<?> terminus = terminus(frames, field);
    assertThat(terminus.get(4)).isEqualTo(true);
    Object lifetime = ((Map<?, ?>) terminus.get(5)).get(Symbol.valueOf("lifetime-policy"));
    assertThat(((DescribedType) lifetime).getDescriptor()).isEqualTo(UnsignedLong.valueOf(0x2b));
    String address = (String) terminus.get(0);
    assertThat(rig.broker.topology().topics()).containsKey(address);
    return address;
  }

  @Test
  void shouldMakeAQueueToReceiveAnswersFrom() {
    String address = addressOf(rig.send(Wire.receiver(0, 0, "in", source("other"))), 5);
    SubscribeRequest request = rig.broker.requests.get(0);
    assertThat(request.group()).isEqualTo(SubscribeRequest.queueOf(address));
    rig.send(Wire.flow(0, 0L, 10, false, false));
    rig.send(Wire.sender(0, 1, "anonymous", Wire.target(null)));
    byte[] to = Wire.encode(Wire.list(0x73, null, null, address));
    List<RawFrame> frames = rig.send(Wire.transfer(1, 0L, Wire.join(to, Wire.message("answer"))));
    assertThat(of(frames, RawFrame.TRANSFER)).hasSize(1);
  }

  @Test
  void shouldKeepTheNodeWhileTheLinkThatMadeItLives() {
    byte[] attach = Wire.sender(0, 0, "qpid-jms:temp-queue-creator:1", target("temporary-queue"));
    String address = addressOf(rig.send(attach), 6);
    rig.send(Wire.receiver(0, 1, "in", Wire.source(address, "temporary-queue")));
    rig.send(Wire.sender(0, 2, "out", Wire.target(address)));
    rig.send(Wire.detach(1, true));
    rig.send(Wire.detach(2, true));
    assertThat(rig.broker.topology().topics()).containsKey(address);
    rig.send(Wire.detach(0, true));
    assertThat(rig.broker.topology().topics()).isEmpty();
  }

  @Test
  void shouldTellTemporaryTopicsFromQueues() {
    byte[] attach = Wire.sender(0, 0, "c", target("temporary-topic"));
    String address = addressOf(rig.send(attach), 6);
    rig.send(Wire.receiver(0, 1, "in", Wire.source(address, "temporary-topic")));
    assertThat(rig.broker.requests.get(0).group()).isEmpty();
    assertThat(rig.broker.requests.get(0).start()).isEqualTo(StartPosition.LATEST);
  }

  @Test
  void shouldDeleteTheNodesOfAConnectionOrSessionThatEnds() {
    rig.send(Wire.sender(0, 0, "a", target("temporary-queue")));
    rig.send(Wire.receiver(0, 1, "b", source("temporary-queue")));
    assertThat(rig.broker.topology().topics()).hasSize(2);
    rig.send(Wire.end(0));
    assertThat(rig.broker.topology().topics()).isEmpty();
    rig.send(Wire.begin(0));
    rig.send(Wire.sender(0, 0, "a", target("temporary-queue")));
    assertThat(rig.broker.topology().topics()).hasSize(1);
    rig.send(Wire.close());
    assertThat(rig.broker.topology().topics()).isEmpty();
  }

  @Test
  void shouldDeleteANodeThatNobodyWaitsForAnyMore() {
    rig.send(Wire.sender(0, 0, "a", target("temporary-queue")), Wire.close());
    rig.read();
    assertThat(rig.broker.topology().topics()).isEmpty();
  }

  @Test
  void shouldNotMakeAGoneTemporaryTopicAgain() {
    String address = addressOf(rig.send(Wire.receiver(0, 0, "in", source("other"))), 5);
    rig.send(Wire.detach(0, true));
    List<RawFrame> frames = rig.send(Wire.sender(0, 1, "late", Wire.target(address)));
    assertThat(of(frames, RawFrame.DETACH).get(0).condition(2)).isEqualTo("amqp:not-found");
    assertThat(rig.broker.topology().topics()).isEmpty();
  }

  /** Who was answered may rely on it: senders are refused from now on. */
  @Test
  void shouldAnswerTheDetachWhenTheNodeIsGone() {
    addressOf(rig.send(Wire.sender(0, 0, "creator", target("temporary-queue"))), 6);
    rig.broker.holdDeletions = true;
    assertThat(rig.send(Wire.detach(0, true))).isEmpty();
    rig.broker.heldDeletions.get(0).run();
    List<RawFrame> frames = rig.read();
    assertThat(frames).hasSize(1);
    assertThat(frames.get(0).code()).isEqualTo(RawFrame.DETACH);
    assertThat(frames.get(0).get(2)).isNull();
    assertThat(rig.broker.heldDeletions).hasSize(1);
  }
}
