package io.amphora.amqp.fieldbugs;

import static io.amphora.amqp.fieldbugs.Frames.only;
import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Field bugs of section B1 that have no test elsewhere: docs/hardening.md. */
class HandshakeFieldBugsTest {

  private final EngineRig rig = new EngineRig();

  private static byte[] withDoff(int doff) {
    byte[] frame = Wire.begin(1);
    frame[4] = (byte) doff;
    return frame;
  }

  private static byte[] truncated(byte[] frame) {
    byte[] cut = Arrays.copyOf(frame, frame.length - 3);
    ByteBuffer.wrap(cut).putInt(0, cut.length);
    return cut;
  }

  static List<byte[]> malformed() {
    return List.of(
        withDoff(0),
        withDoff(1),
        withDoff(255),
        truncated(Wire.begin(1)),
        truncated(Wire.sender(0, 0, "l", Wire.target("t"))),
        truncated(Wire.flow(0, 0L, 1, false, false)),
        Wire.frame(0, 0, new byte[] {0, 0x53}, new byte[0]),
        Wire.frame(0, 0, new byte[] {1, 2, 3}, new byte[0]),
        Wire.frame(0, 0, new byte[] {0, (byte) 0xa3, 1, 'x', 0x45}, new byte[0]),
        Wire.int32(7));
  }

  /** Field bug B01. */
  @ParameterizedTest
  @MethodSource("malformed")
  void shouldCloseOnAMalformedFrameAndServeTheOthers(byte[] bad) {
    EngineRig other = new EngineRig(rig).opened();
    rig.opened();
    RawFrame close = only(rig.send(bad, new byte[8]), RawFrame.CLOSE);
    assertThat(close.condition(0))
        .isIn("amqp:connection:framing-error", "amqp:decode-error", "amqp:invalid-field");
    assertThat(rig.engine.outputDone()).isTrue();
    assertThat(rig.send(Wire.begin(2))).isEmpty();
    assertThat(only(other.send(Wire.begin(1)), RawFrame.BEGIN).get(0)).hasToString("1");
  }

  /** A relative of field bug B01: found by the frame fuzz as an internal error. */
  @ParameterizedTest
  @ValueSource(ints = {0x11, 0x12, 0x13, 0x14, 0x15, 0x16})
  void shouldCloseOnAPerformativeWithoutAnyField(int code) {
    rig.opened();
    byte[] empty = {0, 0x53, (byte) code, 0x45};
    RawFrame close = only(rig.send(Wire.frame(0, 0, empty, new byte[0])), RawFrame.CLOSE);
    assertThat(close.condition(0)).isEqualTo("amqp:decode-error");
  }

  /** Field bug B02: the header alone is enough to refuse the frame. */
  @Test
  void shouldRefuseALargeFrameBeforeItIsThere() {
    rig.opened();
    RawFrame close =
        only(rig.send(Wire.int32(0x7FFFFFFF), new byte[] {2, 0, 0, 0}), RawFrame.CLOSE);
    assertThat(close.condition(0)).isEqualTo("amqp:connection:framing-error");
  }

  /** Field bug B04: the limit is ours, not an echo. */
  @Test
  void shouldAnnounceItsOwnFrameSizeToAClientWithASmallOne() {
    RawFrame open = only(rig.send(Wire.AMQP, Wire.open(512, null)), RawFrame.OPEN);
    assertThat(open.uint(2)).isEqualTo(65536);
    rig.broker.withTopic("t", 1);
    rig.send(Wire.begin(0), Wire.sender(0, 0, "l", Wire.target("t")));
    List<RawFrame> frames = rig.send(Wire.transfer(0, 0L, Wire.data(new byte[60_000])));
    assertThat(only(frames, RawFrame.DISPOSITION).described(4)).isEqualTo(0x24);
  }

  /** Field bug B14: without an idle-time-out of the peer there is nothing to beat for. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 0})
  void shouldSendNoHeartbeatsToAPeerWithoutATimeout(int millis) {
    rig.send(Wire.AMQP, Wire.open(65536, millis < 0 ? null : millis));
    assertThat(rig.advance(110_000_000_000L)).isEmpty();
    RawFrame close = only(rig.advance(60_000_000_000L), RawFrame.CLOSE);
    assertThat(close.condition(0)).isEqualTo("amqp:connection:forced");
  }

  /** Field bug B14: silence is the absence of bytes, empty frames are enough. */
  @Test
  void shouldKeepAPeerThatSendsHeartbeatsOnly() {
    rig.opened();
    for (int i = 0; i < 20; i++) {
      assertThat(rig.advance(60_000_000_000L)).isEmpty();
      assertThat(rig.send(Wire.frame(0, 0, new byte[0], new byte[0]))).isEmpty();
    }
    assertThat(rig.engine.outputDone()).isFalse();
  }

  /** Field bug B20, a relative: a detach of a handle that is not attached. */
  @Test
  void shouldEndTheSessionOnADetachOfAnUnknownHandle() {
    rig.opened();
    RawFrame end = only(rig.send(Wire.detach(7, true)), RawFrame.END);
    assertThat(end.condition(0)).isEqualTo("amqp:session:unattached-handle");
  }
}
