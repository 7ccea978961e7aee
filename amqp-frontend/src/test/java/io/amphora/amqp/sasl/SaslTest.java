package io.amphora.amqp.sasl;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SaslTest {

  private static byte[] plain(String text) {
    return text.replace('|', '\0').getBytes(StandardCharsets.UTF_8);
  }

  private static int outcome(List<RawFrame> frames) {
    RawFrame last =
        frames.stream().filter(f -> f.code() == RawFrame.OUTCOME).findFirst().orElseThrow();
    assertThat(last.fields()).hasSize(2);
    return ((UnsignedByte) last.get(0)).intValue();
  }

  @Test
  void shouldOfferMechanismsStrongestFirst() {
    List<RawFrame> frames = new EngineRig().send(Wire.SASL);
    assertThat(frames.get(0).channel()).isEqualTo(3);
    assertThat((Symbol[]) frames.get(1).get(0))
        .containsExactly(
            Symbol.valueOf("SCRAM-SHA-256"), Symbol.valueOf("PLAIN"), Symbol.valueOf("ANONYMOUS"));
  }

  @Test
  void shouldProcessEverythingThatIsPipelined() {
    EngineRig rig = new EngineRig();
    rig.broker.withTopic("t", 1);
    List<RawFrame> frames =
        rig.send(
            Wire.SASL,
            Wire.saslInit("ANONYMOUS", null),
            Wire.AMQP,
            Wire.open(),
            Wire.begin(0),
            Wire.sender(0, 0, "l", Wire.target("t")));
    assertThat(frames.stream().map(RawFrame::code))
        .containsExactly(
            RawFrame.HEADER,
            RawFrame.MECHANISMS,
            RawFrame.OUTCOME,
            RawFrame.HEADER,
            RawFrame.OPEN,
            RawFrame.BEGIN,
            RawFrame.ATTACH,
            RawFrame.FLOW);
  }

  @ParameterizedTest
  @CsvSource({"user|user|pw, user/pw", "|user|pw, user/pw"})
  void shouldCheckThePasswordOfPlain(String response, String checked) {
    EngineRig rig = new EngineRig();
    rig.send(Wire.SASL, Wire.saslInit("PLAIN", plain(response)), Wire.AMQP, Wire.open());
    assertThat(rig.checkedUser).isEqualTo(checked);
    assertThat(rig.engine.inputPaused()).isTrue();
    rig.pendingCheck.accept(CredentialCheck.Verdict.OK);
    List<RawFrame> frames = rig.read();
    assertThat(outcome(frames)).isZero();
    assertThat(frames.get(frames.size() - 1).code()).isEqualTo(RawFrame.OPEN);
    assertThat(rig.engine.identity()).isEqualTo(Identity.user("user"));
  }

  @ParameterizedTest
  @CsvSource({"other|user|pw", "user", "|user", "||pw", "|user|pw|more"})
  void shouldRefuseOtherFormsOfPlain(String response) {
    EngineRig rig = new EngineRig();
    assertThat(outcome(rig.send(Wire.SASL, Wire.saslInit("PLAIN", plain(response))))).isEqualTo(1);
    assertThat(rig.engine.outputDone()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"WRONG, 1", "UNAVAILABLE, 4"})
  void shouldTellAWrongPasswordFromTrouble(CredentialCheck.Verdict verdict, int code) {
    EngineRig rig = new EngineRig();
    rig.send(Wire.SASL, Wire.saslInit("PLAIN", plain("|user|pw")));
    rig.pendingCheck.accept(verdict);
    assertThat(outcome(rig.read())).isEqualTo(code);
  }

  @Test
  void shouldReadNothingAfterAFailedOutcome() {
    EngineRig rig = new EngineRig();
    List<RawFrame> frames =
        rig.send(Wire.SASL, Wire.saslInit("CRAM-MD5", null), Wire.AMQP, Wire.open(), Wire.begin(0));
    assertThat(outcome(frames)).isEqualTo(1);
    assertThat(frames.get(frames.size() - 1).code()).isEqualTo(RawFrame.OUTCOME);
    assertThat(rig.send(Wire.AMQP, Wire.open())).isEmpty();
  }

  @Test
  void shouldAskForAMissingInitialResponse() {
    EngineRig rig = new EngineRig();
    List<RawFrame> frames = rig.send(Wire.SASL, Wire.saslInit("PLAIN", null));
    assertThat(frames.get(frames.size() - 1).code()).isEqualTo(RawFrame.CHALLENGE);
    rig.send(Wire.saslResponse(plain("|user|pw")));
    assertThat(rig.checkedUser).isEqualTo("user/pw");
  }

  @Test
  void shouldStartWithoutSaslOnlyWhereAnonymousMayCome() {
    assertThat(new EngineRig().send(Wire.AMQP, Wire.open())).hasSize(2);
    EngineRig strict = new EngineRig(EngineRig.settings(false, 65536), true);
    List<RawFrame> frames = strict.send(Wire.AMQP, Wire.open());
    assertThat(frames).hasSize(1);
    assertThat(frames.get(0).channel()).isEqualTo(3);
    assertThat(strict.engine.outputDone()).isTrue();
  }

  @Test
  void shouldRefuseAnonymousWhereItIsOff() {
    EngineRig strict = new EngineRig(EngineRig.settings(false, 65536), true);
    assertThat(outcome(strict.send(Wire.SASL, Wire.saslInit("ANONYMOUS", null)))).isEqualTo(1);
  }

  @Test
  void shouldAnswerAWrongHeaderWithTheRightOne() {
    EngineRig rig = new EngineRig();
    assertThat(rig.send("GET / HT".getBytes(StandardCharsets.US_ASCII)).get(0).channel())
        .isEqualTo(3);
    assertThat(rig.engine.outputDone()).isTrue();
  }

  @Test
  void shouldGiveUpOnAPeerThatDoesNotFinish() {
    EngineRig rig = new EngineRig();
    rig.send(Wire.SASL);
    rig.advance(29_000_000_000L);
    assertThat(rig.engine.outputDone()).isFalse();
    rig.advance(10_000_000_000L);
    assertThat(rig.engine.outputDone()).isTrue();
  }
}
