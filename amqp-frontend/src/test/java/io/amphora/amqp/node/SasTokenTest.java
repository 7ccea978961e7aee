package io.amphora.amqp.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class SasTokenTest {

  /** A token as Azure's clients make it. */
  static String sign(String uri, long expirySeconds, String name, String key) {
    try {
      String resource = URLEncoder.encode(uri, StandardCharsets.UTF_8);
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      String text = resource + "\n" + expirySeconds;
      byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
      return "SharedAccessSignature sr=%s&sig=%s&se=%d&skn=%s"
          .formatted(
              resource,
              URLEncoder.encode(
                  Base64.getEncoder().encodeToString(signature), StandardCharsets.UTF_8),
              expirySeconds,
              URLEncoder.encode(name, StandardCharsets.UTF_8));
    } catch (java.security.GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void shouldKnowTheSignatureOfItsKey() {
    SasToken token = SasToken.parse(sign("amqp://h/my hub", 1_700_000_000, "n", "k")).orElseThrow();
    assertThat(token.isSignedWith("k")).isTrue();
    assertThat(token.isSignedWith("other")).isFalse();
    assertThat(token.keyName()).isEqualTo("n");
    assertThat(token.expiryMillis()).isEqualTo(1_700_000_000_000L);
    assertThat(token.path()).isEqualTo("my hub");
  }

  /** Computed with Python's hmac module, so that signer and checker are not one mistake. */
  @Test
  void shouldAgreeWithAnotherImplementation() {
    String text =
        "SharedAccessSignature sr=sb%3a%2f%2fns%2fhub&sig=TpDOYeY7V86bp25pWwsuuoBpGfGMXKltFJAZZ8qDn2M%3D&se=1700000000&skn=Root";
    SasToken token = SasToken.parse(text).orElseThrow();
    assertThat(token.isSignedWith("secret")).isTrue();
    assertThat(token.path()).isEqualTo("hub");
  }

  @Test
  void shouldNotAcceptAChangedExpiry() {
    String text = sign("sb://h/hub", 100, "n", "k").replace("se=100", "se=200");
    assertThat(SasToken.parse(text).orElseThrow().isSignedWith("k")).isFalse();
  }

  @Test
  void shouldReadThePathOfEveryFormOfUri() {
    assertThat(path("sb://ns.servicebus.windows.net/")).isEmpty();
    assertThat(path("sb://ns.servicebus.windows.net")).isEmpty();
    assertThat(path("amqps://ns:5671/hub/Partitions/1")).isEqualTo("hub/Partitions/1");
    assertThat(path("ns/hub/")).isEqualTo("hub");
  }

  private static String path(String uri) {
    return SasToken.parse(sign(uri, 1, "n", "k")).orElseThrow().path();
  }

  @Test
  void shouldRefuseWhatIsNoToken() {
    for (String text :
        new String[] {
          "",
          "SharedAccessSignature ",
          "SharedAccessSignature sr=a&sig=!!&se=1&skn=n",
          "SharedAccessSignature sr=a&sig=aa&se=x&skn=n",
          "SharedAccessSignature sr=a&sig=aa&skn=n",
          "SharedAccessSignature sr=a&sr=b&sig=aa&se=1&skn=n",
          "SharedAccessSignature sr=%zz&sig=%zz&se=1&skn=n",
          "Bearer abc",
          "SharedAccessSignature sr=" + "a".repeat(9000) + "&sig=aa&se=1&skn=n"
        }) {
      assertThat(SasToken.parse(text)).as(text).isEmpty();
    }
  }
}
