package io.amphora.amqp.sasl;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.topology.ScramHash;
import io.amphora.core.topology.ScramKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The example of RFC 7677 section 3, and what differs from it. */
class ScramMechanismTest {

  private static final String SERVER_NONCE = "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
  private static final String NONCE = "rOprNGfwEbeRWgbNEkqO" + SERVER_NONCE;
  private static final String FIRST = "n,,n=user,r=rOprNGfwEbeRWgbNEkqO";
  private static final String PROOF = ",p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";

  private final List<String> asked = new ArrayList<>();

  private final ScramMechanism scram =
      new ScramMechanism(
          ScramHash.SHA_256,
          new CredentialCheck() {
            @Override
            public void check(String user, String password, Consumer<Verdict> done) {
              throw new AssertionError("no password travels");
            }

            @Override
            public ScramKeys scramKeys(String user, ScramHash hash) {
              asked.add(user);
              return new ScramKeys(
                  "W22ZaJ0SNY7soEsUEjb6gQ==",
                  4096,
                  "WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=",
                  "wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=");
            }
          },
          SERVER_NONCE);

  private String say(String text) {
    List<Step> steps = new ArrayList<>();
    scram.respond(Optional.of(text.getBytes(StandardCharsets.UTF_8)), steps::add);
    assertThat(steps).hasSize(1);
    return shown(steps.get(0));
  }

  private static String shown(Step step) {
    return step instanceof Step.Challenge challenge
        ? new String(challenge.content(), StandardCharsets.UTF_8)
        : step.toString();
  }

  @Test
  void shouldFollowTheExampleOfTheStandard() {
    assertThat(say(FIRST)).isEqualTo("r=" + NONCE + ",s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096");
    assertThat(say("c=biws,r=" + NONCE + PROOF))
        .isEqualTo("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
    assertThat(say("")).isEqualTo(new Step.Accepted(Identity.user("user")).toString());
    assertThat(asked).containsExactly("user");
  }

  /** The same conversation with the longer hash; values made with OpenSSL. */
  @Test
  void shouldProveTheServerWithSha512() {
    CredentialCheck keys =
        new CredentialCheck() {
          @Override
          public void check(String user, String password, Consumer<Verdict> done) {
            throw new AssertionError("no password travels");
          }

          @Override
          public ScramKeys scramKeys(String user, ScramHash hash) {
            assertThat(hash).isEqualTo(ScramHash.SHA_512);
            return new ScramKeys(
                "W22ZaJ0SNY7soEsUEjb6gQ==",
                4096,
                "6AAub3065EYRmyFpM2RNwqK+eGnrkYuEWbXn19LsEmBqzu8QaCXNc1FwpnX9NhH2hK/60dzj9DoO5DvVkOHbvg==",
                "jZHbYjC1aHh0/hKbxyBuGFjDrgjgKTT1esA7awWiKcRZ0o/0b1yWEebBeSVkkCFewf91nLDfKF24mvD5nmE6rA==");
          }
        };
    ScramMechanism longer = new ScramMechanism(ScramHash.SHA_512, keys, SERVER_NONCE);
    List<Step> steps = new ArrayList<>();
    longer.respond(Optional.of(FIRST.getBytes(StandardCharsets.UTF_8)), steps::add);
    String proof =
        ",p=gMGXRcevScNtxZ6/8lQYpGtnsNAc3mGcmNomv+xnoOMw+3R2xNJdMNnzMlTN8PPC6wdp6dybEmDYXYTxwnYPJQ==";
    longer.respond(
        Optional.of(("c=biws,r=" + NONCE + proof).getBytes(StandardCharsets.UTF_8)), steps::add);
    assertThat(shown(steps.get(1)))
        .isEqualTo(
            "v=ZQnYEgWQMFmmsM8aQMF0nDDCy/AgCzkwk8CmMZYcMg0vSVlKDanekLtifDSeVGT4+5ZxXnJq199RVG2rR7N7Zw==");
  }

  @Test
  void shouldAskForAMissingInitialResponse() {
    List<Step> steps = new ArrayList<>();
    scram.respond(Optional.empty(), steps::add);
    assertThat(shown(steps.get(0))).isEmpty();
    assertThat(say(FIRST)).startsWith("r=" + NONCE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "n,,n=a=2Cb=3D,r=x",
        "y,,n=a=2Cb=3D,r=x",
        "n,a=a=2Cb=3D,n=a=2Cb=3D,r=x",
        "n,,n=a=2Cb=3D,r=x,ext=1"
      })
  void shouldUnescapeTheName(String first) {
    assertThat(say(first)).startsWith("r=x" + SERVER_NONCE);
    assertThat(asked).containsExactly("a,b=");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "n,,",
        "n,,n=user",
        "n,,n=,r=x",
        "n,,n=user,r=",
        "n,,n=us=er,r=x",
        "n,,r=x,n=user",
        "n,a=other,n=user,r=x",
        "p=tls-unique,,n=user,r=x",
        "n,,m=ext,n=user,r=x",
        "n,,n=user,r=\u0007"
      })
  void shouldRefuseOtherFirstMessages(String first) {
    assertThat(say(first)).isEqualTo("Refused[code=AUTH]");
    assertThat(asked).isEmpty();
  }

  @Test
  void shouldRefuseANonceThatFitsInNoChallenge() {
    assertThat(say("n,,n=user,r=" + "x".repeat(257))).isEqualTo("Refused[code=AUTH]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c=biws,r=" + NONCE + ",p=eHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
        "c=biws,r=" + NONCE + ",p=",
        "c=biws,r=" + NONCE + ",p=%",
        "c=biws,r=" + NONCE,
        "c=biws,r=rOprNGfwEbeRWgbNEkqO" + PROOF,
        "c=eSws,r=" + NONCE + PROOF,
        "r=" + NONCE + PROOF,
        "c=biws,r=" + NONCE + "x" + PROOF,
        ""
      })
  void shouldRefuseAWrongProof(String last) {
    say(FIRST);
    assertThat(say(last)).isEqualTo("Refused[code=AUTH]");
  }
}
