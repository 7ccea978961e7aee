package io.amphora.amqp.sasl;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.proton.amqp.Binary;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In the texts, {@code |} stands for the separator of both forms, 0x01. */
class BearerMechanismTest {

  private static final long END = 1_700_000_100_000L;

  private final EngineRig rig = new EngineRig(EngineRig.settings(false, 65536), true);
  private final List<String> checked = new ArrayList<>();

  @BeforeEach
  void knowOneToken() {
    rig.tokens =
        token -> {
          checked.add(token);
          return switch (token) {
            case "good.t-o_k.en=" -> Reply.ok(Identity.token("ada", END));
            case "down" -> Reply.failed(ErrorCode.TIMEOUT, "later");
            default ->
                Reply.failed(ErrorCode.UNAUTHORIZED, "it has \"expired\"\n" + "x".repeat(900));
          };
        };
  }

  private static byte[] bytes(String text) {
    return text.replace('|', '\u0001').getBytes(StandardCharsets.UTF_8);
  }

  private List<RawFrame> login(String mechanism, String response) {
    return rig.send(
        Wire.SASL,
        Wire.saslInit(mechanism, response == null ? null : bytes(response)),
        Wire.AMQP,
        Wire.open());
  }

  private static String challenge(List<RawFrame> frames) {
    RawFrame last = frames.get(frames.size() - 1);
    assertThat(last.code()).isEqualTo(RawFrame.CHALLENGE);
    Binary content = (Binary) last.get(0);
    return new String(content.getArray(), content.getArrayOffset(), content.getLength());
  }

  @ParameterizedTest
  @CsvSource({
    "OAUTHBEARER, 'n,,|auth=Bearer good.t-o_k.en=||'",
    "OAUTHBEARER, 'n,a=ada,|host=h|port=5671|auth=Bearer good.t-o_k.en=||'",
    "OAUTHBEARER, 'y,a=ada,|auth=bearer  good.t-o_k.en=|host=h||'",
    "XOAUTH2, user=ada|auth=Bearer good.t-o_k.en=||",
    "XOAUTH2, user=|auth=Bearer good.t-o_k.en=||",
  })
  void shouldLetInWhoeverHasAGoodToken(String mechanism, String response) {
    assertThat(SaslTest.outcome(login(mechanism, response))).isZero();
    assertThat(checked).containsExactly("good.t-o_k.en=");
    assertThat(rig.engine.identity()).isEqualTo(Identity.token("ada", END));
  }

  /** RFC 7628 section 3.2.2: the error, whatever answer, the outcome; protonj2 answers nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"|", "", "whatever"})
  void shouldSayWhatIsWrongBeforeTheOutcome(String dummy) {
    rig.send(Wire.SASL);
    byte[] init = Wire.saslInit("OAUTHBEARER", bytes("n,,|auth=Bearer bad||"));
    byte[] raw = rig.sendRaw(init);
    assertThat(raw.length).isLessThan(512);
    assertThat(challenge(RawFrame.parse(raw)))
        .startsWith("{\"status\":\"invalid_token\",\"error_description\":\"it has ?expired??xxx")
        .endsWith("xxx\"}");
    assertThat(SaslTest.outcome(rig.send(Wire.saslResponse(bytes(dummy))))).isEqualTo(1);
    assertThat(rig.engine.outputDone()).isTrue();
  }

  /** rhea has no answer to a challenge of XOAUTH2. */
  @Test
  void shouldRefuseABadTokenOfXoauth2AtOnce() {
    List<RawFrame> frames = login("XOAUTH2", "user=ada|auth=Bearer bad||");
    assertThat(SaslTest.outcome(frames)).isEqualTo(1);
    assertThat(frames.get(frames.size() - 1).code()).isEqualTo(RawFrame.OUTCOME);
  }

