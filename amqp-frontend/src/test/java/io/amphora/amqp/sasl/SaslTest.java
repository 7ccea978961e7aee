package io.amphora.amqp.sasl;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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

  static int outcome(List<RawFrame> frames) {
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

  private static List<String> offered(EngineRig rig) {
    return Arrays.stream((Symbol[]) rig.send(Wire.SASL).get(1).get(0))
        .map(Symbol::toString)
        .toList();
  }

  @Test
  void shouldOfferOnlyWhatCanWork() {
    EngineRig all = new EngineRig();
    all.sha512 = true;
    all.claims = true;
    all.tokens = token -> Reply.ok(Identity.user("ada"));
    assertThat(offered(all))
        .containsExactly(
            "SCRAM-SHA-512",
            "SCRAM-SHA-256",
            "PLAIN",
            "OAUTHBEARER",
            "XOAUTH2",
            "MSSBCBS",
            "ANONYMOUS");
    EngineRig strict = new EngineRig(EngineRig.settings(false, 65536), true);
    assertThat(offered(strict)).containsExactly("SCRAM-SHA-256", "PLAIN");
  }

  /** Conventions 1.2: some clients read no larger SASL frame. */
  @Test
  void shouldOfferEverythingInLessThan512Bytes() {
    EngineRig all = new EngineRig();
    all.sha512 = true;
    all.claims = true;
    all.tokens = token -> Reply.ok(Identity.user("ada"));
    assertThat(all.sendRaw(Wire.SASL).length).isLessThan(8 + 512);
  }

  @ParameterizedTest
  @CsvSource({"SCRAM-SHA-512", "OAUTHBEARER", "XOAUTH2", "MSSBCBS", "EXTERNAL", "GSSAPI", "plain"})
  void shouldRefuseWhatWasNotOffered(String mechanism) {
    EngineRig rig = new EngineRig();
    assertThat(outcome(rig.send(Wire.SASL, Wire.saslInit(mechanism, plain("|user|pw")))))
        .isEqualTo(1);
    assertThat(rig.checkedUser).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"MSSBCBS", "ANONYMOUS"})
  void shouldLetAnonymousClientsWorkWithTheMechanismOfAzure(String mechanism) {
    EngineRig rig = new EngineRig();
    rig.claims = true;
    rig.send(Wire.SASL, Wire.saslInit(mechanism, null), Wire.AMQP, Wire.open());
    assertThat(rig.engine.identity()).isEqualTo(Identity.ANONYMOUS);
  }

  @ParameterizedTest
  @CsvSource({"MSSBCBS", "ANONYMOUS"})
  void shouldLetAClientWithoutATokenDoNothingElse(String mechanism) {
    EngineRig rig = new EngineRig(EngineRig.settings(false, 65536), true);
    rig.claims = true;
    rig.broker.withTopic("t", 1);
    List<RawFrame> frames =
        rig.send(
            Wire.SASL,
            Wire.saslInit(mechanism, null),
            Wire.AMQP,
            Wire.open(),
            Wire.begin(0),
            Wire.sender(0, 0, "out", Wire.target("t")),
            Wire.receiver(0, 1, "in", Wire.source("t")),
            Wire.sender(0, 2, "any", Wire.target(null)),
            Wire.sender(0, 3, "claims", Wire.target("$cbs")),
            Wire.receiver(0, 4, "answers", Wire.source("$cbs")));
    assertThat(frames.stream().filter(f -> f.code() == RawFrame.DETACH).map(f -> f.condition(2)))
        .hasSizeGreaterThanOrEqualTo(3)
        .startsWith(
            "amqp:unauthorized-access", "amqp:unauthorized-access", "amqp:unauthorized-access")
        .filteredOn("amqp:unauthorized-access"::equals)
        .hasSize(3);
    assertThat(rig.broker.requests).isEmpty();

    rig.engine.identify(Identity.user("ada"));
    List<RawFrame> after = rig.send(Wire.sender(0, 5, "again", Wire.target("t")));
    assertThat(after.stream().map(RawFrame::code)).containsExactly(RawFrame.ATTACH, RawFrame.FLOW);
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

  /** Nothing behind a failed login reaches the engine or the broker. */
  @Test
  void shouldHaveNoEffectOfWhatIsPipelinedBehindAFailedLogin() {
    EngineRig rig = new EngineRig(EngineRig.settings(false, 65536), true);
    List<RawFrame> frames =
        rig.send(
            Wire.SASL,
            Wire.saslInit("PLAIN", plain("nonsense")),
            Wire.AMQP,
            Wire.open(),
            Wire.begin(0),
            Wire.sender(0, 0, "l", Wire.target("t")),
            Wire.receiver(0, 1, "r", Wire.source("t")));
    assertThat(frames.stream().map(RawFrame::code))
        .containsExactly(RawFrame.HEADER, RawFrame.MECHANISMS, RawFrame.OUTCOME);
    assertThat(outcome(frames)).isEqualTo(1);
    assertThat(rig.engine.outputDone()).isTrue();
    assertThat(rig.linkCount).isZero();
    assertThat(rig.broker.requests).isEmpty();
    assertThat(rig.broker.topology().topics()).isEmpty();
  }

  /** The same while the check takes its time. */
  @Test
  void shouldHaveNoEffectOfWhatIsPipelinedBehindAWrongPassword() {
    EngineRig rig = new EngineRig();
    rig.send(
        Wire.SASL,
        Wire.saslInit("PLAIN", plain("|user|pw")),
        Wire.AMQP,
        Wire.open(),
        Wire.begin(0),
        Wire.sender(0, 0, "l", Wire.target("t")));
    rig.pendingCheck.accept(CredentialCheck.Verdict.WRONG);
    List<RawFrame> frames = rig.read();
    assertThat(frames.stream().map(RawFrame::code)).containsExactly(RawFrame.OUTCOME);
    assertThat(rig.linkCount).isZero();
    assertThat(rig.broker.topology().topics()).isEmpty();
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

  /** Conventions 1.5: an end without an outcome would be taken for a network failure. */
  @Test
  void shouldTellToTryAgainWhenACheckHangs() {
    EngineRig rig = new EngineRig();
    rig.send(Wire.SASL, Wire.saslInit("PLAIN", plain("|user|pw")));
    assertThat(outcome(rig.advance(40_000_000_000L))).isEqualTo(4);
    assertThat(rig.engine.outputDone()).isTrue();
    rig.pendingCheck.accept(CredentialCheck.Verdict.OK);
    assertThat(rig.read()).isEmpty();
    assertThat(rig.send(Wire.AMQP, Wire.open())).isEmpty();
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
