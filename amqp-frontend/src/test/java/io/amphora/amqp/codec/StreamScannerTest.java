package io.amphora.amqp.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.amqp.testkit.Wire;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.junit.jupiter.api.Test;

class StreamScannerTest {

  private static final byte[] HEADER = Wire.encode(Wire.list(0x70, true));
  private static final byte[] ANNOTATIONS = map(0x72, "x-opt-partition-key", "k1");
  private static final byte[] PROPERTIES = Wire.encode(Wire.list(0x73, "id", null, "to"));
  private static final byte[] FOOTER = map(0x78, "sum", "1");

  private static byte[] map(int code, String key, Object value) {
    return Wire.encode(
        new Wire.Described(UnsignedLong.valueOf(code), Map.of(Symbol.valueOf(key), value)));
  }

  private static byte[] value(Object value) {
    return Wire.encode(new Wire.Described(UnsignedLong.valueOf(0x77), value));
  }

  private static final byte[] NESTED =
      value(
          new Wire.Described(
              new Wire.Described(Symbol.valueOf("outer"), "x".repeat(300)), List.of(1, 2)));

  private static final byte[] NAMED =
      Wire.encode(new Wire.Described(Symbol.valueOf("amqp:data:binary"), binary(300)));

  private static org.apache.qpid.proton.amqp.Binary binary(int size) {
    return new org.apache.qpid.proton.amqp.Binary(new byte[size]);
  }

  private static byte[] part(byte[] bytes, int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }

  /** The verdict on a message that is cut at one place and then into pieces of that size. */
  private static Optional<String> streamed(byte[] message, int first, int piece) {
    StreamScanner scanner = new StreamScanner();
    try {
      scanner.begin(message, 0, first);
      for (int at = first; at < message.length; at += piece) {
        scanner.feed(message, at, Math.min(message.length, at + piece));
      }
      scanner.end();
      return Optional.empty();
    } catch (MalformedMessageException e) {
      return Optional.of(e.getMessage());
    }
  }

  private static void assertGoodHoweverCut(byte[] head, byte[] rest) throws Exception {
    byte[] message = Wire.join(head, rest);
    new MessageScanner().scan(message, 0, message.length);
    for (int first = head.length; first <= message.length; first++) {
      for (int piece : new int[] {1, 2, 7, 1000}) {
        assertThat(streamed(message, first, piece)).as("cut at %d, %d", first, piece).isEmpty();
      }
    }
  }

  @Test
  void shouldTakeGoodMessagesHoweverTheyAreCut() throws Exception {
    byte[] head = Wire.join(HEADER, ANNOTATIONS, PROPERTIES);
    byte[] data = Wire.data(new byte[50]);
    assertGoodHoweverCut(head, Wire.join(data, data, FOOTER));
    assertGoodHoweverCut(head, Wire.join(data, NAMED, Wire.data(new byte[0])));
    assertGoodHoweverCut(head, Wire.join(NESTED, FOOTER));
    assertGoodHoweverCut(head, value(null));
    assertGoodHoweverCut(head, Wire.encode(Wire.list(0x76, 1, "two")));
    assertGoodHoweverCut(head, FOOTER);
    assertGoodHoweverCut(head, new byte[0]);
  }

  @Test
  void shouldRefuseWhatTheWholeScannerRefusesHoweverItIsCut() {
    byte[] data = Wire.data(new byte[50]);
    List<byte[]> bad =
        List.of(
            Wire.join(data, PROPERTIES),
            Wire.join(data, value(1)),
            Wire.join(value(1), value(2)),
            Wire.join(FOOTER, data),
            Wire.join(data, FOOTER, FOOTER),
            Wire.join(data, new byte[] {1}),
            Wire.join(data, new byte[] {0}),
            Wire.join(data, new byte[] {0, 0x53, 0x79, 0x40}),
            Wire.join(data, new byte[] {0, 0x53, 0x75, 0x40}),
            Wire.join(data, new byte[] {0, 0x53, 0x76, (byte) 0xa0, 0}),
            Wire.join(data, map(0x78, "k", 1), new byte[] {0}),
            Wire.join(data, part(FOOTER, 0, FOOTER.length - 1)),
            Wire.join(data, new byte[40]),
            part(data, 0, data.length - 1));
    for (byte[] body : bad) {
      byte[] message = Wire.join(HEADER, body);
      assertThatThrownBy(() -> new MessageScanner().scan(message, 0, message.length))
          .as(Arrays.toString(body))
          .isInstanceOf(MalformedMessageException.class);
      for (int first = HEADER.length; first <= message.length; first++) {
        for (int piece : new int[] {1, 3, 1000}) {
          assertThat(streamed(message, first, piece))
              .as("%s cut at %d, %d", Arrays.toString(body), first, piece)
              .isPresent();
        }
      }
    }
  }

  @Test
  void shouldKeepWhatIsInFrontOfTheBody() throws Exception {
    byte[] hop = map(0x71, "hop", 1);
    byte[] message = Wire.join(HEADER, hop, ANNOTATIONS, PROPERTIES, Wire.data(new byte[99]));
    StreamScanner.Head head = new StreamScanner().begin(message, 0, message.length);
    Arrays.fill(message, (byte) 0);
    assertThat(bytes(head.sections().header())).isEqualTo(HEADER);
    assertThat(bytes(head.sections().annotations())).isEqualTo(ANNOTATIONS);
    assertThat(new String(head.sections().key(), StandardCharsets.UTF_8)).isEqualTo("k1");
    assertThat(head.sections().to()).isEqualTo("to");
    assertThat(head.bareStart()).isEqualTo(HEADER.length + hop.length + ANNOTATIONS.length);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  @Test
  void shouldSayThatTheHeadIsTooLong() {
    byte[] properties = Wire.encode(Wire.list(0x73, "x".repeat(20_000)));
    assertThat(streamed(properties, properties.length - 1, 1)).get().asString().contains("1048576");
    byte[] late = Wire.join(HEADER, PROPERTIES, Wire.data(new byte[1]));
    assertThat(streamed(late, HEADER.length + 1, 9)).get().asString().contains("1048576");
  }

  @Test
  void shouldSkipBodiesOfManyMegabytesWithoutKeepingThem() throws Exception {
    StreamScanner scanner = new StreamScanner();
    byte[] start = {0, 0x53, 0x75, (byte) 0xb0, 0x7f, 0, 0, 0};
    scanner.begin(start, 0, start.length);
    byte[] piece = new byte[1 << 24];
    for (int i = 0; i < 127; i++) {
      scanner.feed(piece, 0, piece.length);
    }
    scanner.end();
    scanner.feed(FOOTER, 0, FOOTER.length);
    scanner.end();
  }

  @Test
  void shouldRefuseAFooterOfMoreThanAMegabyte() throws Exception {
    StreamScanner scanner = new StreamScanner();
    byte[] start = {0, 0x53, 0x78, (byte) 0xd1, 0x7f, 0, 0, 0};
    scanner.begin(start, 0, start.length);
    byte[] piece = new byte[1 << 20];
    assertThatThrownBy(
            () -> {
              scanner.feed(piece, 0, piece.length);
              scanner.feed(piece, 0, piece.length);
            })
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("footer");
  }

  @Test
  void shouldNotFollowEndlessDescriptors() {
    byte[] zeros = new byte[100_000];
    assertThat(streamed(zeros, 90_000, 1000)).get().asString().contains("nested too deep");
  }
}
