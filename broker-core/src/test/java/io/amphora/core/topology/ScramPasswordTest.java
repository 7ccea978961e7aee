package io.amphora.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScramPasswordTest {

  /** User, password, salt and count of the example in RFC 7677 section 3; SHA-512 by OpenSSL. */
  @ParameterizedTest
  @CsvSource({
    "SHA_256, WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=,"
        + " wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=",
    "SHA_512,"
        + " 6AAub3065EYRmyFpM2RNwqK+eGnrkYuEWbXn19LsEmBqzu8QaCXNc1FwpnX9NhH2hK/60dzj9DoO5DvVkOHbvg==,"
        + " jZHbYjC1aHh0/hKbxyBuGFjDrgjgKTT1esA7awWiKcRZ0o/0b1yWEebBeSVkkCFewf91nLDfKF24mvD5nmE6rA==",
  })
  void shouldDeriveTheKeysOfTheStandardsExample(ScramHash hash, String stored, String server) {
    String salt = "W22ZaJ0SNY7soEsUEjb6gQ==";
    assertThat(ScramKeys.derive(hash, "pencil", Base64.getDecoder().decode(salt), 4096))
        .isEqualTo(new ScramKeys(salt, 4096, stored, server));
  }

  @Test
  void shouldMakeKeysForEveryHash() {
    UserCredential user = ScramPassword.create("u", "admin", "secret");

    assertThat(user.isComplete()).isTrue();
    assertThat(user.keys().get(ScramHash.SHA_512).salt())
        .isNotEqualTo(user.keys().get(ScramHash.SHA_256).salt());
  }

  @Test
  void shouldKnowTheRightPassword() {
    UserCredential user = ScramPassword.create("u", "admin", "sécret");

    assertThat(ScramPassword.verify(user, "sécret")).isTrue();
    assertThat(ScramPassword.verify(user, "se\u0301cret")).as("decomposed").isTrue();
    assertThat(ScramPassword.verify(user, "secret")).isFalse();
    assertThat(ScramPassword.verify(user, "")).isFalse();
    String stored = user.keys().get(ScramHash.SHA_256).storedKey();
    assertThat(user.toString()).doesNotContain(stored);
    assertThat(ScramPassword.create("u", "admin", "sécret").keys().values())
        .doesNotContainAnyElementsOf(user.keys().values());
  }

  @Test
  void shouldRefuseAnEmptyPassword() {
    assertThatThrownBy(() -> ScramPassword.create("u", "admin", ""))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
