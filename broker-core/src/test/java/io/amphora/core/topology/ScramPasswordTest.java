package io.amphora.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import org.junit.jupiter.api.Test;

class ScramPasswordTest {

  /** User, password, salt and count of the example in RFC 7677 section 3. */
  @Test
  void shouldDeriveTheKeysOfTheStandardsExample() {
    byte[] salt = Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ==");

    UserCredential user = ScramPassword.create("user", "admin", "pencil", salt, 4096);

    assertThat(user.storedKey()).isEqualTo("WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=");
    assertThat(user.serverKey()).isEqualTo("wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=");
  }

  @Test
  void shouldKnowTheRightPassword() {
    UserCredential user = ScramPassword.create("u", "admin", "sécret");

    assertThat(ScramPassword.verify(user, "sécret")).isTrue();
    assertThat(ScramPassword.verify(user, "se\u0301cret")).as("decomposed").isTrue();
    assertThat(ScramPassword.verify(user, "secret")).isFalse();
    assertThat(ScramPassword.verify(user, "")).isFalse();
    assertThat(user.toString()).doesNotContain(user.storedKey());
    assertThat(ScramPassword.create("u", "admin", "sécret").salt()).isNotEqualTo(user.salt());
  }

  @Test
  void shouldRefuseAnEmptyPassword() {
    assertThatThrownBy(() -> ScramPassword.create("u", "admin", ""))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
