package io.amphora.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.sasl.CredentialCheck;
import io.amphora.amqp.server.LoginOptions.Claims;
import io.amphora.amqp.testkit.FakeBroker;
import io.amphora.amqp.testkit.ManualLoop;
import io.amphora.amqp.token.JwtOptions;
import io.amphora.amqp.token.Jwts;
import io.amphora.core.topology.ScramHash;
import io.amphora.core.topology.ScramPassword;
import io.amphora.core.topology.UserCredential;
import io.vertx.core.Vertx;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoginChecksTest {

  private final FakeBroker broker = new FakeBroker(new ManualLoop());
  private Vertx vertx;

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
  }

  @AfterEach
  void stop() {
    vertx.close();
  }

  private CredentialCheck checks(LoginOptions logins, boolean anonymous) {
    return new LoginChecks(vertx, broker, logins, anonymous).on(Runnable::run, Optional.empty());
  }

  /** A user of before SCRAM-SHA-512 existed. */
  private static UserCredential old() {
    UserCredential user = ScramPassword.create("old", "user", "secret");
    return new UserCredential(
        "old", "user", Map.of(ScramHash.SHA_256, user.keys().get(ScramHash.SHA_256)));
  }

  @Test
  void shouldOfferSha512OnlyWhenItWorksForAllUsers() {
    CredentialCheck checks = checks(LoginOptions.PLAIN, true);
    assertThat(checks.offers(ScramHash.SHA_512)).isTrue();
    broker.withUser(ScramPassword.create("ada", "user", "secret"));
    assertThat(checks.offers(ScramHash.SHA_512)).isTrue();
    broker.withUser(old());
    assertThat(checks.offers(ScramHash.SHA_512)).isFalse();
    assertThat(checks.offers(ScramHash.SHA_256)).isTrue();
  }

  /** What a peer sees of a user that is not there, or lacks keys, is like that of any other. */
  @Test
  void shouldNotShowWhichUsersThereAre() {
    broker.withUser(old());
    CredentialCheck checks = checks(LoginOptions.PLAIN, true);
    for (ScramHash hash : ScramHash.values()) {
      for (String name : List.of("nobody", "old")) {
        var keys = checks.scramKeys(name, hash);
        assertThat(checks.scramKeys(name, hash)).as("stable").isEqualTo(keys);
        assertThat(Base64.getDecoder().decode(keys.salt())).hasSize(16);
        assertThat(keys.iterations()).isEqualTo(ScramPassword.ITERATIONS);
        int bytes = hash == ScramHash.SHA_256 ? 32 : 64;
        assertThat(Base64.getDecoder().decode(keys.storedKey())).hasSize(bytes);
      }
      assertThat(checks.scramKeys("nobody", hash).salt())
          .isNotEqualTo(checks.scramKeys("anybody", hash).salt());
    }
    assertThat(checks.scramKeys("nobody", ScramHash.SHA_512).salt())
        .isNotEqualTo(checks.scramKeys("nobody", ScramHash.SHA_256).salt());
  }

  @ParameterizedTest
  @CsvSource({
    "NOWHERE, true, true, false",
    "WHERE_ANONYMOUS, true, false, true",
    "WHERE_ANONYMOUS, false, true, false",
    "EVERYWHERE, true, false, true",
    "EVERYWHERE, false, true, true",
    "EVERYWHERE, false, false, false",
  })
  void shouldHaveClaimsOnlyWhereTheyMeanSomething(
      Claims claims, boolean anonymous, boolean tokens, boolean expected) throws Exception {
    JwtOptions options =
        new JwtOptions(
            List.of(), Optional.of("s".repeat(32)), Optional.empty(), List.of(), "sub", 0);
    Optional<Jwts> jwts = tokens ? Optional.of(new Jwts(options)) : Optional.empty();
    CredentialCheck checks = checks(new LoginOptions(jwts, claims), anonymous);
    assertThat(checks.claims()).isEqualTo(expected);
    assertThat(checks.tokens().isPresent()).isEqualTo(tokens);
  }
}
