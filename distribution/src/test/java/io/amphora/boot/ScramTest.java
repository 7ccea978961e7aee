package io.amphora.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.topology.UserCredential;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class ScramTest {

  /** The exchange of RFC 7677 section 3. */
  @Test
  void shouldDeriveTheServerKeyOfTheStandardsExample() throws Exception {
    UserCredential user = Scram.derive("user", "admin", "pencil", "W22ZaJ0SNY7soEsUEjb6gQ==", 4096);
    String nonce = "rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
    String authMessage =
        "n=user,r=rOprNGfwEbeRWgbNEkqO,r="
            + nonce
            + ",s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,c=biws,r="
            + nonce;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(user.serverKey()), "HmacSHA256"));
    byte[] signature = mac.doFinal(authMessage.getBytes(StandardCharsets.US_ASCII));
    assertThat(Base64.getEncoder().encodeToString(signature))
        .isEqualTo("6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
  }

  @Test
  void shouldKnowItsPasswordAgainAndSaltEachTime() {
    UserCredential first = Scram.credential("anna", "admin", "pässword");
    UserCredential second = Scram.credential("anna", "admin", "pässword");
    assertThat(first.storedKey()).isNotEqualTo(second.storedKey());
    assertThat(Scram.matches(first, "pässword")).isTrue();
    assertThat(Scram.matches(first, "other")).isFalse();
  }
}
