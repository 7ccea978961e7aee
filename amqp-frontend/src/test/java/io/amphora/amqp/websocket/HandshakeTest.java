package io.amphora.amqp.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HandshakeTest {

  private static final Origins OWN = new Origins(List.of(), false);

  private final Map<String, List<String>> headers = new HashMap<>();

  HandshakeTest() {
    with("Host", "broker:5672");
    with("Upgrade", "websocket");
    with("Connection", "keep-alive, Upgrade");
    with("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
    with("Sec-WebSocket-Version", "13");
    with("Sec-WebSocket-Protocol", "amqp");
  }

  private HandshakeTest with(String name, String... values) {
    headers.put(name.toLowerCase(Locale.ROOT), List.of(values));
    return this;
  }

  private Handshake.Answer answer(String method, boolean http11) {
    return Handshake.decide(
        new Handshake.Asked(
            method, http11, name -> headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of())),
        OWN);
  }

  private int status() {
    return answer("GET", true).status();
  }

  /** The example of RFC 6455 section 1.3. */
  @Test
  void shouldProveThatItKnowsWebSocket() {
    assertThat(answer("GET", true).headers())
        .containsEntry("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  }

  @ParameterizedTest
  @CsvSource({
    "amqp, amqp",
    "AMQPWSB10, AMQPWSB10",
    "'binary, AMQPWSB10, amqp', AMQPWSB10",
    "'binary,amqp,AMQPWSB10', amqp",
    "AMQP, AMQP"
  })
  void shouldEchoTheFirstProtocolItKnowsAsItWasOffered(String offered, String chosen) {
    with("Sec-WebSocket-Protocol", offered);
    assertThat(answer("GET", true).headers()).containsEntry("Sec-WebSocket-Protocol", chosen);
  }

  @Test
  void shouldWriteTheWholeAnswer() {
    String text = new String(answer("GET", true).bytes(), StandardCharsets.US_ASCII);
    assertThat(text)
        .startsWith("HTTP/1.1 101 Switching Protocols\r\n")
        .contains("\r\nUpgrade: websocket\r\n", "\r\nConnection: Upgrade\r\n")
        .endsWith("\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"binary", "mqtt", "", "amqp2"})
  void shouldRefuseOtherProtocols(String offered) {
    assertThat(with("Sec-WebSocket-Protocol", offered).status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"8", "0", "x", "13, 8"})
  void shouldSayWhichVersionItSpeaks(String version) {
    with("Sec-WebSocket-Version", version);
    assertThat(status()).isEqualTo(426);
    assertThat(answer("GET", true).headers()).containsEntry("Sec-WebSocket-Version", "13");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "dGhlIHNhbXBsZSBub25jZQ", "AAAA", "dGhlIHNhbXBsZSBub25jZQ==AAAA"})
  void shouldRefuseKeysThatAreNone(String key) {
    int status = with("Sec-WebSocket-Key", key).status();
    assertThat(status).isEqualTo(key.equals("dGhlIHNhbXBsZSBub25jZQ") ? 101 : 400);
  }

  @Test
  void shouldRefuseTwoKeys() {
    with("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ==");
    assertThat(status()).isEqualTo(400);
  }

  @Test
  void shouldAskAnOrdinaryRequestToUpgrade() {
    headers.remove("upgrade");
    assertThat(status()).isEqualTo(426);
    assertThat(new String(answer("GET", true).bytes(), StandardCharsets.US_ASCII))
        .contains("\r\nConnection: close\r\n")
        .endsWith("this port speaks AMQP 1.0, also over WebSocket\n");
  }

  @Test
  void shouldRefuseOtherMethodsVersionsAndBodies() {
    assertThat(answer("POST", true).status()).isEqualTo(400);
    assertThat(answer("GET", false).status()).isEqualTo(400);
    assertThat(with("Content-Length", "0").status()).isEqualTo(101);
    assertThat(with("Content-Length", "7").status()).isEqualTo(400);
    headers.remove("content-length");
    assertThat(with("Transfer-Encoding", "chunked").status()).isEqualTo(400);
  }

  @Test
  void shouldRefusePagesOfOtherOrigins() {
    assertThat(with("Origin", "http://broker:5672").status()).isEqualTo(101);
    assertThat(with("Origin", "http://evil.example").status()).isEqualTo(403);
    assertThat(with("Origin", "http://broker:5672", "http://broker:5672").status()).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:5672, 127.0.0.1:5672, true, true",
    "http://localhost:5672, localhost:5672, true, true",
    "http://LOCALHOST:5672, localhost:5672, true, true",
    "'http://[::1]:5672', '[::1]:5672', true, true",
    "https://broker.example, broker.example:443, false, true",
    "https://broker.example:443, broker.example, false, true",
    "http://broker.example, broker.example:80, false, true",
    "http://broker.example:5672, broker.example:5672, false, true",
    // A name that was pointed to this machine.
    "http://evil.example:5672, evil.example:5672, true, false",
    "http://localhost:3000, localhost:5672, true, false",
    "http://localhost.evil.example:5672, localhost:5672, true, false",
    "null, broker:5672, false, false",
    "'', broker:5672, false, false",
    "http://, broker:5672, false, false",
    "http://user@broker:5672, broker:5672, false, true",
    "https://console.example, broker:5672, false, true",
    "https://CONSOLE.example, broker:5672, true, true",
    "https://console.example:8443, broker:5672, false, false",
  })
  void shouldKnowPagesByTheirOrigin(String origin, String host, boolean local, boolean permitted) {
    Origins origins = new Origins(List.of("https://console.example"), local);
    assertThat(origins.permits(Optional.of(origin), Optional.of(host))).isEqualTo(permitted);
  }

  @Test
  void shouldLetInWhoNamesNoOriginAndAllWithAStar() {
    assertThat(OWN.permits(Optional.empty(), Optional.empty())).isTrue();
    assertThat(OWN.permits(Optional.of("http://a"), Optional.empty())).isFalse();
    Origins all = new Origins(List.of("*"), true);
    assertThat(all.permits(Optional.of("null"), Optional.empty())).isTrue();
  }
}
