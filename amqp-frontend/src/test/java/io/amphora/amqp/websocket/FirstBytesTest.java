package io.amphora.amqp.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FirstBytesTest {

  private static final String REQUEST =
      "GET /any/path?x=y HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
          + "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
          + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: amqp\r\n\r\n";

  private int connected;
  private final EmbeddedChannel channel = new EmbeddedChannel();

  /** Time stands still before the handler looks at it first, but for {@link #pass}. */
  @BeforeEach
  void addHandler() {
    channel.freezeTime();
    WebSockets.Policy policy = new WebSockets.Policy(new Origins(List.of(), true), 1000);
    channel.pipeline().addLast(new FirstBytes(policy, () -> connected++));
  }

  private void in(String text) {
    in(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private void in(byte[] bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes));
  }

  private String above() {
    return text(channel.readInbound());
  }

  private String below() {
    return text(channel.readOutbound());
  }

  private static String text(ByteBuf bytes) {
    return bytes == null
        ? ""
        : new String(ByteBufUtil.getBytes(bytes), StandardCharsets.ISO_8859_1);
  }

  private void pass(long millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "AMQP\0\1\0\0",
        "A",
        "X",
        "\u0016\u0003\u0001",
        "GEM ",
        "GETX",
        "G\0",
        "POST / HTTP"
      })
  void shouldHandOnWhatIsNoGetRequestAndBeGone(String first) {
    in(first);
    assertThat(connected).isEqualTo(1);
    assertThat(above()).isEqualTo(first);
    assertThat(channel.pipeline().get(FirstBytes.class)).isNull();
    pass(2000);
    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void shouldWaitForBytesThatDecide() {
    in("GE");
    assertThat(connected).isZero();
    in("R");
    assertThat(above()).isEqualTo("GER");
  }

  @Test
  void shouldHangUpOnSilence() {
    pass(999);
    assertThat(channel.isOpen()).isTrue();
    pass(1);
    assertThat(channel.isOpen()).isFalse();
    assertThat(connected).isZero();
  }

  @Test
  void shouldHangUpOnASlowRequest() {
    in(REQUEST.substring(0, 40));
    pass(500);
    in(REQUEST.substring(40, 60));
    pass(500);
    assertThat(channel.isOpen()).isFalse();
    assertThat(connected).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 50, 1000})
  void shouldBecomeAWebSocketHoweverTheRequestIsCut(int piece) {
    for (int at = 0; at < REQUEST.length(); at += piece) {
      in(REQUEST.substring(at, Math.min(REQUEST.length(), at + piece)));
    }
    assertThat(below()).startsWith("HTTP/1.1 101 ");
    assertThat(connected).isEqualTo(1);
    in(ClientFrames.binary("AMQP".getBytes(StandardCharsets.US_ASCII)));
    assertThat(above()).isEqualTo("AMQP");
    channel.writeOutbound(Unpooled.copiedBuffer("AMQP\0\1\0\0", StandardCharsets.ISO_8859_1));
    assertThat(below()).isEqualTo("\u0082\u0008AMQP\0\1\0\0");
    assertThat(channel.pipeline().names()).contains("websocket").doesNotContain("http", "upgrade");
    pass(2000);
    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void shouldReadWhatWasSentBehindTheRequest() {
    byte[] frame = ClientFrames.binary("AMQP\0\1\0\0".getBytes(StandardCharsets.ISO_8859_1));
    in(REQUEST + new String(frame, StandardCharsets.ISO_8859_1));
    assertThat(below()).startsWith("HTTP/1.1 101 ");
    assertThat(above()).isEqualTo("AMQP\0\1\0\0");
  }

  @Test
  void shouldRefuseEndlessHeaders() {
    in("GET / HTTP/1.1\r\n");
    for (int i = 0; i < 1000 && channel.isOpen(); i++) {
      in("X-" + i + ": " + "y".repeat(100) + "\r\n");
    }
    assertThat(below()).startsWith("HTTP/1.1 431 ");
    assertThat(channel.isOpen()).isFalse();
    assertThat(connected).isZero();
  }

  @Test
  void shouldRefuseAnEndlessLine() {
    for (int i = 0; i < 1000 && channel.isOpen(); i++) {
      in("GET /" + "y".repeat(100));
    }
    assertThat(below()).startsWith("HTTP/1.1 414 ");
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void shouldSayToABrowserWhatThisIs() {
    in("GET / HTTP/1.1\r\nHost: localhost\r\n\r\nmore");
    assertThat(below()).startsWith("HTTP/1.1 426 ").contains("AMQP 1.0");
    assertThat(channel.isOpen()).isFalse();
    assertThat(connected).isZero();
  }

  @Test
  void shouldAnswerPingsAndTheClose() {
    in(REQUEST);
    below();
    in(ClientFrames.frame(0x89, new byte[] {'h', 'i'}));
    assertThat(below()).isEqualTo("\u008a\u0002hi");
    in(ClientFrames.frame(0x88, new byte[] {3, (byte) 0xe9}));
    assertThat(below()).isEqualTo("\u0088\u0002\u0003\u00e8");
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void shouldSayCloseAndWaitALittleForTheAnswer() {
    in(REQUEST);
    below();
    channel.pipeline().close();
    assertThat(below()).isEqualTo("\u0088\u0002\u0003\u00e8");
    in(ClientFrames.binary(new byte[] {1}));
    assertThat(above()).isEmpty();
    assertThat(channel.isOpen()).isTrue();
    pass(500);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void shouldHangUpOnceTheCloseIsAnswered() {
    in(REQUEST);
    channel.pipeline().close();
    in(ClientFrames.frame(0x88, new byte[0]));
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void shouldSayWhyItHangsUp() {
    in(REQUEST);
    below();
    in(ClientFrames.frame(0x81, new byte[] {'x'}));
    assertThat(below()).startsWith("\u0088").contains("binary");
    assertThat(channel.isOpen()).isFalse();
  }
}
