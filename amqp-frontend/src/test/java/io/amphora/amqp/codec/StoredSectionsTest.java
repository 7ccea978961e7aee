package io.amphora.amqp.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.amqp.testkit.Wire;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.junit.jupiter.api.Test;

/** Values as an independent encoder writes them, read back as plugins see them. */
class StoredSectionsTest {

  private static final int APPLICATION = StoredSections.APPLICATION_PROPERTIES;

  private static byte[] section(int code, Object value) {
    return Wire.encode(new Wire.Described(UnsignedLong.valueOf(code), value));
  }

  private static StoredSections of(byte[]... parts) {
    byte[] all = Wire.join(parts);
    return new StoredSections(all, 0, all.length);
  }

  private static Object read(Object value) throws MalformedMessageException {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("before", "x");
    map.put("it", value);
    map.put("after", 5);
    return of(section(APPLICATION, map)).entry(APPLICATION, "it");
  }

  @Test
  void shouldReadAllTypes() throws MalformedMessageException {
    UUID uuid = UUID.randomUUID();
    assertThat(read(true)).isEqualTo(true);
    assertThat(read(false)).isEqualTo(false);
    assertThat(read((byte) -5)).isEqualTo(-5L);
    assertThat(read((short) -500)).isEqualTo(-500L);
    assertThat(read(-5)).isEqualTo(-5L);
    assertThat(read(-70_000)).isEqualTo(-70_000L);
    assertThat(read(-5L)).isEqualTo(-5L);
    assertThat(read(Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
    assertThat(read(UnsignedByte.valueOf((byte) -1))).isEqualTo(255L);
    assertThat(read(UnsignedShort.valueOf((short) -1))).isEqualTo(65_535L);
    assertThat(read(UnsignedInteger.valueOf(0))).isEqualTo(0L);
    assertThat(read(UnsignedInteger.valueOf(200))).isEqualTo(200L);
    assertThat(read(UnsignedInteger.valueOf(-1))).isEqualTo(0xFFFFFFFFL);
    assertThat(read(UnsignedLong.valueOf(0))).isEqualTo(0L);
    assertThat(read(UnsignedLong.valueOf(200))).isEqualTo(200L);
    assertThat(read(UnsignedLong.valueOf(-1))).isEqualTo(new BigInteger("18446744073709551615"));
    assertThat(read(1.5f)).isEqualTo(1.5);
    assertThat(read(1.5)).isEqualTo(1.5);
    assertThat(read('x')).isEqualTo("x");
    assertThat(read(new Date(-7))).isEqualTo(Instant.ofEpochMilli(-7));
    assertThat(read(uuid)).isEqualTo(uuid);
    assertThat(read(new Binary(new byte[] {1, 2}))).isEqualTo(new byte[] {1, 2});
    assertThat(read("größe")).isEqualTo("größe");
    assertThat(read("x".repeat(300))).isEqualTo("x".repeat(300));
    assertThat(read(Symbol.valueOf("s"))).isEqualTo("s");
    assertThat(read(null)).isNull();
    assertThat(read(Arrays.asList(1, "a", null))).isEqualTo(Arrays.asList(1L, "a", null));
    assertThat(read(Map.of("k", 1))).isEqualTo(Map.of("k", 1L));
    assertThat(read(new Symbol[] {Symbol.valueOf("a"), Symbol.valueOf("b")}))
        .isEqualTo(List.of("a", "b"));
    assertThat(read(new Integer[] {1, -2, 70_000})).isEqualTo(List.of(1L, -2L, 70_000L));
    assertThat(read(new Boolean[] {true, false})).isEqualTo(List.of(true, false));
    assertThat(read(new String[] {"x", "y".repeat(300)})).isEqualTo(List.of("x", "y".repeat(300)));
    assertThat(read(new Wire.Described(Symbol.valueOf("d"), "v"))).isEqualTo("v");
  }

  @Test
  void shouldFindFieldsAndEntriesOfTheirSections() throws MalformedMessageException {
    StoredSections sections =
        of(
            section(StoredSections.PROPERTIES, Arrays.asList("id", null, "to")),
            section(APPLICATION, Map.of("to", "other")),
            Wire.message("body"));
    assertThat(sections.field(StoredSections.PROPERTIES, 0)).isEqualTo("id");
    assertThat(sections.field(StoredSections.PROPERTIES, 1)).isNull();
    assertThat(sections.field(StoredSections.PROPERTIES, 2)).isEqualTo("to");
    assertThat(sections.field(StoredSections.PROPERTIES, 3)).isNull();
    assertThat(sections.entry(APPLICATION, "to")).isEqualTo("other");
    assertThat(sections.entry(APPLICATION, "from")).isNull();
    assertThat(of(Wire.message("body")).entry(APPLICATION, "to")).isNull();
    assertThat(of(Wire.message("body")).field(StoredSections.PROPERTIES, 0)).isNull();
    assertThat(of().entry(APPLICATION, "to")).isNull();
  }

  @Test
  void shouldReadWhatIsThereOfAMessageThatIsCutOff() throws MalformedMessageException {
    byte[] all =
        Wire.join(
            section(StoredSections.PROPERTIES, List.of("id")),
            section(APPLICATION, Map.of("long", "x".repeat(1000))));
    StoredSections cut = new StoredSections(all, 0, 100);
    assertThat(cut.field(StoredSections.PROPERTIES, 0)).isEqualTo("id");
    assertThatThrownBy(() -> cut.entry(APPLICATION, "long"))
        .isInstanceOf(MalformedMessageException.class);
  }

  @Test
  void shouldRefuseArraysThatLie() {
    // 2^31-1 elements without bytes
    byte[] map = {
      0,
      0x53,
      0x74,
      (byte) 0xc1,
      14,
      2,
      (byte) 0xa1,
      1,
      'a',
      (byte) 0xf0,
      0,
      0,
      0,
      5,
      0x7f,
      -1,
      -1,
      -1,
      0x41
    };
    assertThatThrownBy(() -> of(map).entry(APPLICATION, "a"))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("more elements");
  }

  @Test
  void shouldRefuseDeepNesting() {
    Object deep = "x";
    for (int i = 0; i < 12; i++) {
      deep = List.of(deep);
    }
    Object value = deep;
    assertThatThrownBy(() -> read(value)).hasMessageContaining("too deep");
  }
}