  @ParameterizedTest
  @CsvSource({
    "OAUTHBEARER, 'n,,|auth=Bearer down||'",
    "XOAUTH2, user=ada|auth=Bearer down||",
  })
  void shouldTellToTryAgainWhenNobodyKnows(String mechanism, String response) {
    assertThat(SaslTest.outcome(login(mechanism, response))).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({
    "OAUTHBEARER, 'n,a=eve,|auth=Bearer good.t-o_k.en=||'",
    "XOAUTH2, user=eve|auth=Bearer good.t-o_k.en=||",
  })
  void shouldLetNobodyBeAnotherUserThanThatOfItsToken(String mechanism, String response) {
    rig.send(Wire.SASL, Wire.saslInit(mechanism, bytes(response)));
    assertThat(checked).hasSize(1);
    List<RawFrame> frames = rig.send(Wire.saslResponse(bytes("|")), Wire.AMQP, Wire.open());
    assertThat(frames).noneMatch(frame -> frame.code() == RawFrame.OPEN);
    assertThat(rig.engine.outputDone()).isTrue();
    assertThat(rig.engine.identity()).isEqualTo(Identity.ANONYMOUS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "|",
        "n,,|",
        "n,,||",
        "n,,|auth=Bearer||",
        "n,,|auth=Bearer ||",
        "n,,|auth=Basic abc||",
        "n,,|auth=Bearer a b||",
        "n,a=a=b,|auth=Bearer good.t-o_k.en=||",
        "n,b=ada,|auth=Bearer good.t-o_k.en=||",
        "p=tls-unique,,|auth=Bearer good.t-o_k.en=||",
        "x,,|auth=Bearer good.t-o_k.en=||",
        "|auth=Bearer good.t-o_k.en=||",
      })
  void shouldRefuseOtherForms(String response) {
    rig.send(Wire.SASL);
    List<RawFrame> frames = rig.send(Wire.saslInit("OAUTHBEARER", bytes(response)));
    assertThat(challenge(frames)).startsWith("{\"status\":\"invalid_request\"");
    assertThat(SaslTest.outcome(rig.send(Wire.saslResponse(bytes("|"))))).isEqualTo(1);
    assertThat(checked).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "|", "auth=Bearer good.t-o_k.en=||", "user=ada||", "user=ada|auth=||"})
  void shouldRefuseOtherFormsOfXoauth2(String response) {
    assertThat(SaslTest.outcome(login("XOAUTH2", response))).isEqualTo(1);
    assertThat(checked).isEmpty();
  }

  /** Field bug B07: clients that send no initial response. */
  @ParameterizedTest
  @CsvSource({
    "OAUTHBEARER, 'n,,|auth=Bearer good.t-o_k.en=||'",
    "XOAUTH2, user=ada|auth=Bearer good.t-o_k.en=||",
  })
  void shouldAskForAMissingInitialResponse(String mechanism, String response) {
    rig.send(Wire.SASL);
    assertThat(challenge(rig.send(Wire.saslInit(mechanism, null)))).isEmpty();
    assertThat(SaslTest.outcome(rig.send(Wire.saslResponse(bytes(response))))).isZero();
  }

  @Test
  void shouldEndTheConnectionWithTheToken() {
    List<RawFrame> frames = login("XOAUTH2", "user=ada|auth=Bearer good.t-o_k.en=||");
    assertThat(frames.get(frames.size() - 1).code()).isEqualTo(RawFrame.OPEN);
    long left = END - rig.loop.nowMillis();
    assertThat(rig.advance((left - 1) * 1_000_000)).noneMatch(f -> f.code() == RawFrame.CLOSE);
    List<RawFrame> last = rig.advance(2_000_000);
    assertThat(last).hasSize(1);
    assertThat(last.get(0).code()).isEqualTo(RawFrame.CLOSE);
    assertThat(last.get(0).condition(0)).isEqualTo("amqp:unauthorized-access");
  }

  @Test
  void shouldGoOnWithANewToken() {
    login("XOAUTH2", "user=ada|auth=Bearer good.t-o_k.en=||");
    rig.engine.identify(Identity.token("ada", END + 10_000));
    long left = END - rig.loop.nowMillis();
    assertThat(rig.advance((left + 9_000) * 1_000_000)).isEmpty();
    assertThat(rig.advance(2_000_000_000L).get(0).code()).isEqualTo(RawFrame.CLOSE);
  }
}
