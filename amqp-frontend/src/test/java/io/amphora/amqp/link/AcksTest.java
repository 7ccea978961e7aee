package io.amphora.amqp.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.FakePartition;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.AppendRequest;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.topology.TopicConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AcksTest {

  private final EngineRig rig = new EngineRig();

  @BeforeEach
  void open() {
    rig.broker.withTopic("t", 1);
    rig.opened();
  }

  private FakePartition partition() {
    return rig.broker.partition("t", 0);
  }

  private List<RawFrame> attach(Object acks) {
    Map<Symbol, Object> properties =
        Map.of(Symbol.valueOf("amphora:acks"), acks, Symbol.valueOf("mine"), 1);
    return rig.send(
        Wire.frame(
            0,
            RawFrame.ATTACH,
            "out",
            Wire.u(0),
            false,
            null,
            null,
            Wire.source("s"),
            Wire.target("t"),
            null,
            null,
            Wire.u(0),
            null,
            null,
            null,
            properties));
  }

  private static List<RawFrame> of(List<RawFrame> frames, int code) {
    return frames.stream().filter(f -> f.code() == code).toList();
  }

  @Test
  void shouldAskForTheAcksOfTheLink() {
    for (Object one : List.of(1, UnsignedInteger.ONE, "1")) {
      RawFrame answer = of(attach(one), RawFrame.ATTACH).get(0);
      assertThat(answer.get(13)).isEqualTo(Map.of(Symbol.valueOf("amphora:acks"), one));
      rig.send(Wire.transfer(0, 0L, Wire.message("m")));
      rig.send(Wire.detach(0, true));
    }
    attach(Symbol.valueOf("all"));
    rig.send(Wire.transfer(0, 0L, Wire.message("m")));
    assertThat(partition().appends)
        .extracting(r -> r.acks())
        .containsExactly(Acks.LEADER, Acks.LEADER, Acks.LEADER, Acks.ALL);
  }

  @Test
  void shouldAcceptAtOnceWithoutAcks() {
    attach(0);
    partition().silent = true;
    List<RawFrame> frames =
        rig.send(Wire.transfer(0, 0L, Wire.message("a")), Wire.transfer(0, 1L, Wire.message("b")));
    RawFrame answer = of(frames, RawFrame.DISPOSITION).get(0);
    assertThat(answer.uint(1)).isZero();
    assertThat(answer.get(3)).isEqualTo(true);
    assertThat(answer.described(4)).isEqualTo(0x24);
    assertThat(partition().appends).hasSize(1);
    assertThat(partition().appends.get(0).acks()).isEqualTo(Acks.LEADER);
  }

  @Test
  void shouldEndTheLinkWhenAnUnansweredMessageIsRefused() {
    attach("0");
    partition().forced =
        Optional.of(
            new AppendResult.Refused(new BrokerException(ErrorCode.RESOURCE_LIMIT, "full")));
    List<RawFrame> frames = rig.send(Wire.transfer(0, 0L, Wire.message("a")));
    assertThat(of(frames, RawFrame.DETACH).get(0).condition(2))
        .isEqualTo("amqp:resource-limit-exceeded");
  }

  @Test
  void shouldDoWhatTheTopicSaysWhenTheLinkDoesNot() {
    rig.broker.withTopic("one", TopicConfig.DEFAULT.withAcks(Acks.LEADER));
    rig.send(Wire.sender(0, 0, "a", Wire.target("one")));
    rig.send(Wire.transfer(0, 0L, Wire.message("m")));
    assertThat(rig.broker.partition("one", 0).appends)
        .extracting(AppendRequest::acks)
        .containsExactly(Acks.LEADER);
    rig.send(Wire.detach(0, true));
    attach("all");
    rig.send(Wire.transfer(0, 0L, Wire.message("m")));
    assertThat(partition().appends).extracting(r -> r.acks()).containsExactly(Acks.ALL);
  }

  @Test
  void shouldAcceptAtOnceWhenTheTopicAsksForNoAcks() {
    rig.broker.withTopic("none", TopicConfig.DEFAULT.withAcks(Acks.NONE));
    rig.send(Wire.sender(0, 0, "a", Wire.target("none")));
    rig.broker.partition("none", 0).silent = true;
    List<RawFrame> frames = rig.send(Wire.transfer(0, 0L, Wire.message("a")));
    assertThat(of(frames, RawFrame.DISPOSITION).get(0).described(4)).isEqualTo(0x24);
    assertThat(rig.broker.partition("none", 0).appends.get(0).acks()).isEqualTo(Acks.LEADER);
  }

  @Test
  void shouldRefuseWhatIsNoNumberOfAcks() {
    List<RawFrame> frames = attach(2);
    assertThat(of(frames, RawFrame.ATTACH).get(0).get(6)).isNull();
    assertThat(of(frames, RawFrame.DETACH).get(0).condition(2)).isEqualTo("amqp:invalid-field");
  }
}
