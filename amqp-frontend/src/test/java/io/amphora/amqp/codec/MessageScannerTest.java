package io.amphora.amqp.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.amqp.testkit.Wire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MessageScannerTest {

  private static Object ul(int code) {
    return UnsignedLong.valueOf(code);
  }

  private static byte[] section(int code, Object value) {
    return Wire.encode(new Wire.Described(ul(code), value));
  }

  private static final byte[] HEADER = Wire.encode(Wire.list(0x70, true));
  private static final byte[] PROPERTIES =
      Wire.encode(
          Wire.list(0x73, "id", null, "to-x", null, null, null, null, null, null, null, "grp"));
  private static final byte[] APPLICATION = section(0x74, Map.of("a", 1));
  private static final byte[] DATA = Wire.message("hello");
  private static final byte[] VALUE = section(0x77, "text");
  private static final byte[] FOOTER = section(0x78, Map.of(Symbol.valueOf("f"), 1));

  private static byte[] annotations(Object value) {
    return section(0x72, Map.of(Symbol.valueOf("x-opt-partition-key"), value));
  }

  private static ScannedMessage scan(byte[]... parts) throws MalformedMessageException {
    byte[] all = Wire.join(parts);
    byte[] shifted = Wire.join(new byte[3], all, new byte[2]);
    return new MessageScanner().scan(shifted, 3, 3 + all.length);
  }

  private static String key(ScannedMessage message) {
    byte[] key = message.key();
    return key == null ? "none" : new String(key, StandardCharsets.UTF_8);
  }

  @Test
  void shouldFindAllSections() throws Exception {
    ScannedMessage m = scan(HEADER, annotations("k"), PROPERTIES, APPLICATION, DATA, DATA, FOOTER);
    assertThat(m.header().remaining()).isEqualTo(HEADER.length);
    assertThat(m.annotations().remaining()).isEqualTo(annotations("k").length);
    assertThat(m.body().remaining())
        .isEqualTo(PROPERTIES.length + APPLICATION.length + 2 * DATA.length + FOOTER.length);
    assertThat(m.to()).isEqualTo("to-x");
    assertThat(key(m)).isEqualTo("k");
  }

  @Test
  void shouldTakeTheKeyFromTheAnnotationElseTheGroup() throws Exception {
    assertThat(key(scan(annotations(Symbol.valueOf("sym")), PROPERTIES))).isEqualTo("sym");
    assertThat(key(scan(PROPERTIES, VALUE))).isEqualTo("grp");
    assertThat(key(scan(annotations(5), PROPERTIES))).isEqualTo("grp");
    assertThat(key(scan(VALUE))).isEqualTo("none");
  }

  @Test
  void shouldDropDeliveryAnnotationsAndTakeSymbolicDescriptors() throws Exception {
    byte[] hop = section(0x71, Map.of(Symbol.valueOf("h"), 1));
    byte[] symbolic =
        Wire.encode(new Wire.Described(Symbol.valueOf("amqp:amqp-value:*"), List.of(1, 2)));
    ScannedMessage m = scan(HEADER, hop, symbolic);
    assertThat(m.body().remaining()).isEqualTo(symbolic.length);
    assertThat(m.annotations().remaining()).isZero();
  }

  static List<byte[]> malformed() {
    return List.of(
        new byte[0],
        new byte[] {1},
        new byte[] {0, 0x53},
        Wire.join(DATA, HEADER),
        Wire.join(HEADER, HEADER),
        Wire.join(VALUE, VALUE),
        Wire.join(DATA, VALUE),
        Wire.join(FOOTER, DATA),
        Wire.encode(Wire.list(0x99, 1)),
        section(0x75, "no binary"),
        section(0x73, Map.of("a", 1)),
        section(0x72, List.of(1)),
        section(0x76, "no list"),
        new byte[] {0, 0x53, 0x72, (byte) 0xc1, 3, 1, 0x43, 0x43},
        new byte[] {0, 0x53, 0x70, (byte) 0xc0, 3, 3, 0x41, 0x40},
        new byte[] {0, 0x53, 0x70, (byte) 0xd0, 0x7f, -1, -1, -1, 0, 0, 0, 1},
        new byte[] {0, 0x53, 0x77, (byte) 0xb0, -1, -1, -1, -1});
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void shouldRefuseWhatIsNoMessage(byte[] bytes) {
    assertThatThrownBy(() -> new MessageScanner().scan(bytes, 0, bytes.length))
        .isInstanceOf(MalformedMessageException.class);
  }

  @Test
  void shouldEndInAnAnswerForAnyBytes() {
    byte[] good = Wire.join(HEADER, annotations("k"), PROPERTIES, APPLICATION, DATA, FOOTER);
    Random random = new Random(3);
    MessageScanner scanner = new MessageScanner();
    List<Integer> taken = new ArrayList<>();
    for (int round = 0; round < 50_000; round++) {
      byte[] bad = good.clone();
      for (int i = 0; i <= random.nextInt(4); i++) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
      }
      int end = random.nextInt(bad.length + 1);
      try {
        ScannedMessage m = scanner.scan(bad, 0, end);
        taken.add(m.body().remaining() + m.header().remaining() + m.annotations().remaining());
        m.key();
      } catch (MalformedMessageException e) {
        assertThat(e).hasMessageMatching("[a-z].*");
      }
    }
    assertThat(taken).isNotEmpty().allMatch(size -> size <= good.length);
  }
}
