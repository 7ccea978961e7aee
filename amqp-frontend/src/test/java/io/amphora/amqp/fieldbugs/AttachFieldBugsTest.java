package io.amphora.amqp.fieldbugs;

import static io.amphora.amqp.fieldbugs.Frames.of;
import static io.amphora.amqp.fieldbugs.Frames.only;
import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.delivery.SubscribeRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Field bugs of section B2 that have no test elsewhere: docs/hardening.md. */
class AttachFieldBugsTest {

  private final EngineRig rig = new EngineRig(EngineRig.settings(true, 65536), false);

  /** Field bug B23, its second half: opposite roles are two links. */
  @Test
  void shouldServeASenderAndAReceiverOfOneName() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(Wire.sender(0, 0, "L", Wire.target("t")), Wire.receiver(0, 1, "L", Wire.source("t")));
    List<RawFrame> frames =
        rig.send(
            Wire.flow(1, 0L, 1, false, false), Wire.transfer(0, 0L, Wire.message("through both")));
    assertThat(of(frames, RawFrame.DISPOSITION)).hasSize(1);
    assertThat(of(frames, RawFrame.TRANSFER)).hasSize(1);
    assertThat(of(frames, RawFrame.DETACH)).isEmpty();
  }

  /** Field bug B25. */
  @Test
  void shouldRefuseANullTerminusOnEitherSideAndServeTheSessionOn() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    List<RawFrame> receiver =
        rig.send(Wire.attach(0, 0, "r", true, new Object[] {null, null, null, null, null}));
    assertThat(only(receiver, RawFrame.ATTACH).get(5)).isNull();
    assertThat(only(receiver, RawFrame.DETACH).condition(2)).isEqualTo("amqp:not-found");
    List<RawFrame> sender =
        rig.send(Wire.attach(0, 1, "s", false, new Object[] {null, null, null, null, Wire.u(0)}));
    assertThat(only(sender, RawFrame.ATTACH).get(6)).isNull();
    assertThat(only(sender, RawFrame.DETACH).condition(2)).isEqualTo("amqp:invalid-field");
    rig.send(Wire.detach(0, true), Wire.detach(1, true));
    assertThat(of(rig.send(Wire.sender(0, 0, "s", Wire.target("t"))), RawFrame.FLOW)).hasSize(1);
  }

  /** Field bug B26: the attach that precedes the refusal is one a client can decode. */
  @Test
  void shouldAnswerAnUnknownAddressWithAWholeAttach() {
    rig.opened();
    List<RawFrame> frames =
        rig.send(
            Wire.attach(
                0, 3, "r", true, new Object[] {1, 1, Wire.source("no"), Wire.target("x"), null}));
    assertThat(frames).extracting(RawFrame::code).containsExactly(RawFrame.ATTACH, RawFrame.DETACH);
    RawFrame attach = frames.get(0);
    assertThat(attach.get(0)).isEqualTo("r");
    assertThat(attach.get(2)).as("role").isEqualTo(false);
    assertThat(attach.get(3)).as("snd-settle-mode").hasToString("1");
    assertThat(attach.get(4)).as("rcv-settle-mode").hasToString("1");
    assertThat(attach.get(5)).as("source").isNull();
    assertThat(attach.get(9)).as("initial-delivery-count").isNotNull();
    assertThat(frames.get(1).condition(2)).isEqualTo("amqp:not-found");
  }

  /** Field bug B31: durable is false by default and stored as it was sent. */
  @Test
  void shouldDeliverAMessageWithoutHeaderAsNotDurable() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(Wire.sender(0, 0, "s", Wire.target("t")), Wire.receiver(0, 1, "r", Wire.source("t")));
    rig.send(Wire.flow(1, 0L, 10, false, false));
    byte[] durable = Wire.join(Wire.encode(Wire.list(0x70, true)), Wire.message("b"));
    List<RawFrame> frames =
        rig.send(Wire.transfer(0, 0L, Wire.message("a")), Wire.transfer(0, 1L, durable));
    List<Object> flags =
        of(frames, RawFrame.TRANSFER).stream()
            .map(f -> ((List<?>) Frames.sections(f.payload()).get(0).getDescribed()).get(0))
            .map(Object.class::cast)
            .toList();
    assertThat(flags).containsExactly(false, true);
  }

  /** Field bug B34: what was attached is gone when it is detached, with no trace at the broker. */
  @Test
  void shouldForgetLinksThatAreDetachedOrEndedWithTheirSession() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    for (int i = 0; i < 20; i++) {
      rig.send(Wire.sender(0, i, "s" + i, Wire.target("t")));
      rig.send(Wire.receiver(0, 100 + i, "r" + i, Wire.source("t")));
    }
    assertThat(rig.linkCount).isEqualTo(40);
    for (int i = 0; i < 10; i++) {
      rig.send(Wire.detach(i, i % 2 == 0), Wire.detach(100 + i, true));
    }
    assertThat(rig.linkCount).isEqualTo(20);
    rig.send(Wire.end(0));
    assertThat(rig.linkCount).isZero();
    assertThat(rig.broker.group(SubscribeRequest.queueOf("t")).memberCount()).isZero();
  }
}
