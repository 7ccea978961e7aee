package io.amphora.amqp.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.Situation;
import io.amphora.amqp.testkit.EncodedList;
import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How links and connections are refused, byte by byte (conventions 2.5 and 3.9). */
class RefusalBytesTest {

  private static final String TRUE = "41";
  private static final String FALSE = "42";

  private final EngineRig rig = new EngineRig(EngineRig.settings(true, 65536), false);

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<EncodedList> lists(byte[] written) {
    return EncodedList.frames(written).stream()
        .filter(frame -> frame[0] != 'A')
        .map(EncodedList::ofFrame)
        .toList();
  }

  private static void assertDetach(EncodedList detach, EncodedList attach, String condition) {
    assertThat(detach.code()).isEqualTo(RawFrame.DETACH);
    assertThat(detach.hex(0)).as("handle").isEqualTo(attach.hex(1));
    assertThat(detach.hex(1)).as("closed").isEqualTo(TRUE);
    assertThat(detach.list(2).hex(0)).endsWith(hex(condition));
  }

  @Test
  void shouldRefuseAReceiverWithANullSourceAndThenDetach() {
    rig.opened();
    byte[] attach =
        Wire.attach(
            0, 5, "r", true, new Object[] {1, 1, Wire.source("no"), Wire.target("mine"), null});
    List<EncodedList> frames = lists(rig.sendRaw(attach));
    assertThat(frames).hasSize(2);
    EncodedList reply = frames.get(0);
    assertThat(reply.fields()).hasSize(14);
    assertThat(reply.hex(0)).as("name").isEqualTo("a101" + hex("r"));
    assertThat(reply.hex(2)).as("role").isEqualTo(FALSE);
    assertThat(reply.hex(3)).as("snd-settle-mode").isEqualTo("5001");
    assertThat(reply.hex(4)).as("rcv-settle-mode").isEqualTo("5001");
    assertThat(reply.isNull(5)).as("source").isTrue();
    assertThat(reply.list(6).hex(0)).as("target").endsWith(hex("mine"));
    assertThat(reply.hex(9)).as("initial-delivery-count").isEqualTo("43");
    assertDetach(frames.get(1), reply, "amqp:not-found");
  }

  @Test
  void shouldRefuseASenderWithANullTargetAndThenDetach() {
    rig.opened();
    byte[] attach =
        Wire.attach(
            0, 5, "s", false, new Object[] {0, 0, Wire.source("me"), Wire.target("no"), Wire.u(9)});
    List<EncodedList> frames = lists(rig.sendRaw(attach));
    assertThat(frames).as("no flow comes with a refusal").hasSize(2);
    EncodedList reply = frames.get(0);
    assertThat(reply.hex(2)).as("role").isEqualTo(TRUE);
    assertThat(reply.hex(3)).as("snd-settle-mode").isEqualTo("5000");
    assertThat(reply.list(5).hex(0)).as("source").endsWith(hex("me"));
    assertThat(reply.isNull(6)).as("target").isTrue();
    assertDetach(frames.get(1), reply, "amqp:not-found");
  }

  @Test
  void shouldSayNothingMoreOnAHandleThatWasRefused() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    byte[] all =
        Wire.join(
            Wire.receiver(0, 5, "r", Wire.source("no")),
            Wire.flow(5, 0L, 10, true, true),
            Wire.disposition(true, 0, 3, true, Wire.accepted()));
    assertThat(lists(rig.sendRaw(all)))
        .extracting(EncodedList::code)
        .containsExactly(RawFrame.ATTACH, RawFrame.DETACH);
    assertThat(lists(rig.sendRaw(Wire.detach(5, true)))).isEmpty();
    assertThat(lists(rig.sendRaw(Wire.receiver(0, 5, "r", Wire.source("t")))))
        .extracting(EncodedList::code)
        .containsExactly(RawFrame.ATTACH);
  }

  private static void assertRefused(byte[] written, String condition) {
    List<byte[]> frames = EncodedList.frames(written);
    assertThat(frames).hasSize(3);
    assertThat(frames.get(0)).isEqualTo(Wire.AMQP);
    EncodedList open = EncodedList.ofFrame(frames.get(1));
    assertThat(open.code()).isEqualTo(RawFrame.OPEN);
    assertThat(open.fields()).hasSize(10);
    assertThat(open.hex(0)).as("container-id").isEqualTo("a1026231");
    assertThat(open.hex(9))
        .as("properties")
        .contains("a324" + hex("amqp:connection-establishment-failed") + TRUE);
    EncodedList close = EncodedList.ofFrame(frames.get(2));
    assertThat(close.code()).isEqualTo(RawFrame.CLOSE);
    assertThat(close.list(0).hex(0)).endsWith(hex(condition));
  }

  @Test
  void shouldOpenBeforeItClosesAConnectionThatBeginsWrong() {
    assertRefused(rig.sendRaw(Wire.join(Wire.AMQP, Wire.begin(0))), "amqp:illegal-state");
  }

  @Test
  void shouldOpenBeforeItClosesAConnectionThatCannotBeServed() {
    assertThat(rig.sendRaw(Wire.SASL)).isNotEmpty();
    rig.sendRaw(Wire.saslInit("ANONYMOUS", null));
    rig.engine.input(java.nio.ByteBuffer.wrap(Wire.AMQP), rig.loop.nowNanos());
    rig.engine.close(Situation.CONNECTION_FORCED.condition(), "the broker stops");
    rig.wake();
    rig.loop.runAll();
    assertRefused(rig.take(), "amqp:connection:forced");
    assertThat(rig.engine.inputDone()).as("the peer's close is waited for").isFalse();
    rig.sendRaw(Wire.close());
    assertThat(rig.engine.inputDone()).isTrue();
  }

  @Test
  void shouldNotCallALaterCloseAFailureToOpen() {
    EncodedList open = lists(rig.sendRaw(Wire.join(Wire.AMQP, Wire.open()))).get(0);
    assertThat(open.hex(9)).doesNotContain(hex("establishment-failed"));
  }
}
