package io.amphora.amqp.sasl;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** SASL frames as no client of good will sends them: each ends the exchange with an outcome. */
class SaslFramesTest {

  private static final byte[] NONE = new byte[0];

  private final EngineRig rig = new EngineRig();

  private static byte[] header(int size, int offset, int type) {
    return ByteBuffer.allocate(8).putInt(size).put((byte) offset).put((byte) type).array();
  }

  static List<byte[]> notAnInit() {
    return List.of(
        Wire.frame(1, 0, NONE, NONE),
        header(7, 2, 1),
        header(0, 2, 1),
        header(-1, 2, 1),
        header((64 << 10) + 1, 2, 1),
        header(16, 1, 1),
        header(16, 5, 1),
        Wire.frame(0, 0, Wire.encode(Wire.list(0x41)), NONE),
        Wire.frame(2, 0, Wire.encode(Wire.list(0x41)), NONE),
        Wire.frame(1, 0, Wire.encode(Wire.list(0x41)), NONE),
        Wire.frame(1, 0, Wire.encode(Wire.list(0x40)), NONE),
        Wire.frame(1, 0, Wire.encode(Wire.list(0x44)), NONE),
        Wire.frame(1, 0, Wire.encode("text"), NONE),
        Wire.frame(1, 0, new byte[] {1, 2, 3}, NONE),
        Wire.open(),
        Wire.saslResponse(new byte[] {1}));
  }

  @ParameterizedTest
  @MethodSource("notAnInit")
  void shouldRefuseWhatIsNoInit(byte[] bytes) {
    List<RawFrame> frames = rig.send(Wire.SASL, bytes, Wire.saslInit("ANONYMOUS", null));
    assertThat(SaslTest.outcome(frames)).isEqualTo(1);
    assertThat(frames.get(frames.size() - 1).code()).isEqualTo(RawFrame.OUTCOME);
    assertThat(rig.engine.outputDone()).isTrue();
  }

  @Test
  void shouldTakeAnInitThatComesByteByByte() {
    rig.send(Wire.SASL);
    byte[] init = Wire.saslInit("ANONYMOUS", null);
    for (int i = 0; i < init.length - 1; i++) {
      assertThat(rig.sendRaw(new byte[] {init[i]})).isEmpty();
    }
    assertThat(SaslTest.outcome(rig.send(new byte[] {init[init.length - 1]}))).isZero();
  }

  /** Conventions 1.2: tokens do not fit into the 512 bytes of the standard. */
  @Test
  void shouldTakeALargeInit() {
    byte[] password = "x".repeat(60_000).getBytes(StandardCharsets.US_ASCII);
    rig.send(Wire.SASL, Wire.saslInit("PLAIN", Wire.join("\0u\0".getBytes(), password)));
    assertThat(rig.checkedUser).hasSize(60_002);
  }

  @Test
  void shouldRefuseASecondInit() {
    byte[] init = Wire.saslInit("PLAIN", null);
    assertThat(SaslTest.outcome(rig.send(Wire.SASL, init, init))).isEqualTo(1);
  }

  /** A login has as many steps as its mechanism: nobody is kept busy by more. */
  @Test
  void shouldRefuseFurtherResponses() {
    byte[] response = Wire.saslResponse("nonsense".getBytes(StandardCharsets.US_ASCII));
    rig.send(Wire.SASL, Wire.saslInit("PLAIN", null));
    assertThat(SaslTest.outcome(rig.send(response, response, response))).isEqualTo(1);
    assertThat(rig.send(response, response)).isEmpty();
  }

  @Test
  void shouldAnswerAnotherHeaderBehindTheOutcomeWithTheRightOne() {
    List<RawFrame> frames =
        rig.send(Wire.SASL, Wire.saslInit("ANONYMOUS", null), Wire.SASL, Wire.open());
    RawFrame last = frames.get(frames.size() - 1);
    assertThat(last.code()).isEqualTo(RawFrame.HEADER);
    assertThat(last.channel()).isZero();
    assertThat(rig.engine.outputDone()).isTrue();
  }

  @Test
  void shouldReadNoMoreThanABoundWhileItChecks() {
    rig.send(Wire.SASL, Wire.saslInit("PLAIN", "\0u\0p".getBytes(StandardCharsets.US_ASCII)));
    rig.send(new byte[130 << 10]);
    assertThat(rig.engine.outputDone()).isTrue();
    rig.pendingCheck.accept(CredentialCheck.Verdict.OK);
    assertThat(rig.read()).isEmpty();
  }
}
