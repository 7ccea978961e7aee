package io.amphora.amqp.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.delivery.SubscribeRequest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A link that is attached again on another session of its connection moves there (B23). */
class LinkStealingTest {

  private final EngineRig rig = new EngineRig();

  @BeforeEach
  void twoSessions() {
    rig.broker.withTopic("t", 1);
    rig.broker.withTopic("u", 1);
    rig.opened();
    rig.send(Wire.begin(1));
  }

  private static List<RawFrame> of(List<RawFrame> frames, int code) {
    return frames.stream().filter(f -> f.code() == code).toList();
  }

  /** The reply on channel 1, and what it brought to channel 0. */
  private static void assertStolen(List<RawFrame> frames) {
    List<RawFrame> detaches = of(frames, RawFrame.DETACH);
    assertThat(detaches).hasSize(1);
    assertThat(detaches.get(0).channel()).isZero();
    assertThat(detaches.get(0).get(1)).isEqualTo(true);
    assertThat(detaches.get(0).condition(2)).isEqualTo("amqp:link:stolen");
    assertThat(of(frames, RawFrame.ATTACH)).hasSize(1).allMatch(f -> f.channel() == 1);
  }

  private static void assertAttached(List<RawFrame> frames) {
    assertThat(frames.get(0).code()).isEqualTo(RawFrame.ATTACH);
    assertThat(of(frames, RawFrame.DETACH)).isEmpty();
  }

  @Test
  void shouldMoveAReceiverWithWhatItHeld() {
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    rig.send(Wire.transfer(9, 0L, Wire.message("m")));
    rig.send(Wire.receiver(0, 0, "L", Wire.source("t")));
    assertThat(of(rig.send(Wire.flow(0, 0L, 5, false, false)), RawFrame.TRANSFER)).hasSize(1);
    assertStolen(rig.send(Wire.receiver(1, 4, "L", Wire.source("t"))));
    assertThat(rig.broker.group(SubscribeRequest.queueOf("t")).memberCount()).isEqualTo(1);
    byte[] flow =
        Wire.frame(
            1,
            RawFrame.FLOW,
            Wire.u(1),
            Wire.u(99),
            Wire.u(0),
            Wire.u(99),
            Wire.u(4),
            Wire.u(0),
            Wire.u(5));
    List<RawFrame> again = of(rig.send(flow), RawFrame.TRANSFER);
    assertThat(again).hasSize(1).allMatch(f -> f.channel() == 1);
    assertThat(rig.send(Wire.disposition(true, 0, 0, true, Wire.accepted()), Wire.detach(0, true)))
        .as("late words of the client for the old one")
        .isEmpty();
  }

  @Test
  void shouldMoveASenderAndDropWhatIsUnderWayOnTheOldOne() {
    rig.send(Wire.sender(0, 0, "L", Wire.target("t")));
    assertStolen(rig.send(Wire.sender(1, 0, "L", Wire.target("t"))));
    List<RawFrame> late =
        rig.send(Wire.transfer(0, 0L, Wire.message("late")), Wire.detach(0, true));
    assertThat(of(late, RawFrame.DISPOSITION)).as("unknown to the client").isEmpty();
    assertThat(of(late, RawFrame.END)).isEmpty();
    assertThat(of(late, RawFrame.CLOSE)).isEmpty();
  }

  @Test
  void shouldLetAPairOfOppositeRoleLive() {
    assertAttached(rig.send(Wire.sender(0, 0, "L", Wire.target("t"))));
    assertAttached(rig.send(Wire.receiver(0, 1, "L", Wire.source("t"))));
    assertAttached(rig.send(Wire.sender(1, 0, "P", Wire.target("t"))));
    assertAttached(rig.send(Wire.receiver(0, 2, "P", Wire.source("t"))));
    assertThat(rig.linkCount).isEqualTo(4);
  }

  /** Some libraries number links anew in each session. */
  @Test
  void shouldLetEqualNamesForOtherAddressesLive() {
    assertAttached(rig.send(Wire.receiver(0, 0, "auto-0", Wire.source("t"))));
    assertAttached(rig.send(Wire.receiver(1, 0, "auto-0", Wire.source("u"))));
    assertAttached(rig.send(Wire.sender(0, 1, "auto-0", Wire.target(null))));
    assertAttached(rig.send(Wire.sender(1, 1, "auto-0", Wire.target(null))));
    assertThat(rig.linkCount).isEqualTo(4);
  }

  /** Others name links after their address. */
  @Test
  void shouldLetEqualNamesOfOneSessionLive() {
    assertAttached(rig.send(Wire.receiver(0, 0, "L", Wire.source("t"))));
    assertAttached(rig.send(Wire.receiver(0, 1, "L", Wire.source("t"))));
    assertThat(rig.linkCount).isEqualTo(2);
    List<RawFrame> both = rig.send(Wire.receiver(1, 0, "L", Wire.source("t")));
    assertThat(of(both, RawFrame.DETACH)).hasSize(2);
    assertThat(rig.linkCount).isEqualTo(1);
  }

  @Test
  void shouldStealBack() {
    rig.send(Wire.receiver(0, 0, "L", Wire.source("t")));
    assertStolen(rig.send(Wire.receiver(1, 0, "L", Wire.source("t"))));
    rig.send(Wire.detach(0, true));
    List<RawFrame> back = rig.send(Wire.receiver(0, 0, "L", Wire.source("t")));
    assertThat(of(back, RawFrame.DETACH)).hasSize(1).allMatch(f -> f.channel() == 1);
    assertThat(of(back, RawFrame.ATTACH)).hasSize(1).allMatch(f -> f.channel() == 0);
  }

  @Test
  void shouldNotStealFromALinkThatIsGone() {
    rig.send(Wire.receiver(0, 0, "L", Wire.source("t")));
    rig.send(Wire.detach(0, true));
    assertAttached(rig.send(Wire.receiver(1, 0, "L", Wire.source("t"))));
    rig.send(Wire.end(1));
    assertAttached(rig.send(Wire.receiver(0, 0, "L", Wire.source("t"))));
    assertThat(rig.linkCount).isEqualTo(1);
  }
}
