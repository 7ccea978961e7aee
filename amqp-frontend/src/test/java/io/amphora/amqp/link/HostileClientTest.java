package io.amphora.amqp.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.engine.CredentialCheck;
import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.delivery.SubscribeRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients that vanish, loop, hurry or send odd but legal frames. */
class HostileClientTest {

  private static final byte[] PLAIN = "\0user\0pw".getBytes(StandardCharsets.UTF_8);

  private final EngineRig rig = new EngineRig();

  private static List<RawFrame> of(List<RawFrame> frames, int code) {
    return frames.stream().filter(f -> f.code() == code).toList();
  }

  @Test
  void shouldNotServeAClientThatLeftDuringThePasswordCheck() {
    rig.broker.withTopic("t", 1);
    rig.sendRaw(
        Wire.join(
            Wire.SASL,
            Wire.saslInit("PLAIN", PLAIN),
            Wire.AMQP,
            Wire.open(),
            Wire.begin(0),
            Wire.receiver(0, 0, "in", Wire.source("t")),
            Wire.flow(0, 0L, 10, false, false)));
    rig.engine.lost();
    rig.pendingCheck.accept(CredentialCheck.Verdict.OK);
    rig.loop.runAll();
    assertThat(rig.broker.requests).isEmpty();
    assertThat(rig.linkCount).isZero();
  }

  @Test
  void shouldForgetRefusedLinks() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    for (int i = 0; i < 100; i++) {
      rig.send(Wire.receiver(0, 0, "in" + i, Wire.source("a::b::c")));
      rig.send(Wire.detach(0, true));
    }
    assertThat(rig.linkCount).isZero();
  }

  @Test
  void shouldForgetLinksOfAttachAndDetachLoops() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    for (int i = 0; i < 3000; i++) {
      rig.send(
          Wire.receiver(0, 0, "in", Wire.source("t")),
          Wire.sender(0, 1, "out", Wire.target("t")),
          Wire.detach(0, true),
          Wire.detach(1, i % 2 == 0));
    }
    assertThat(rig.linkCount).isZero();
    assertThat(rig.broker.group(SubscribeRequest.queueOf("t")).memberCount()).isZero();
    assertThat(rig.loop.timers()).as("timers of links that are gone").isLessThan(10);
  }

  @Test
  void shouldForgetSessionsOfBeginAndEndLoops() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    for (int i = 0; i < 1000; i++) {
      rig.send(
          Wire.begin(1),
          Wire.attach(1, 0, "in", true, new Object[] {null, null, Wire.source("t"), null, null}),
          Wire.end(1));
    }
    assertThat(rig.linkCount).isZero();
    assertThat(rig.broker.group(SubscribeRequest.queueOf("t")).memberCount()).isZero();
  }

  @Test
  void shouldTakeTheLargestCreditThereIs() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    rig.send(Wire.receiver(0, 0, "in", Wire.source("t")));
    rig.send(Wire.flow(0, 0L, 0xFFFFFFFFL, false, false));
    List<RawFrame> frames = rig.send(Wire.transfer(9, 0L, Wire.message("m")));
    assertThat(of(frames, RawFrame.TRANSFER)).hasSize(1);
  }

  @Test
  void shouldTakeTransfersThatComeWithTheAttach() {
    rig.opened();
    List<RawFrame> frames =
        rig.send(
            Wire.sender(0, 9, "out", Wire.target("fresh")),
            Wire.transfer(9, 0L, Wire.message("a")),
            Wire.transfer(9, 1L, Wire.message("b")));
    assertThat(of(frames, RawFrame.ATTACH)).hasSize(1);
    RawFrame settled = of(frames, RawFrame.DISPOSITION).get(0);
    assertThat(settled.uint(1)).isZero();
    assertThat(settled.uint(2)).isEqualTo(1);
    assertThat(rig.broker.partition("fresh", 0).records()).hasSize(2);
  }

  @Test
  void shouldTakeEmptyFramesOfAMessage() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    List<RawFrame> frames =
        rig.send(
            Wire.transfer(9, 0L, new byte[0], false, true),
            Wire.transfer(9, null, Wire.message("a"), false, true),
            Wire.transfer(9, null, new byte[0], false, false),
            Wire.transfer(9, 1L, new byte[0], false, false),
            Wire.transfer(9, 2L, Wire.message("b"), false, false));
    assertThat(rig.broker.partition("t", 0).records()).hasSize(2);
    assertThat(of(frames, RawFrame.CLOSE)).isEmpty();
    assertThat(of(frames, RawFrame.DISPOSITION)).isNotEmpty();
  }

  @Test
  void shouldIgnoreDispositionsOverHolesAndOtherLinks() {
    rig.broker.withTopic("t", 1).withTopic("u", 1);
    rig.opened();
    rig.send(Wire.sender(0, 8, "o1", Wire.target("t")), Wire.sender(0, 9, "o2", Wire.target("u")));
    rig.send(
        Wire.receiver(0, 0, "in", Wire.source("t")), Wire.receiver(0, 1, "in2", Wire.source("u")));
    rig.send(Wire.flow(0, 0L, 10, false, false), Wire.flow(1, 0L, 10, false, false));
    rig.send(Wire.transfer(8, 0L, Wire.message("a")), Wire.transfer(9, 1L, Wire.message("b")));
    rig.send(Wire.transfer(8, 2L, Wire.message("c")));
    rig.send(Wire.disposition(true, 1, 1, true, Wire.accepted()));
    List<RawFrame> frames = rig.send(Wire.disposition(true, 0, 0x7FFFFFFF, true, Wire.accepted()));
    assertThat(frames).isEmpty();
    assertThat(rig.broker.group(SubscribeRequest.queueOf("t")).settled).hasSize(2);
    assertThat(rig.broker.group(SubscribeRequest.queueOf("u")).settled).hasSize(1);
    assertThat(rig.send(Wire.disposition(true, 0, 5, true, null))).isEmpty();
  }
}
