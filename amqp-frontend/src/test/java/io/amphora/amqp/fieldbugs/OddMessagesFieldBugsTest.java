package io.amphora.amqp.fieldbugs;

import static io.amphora.amqp.fieldbugs.Frames.of;
import static io.amphora.amqp.fieldbugs.Frames.only;
import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.topology.TopicConfig;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Field bugs of section B5 that have no test elsewhere: docs/hardening.md. */
class OddMessagesFieldBugsTest {

  private final EngineRig rig = new EngineRig();
  private long nextId;

  @BeforeEach
  void open() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(
        Wire.sender(0, 0, "out", Wire.target("t")), Wire.receiver(0, 1, "in", Wire.source("t")));
    rig.send(Wire.flow(1, 0L, 100, false, false));
  }

  private static byte[] section(int code, Object value) {
    return Wire.encode(new Wire.Described(UnsignedLong.valueOf(code), value));
  }

  private List<RawFrame> publish(byte[] message) {
    return rig.send(Wire.transfer(0, nextId++, message));
  }

  private static byte[] payload(List<RawFrame> frames) {
    return only(frames, RawFrame.TRANSFER).payload();
  }

  /** Field bug B74: the limit is announced, and it counts all sections. */
  @Test
  void shouldCountAllSectionsOfAMessageThatIsTooLarge() {
    rig.broker.withTopic("small", TopicConfig.DEFAULT.withMaxMessageBytes(1000));
    RawFrame attach =
        of(rig.send(Wire.sender(0, 2, "s", Wire.target("small"))), RawFrame.ATTACH).get(0);
    assertThat(attach.get(10)).hasToString("1000");
    byte[] annotations = section(0x72, Map.of(Symbol.valueOf("x-opt-a"), "a".repeat(600)));
    byte[] message = Wire.join(annotations, Wire.data(new byte[600]));
    RawFrame detach = only(rig.send(Wire.transfer(2, nextId++, message)), RawFrame.DETACH);
    assertThat(detach.condition(2)).isEqualTo("amqp:link:message-size-exceeded");
  }

  static List<byte[]> bodies() {
    return List.of(
        Wire.encode(Wire.list(0x73, "only properties")),
        section(0x74, Map.of("only", "application properties")),
        section(0x77, null),
        section(0x75, new Binary(new byte[0])),
        section(0x76, List.of()),
        section(0x77, List.of()),
        Wire.join(section(0x75, new Binary(new byte[0])), section(0x75, new Binary(new byte[0]))));
  }

  /** Field bug B76. */
  @ParameterizedTest
  @MethodSource("bodies")
  void shouldCarryMessagesWithNextToNothingInThem(byte[] message) {
    List<RawFrame> frames = publish(message);
    assertThat(only(frames, RawFrame.DISPOSITION).described(4)).isEqualTo(0x24);
    assertThat(payload(frames)).endsWith(message);
  }

  /** Field bug B76: nothing at all is no message, and costs the sender nothing but that. */
  @Test
  void shouldRejectAnEmptyTransferAndKeepTheLink() {
    assertThat(only(publish(new byte[0]), RawFrame.DISPOSITION).described(4)).isEqualTo(0x25);
    assertThat(only(publish(Wire.message("x")), RawFrame.DISPOSITION).described(4)).isEqualTo(0x24);
  }

  static List<byte[]> broken() {
    byte[] good = section(0x74, Map.of("key", "value"));
    byte[] cut = java.util.Arrays.copyOf(good, good.length - 2);
    byte[] count = good.clone();
    count[4] = (byte) 0xFF;
    return List.of(
        cut, count, new byte[] {0, 0x53, 0x75, (byte) 0xb0, 0x7f, -1, -1, -1}, new byte[] {0});
  }

  /** Field bug B77. */
  @ParameterizedTest
  @MethodSource("broken")
  void shouldDeliverTheMessageBehindABrokenOne(byte[] bad) {
    List<RawFrame> frames =
        rig.send(Wire.transfer(0, 0L, bad), Wire.transfer(0, 1L, Wire.message("good")));
    List<RawFrame> answers = of(frames, RawFrame.DISPOSITION);
    assertThat(answers).extracting(f -> f.described(4)).containsExactly(0x25L, 0x24L);
    assertThat(payload(frames)).endsWith(Wire.message("good"));
  }

  /** Field bug B82: no time overflows, in the header's rest of ttl neither. */
  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE, -1, 0})
  void shouldCarryExtremeTimes(long millis) {
    byte[] header = Wire.encode(Wire.list(0x70, true, null, Wire.u(0xFFFFFFFFL)));
    byte[] properties =
        Wire.encode(
            Wire.list(
                0x73,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                new Date(millis),
                new Date(millis)));
    byte[] bare = Wire.join(properties, Wire.message("x"));
    byte[] delivered = payload(publish(Wire.join(header, bare)));
    assertThat(delivered).endsWith(bare);
    List<?> head = (List<?>) Frames.sections(delivered).get(0).getDescribed();
    assertThat(head.get(2)).isEqualTo(UnsignedInteger.valueOf(-1));
  }

  /** Field bug B83: and every other number and type that decoders like to lose. */
  @Test
  void shouldCarryOddValuesByteForByte() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("byte", (byte) -1);
    values.put("short", (short) -1);
    values.put("int", -1);
    values.put("long", -1L);
    values.put("least", Long.MIN_VALUE);
    values.put("ulong", UnsignedLong.valueOf(-1L));
    values.put("nan", Double.NaN);
    values.put("char", '\uFFFF');
    values.put("null", null);
    values.put("uuid", new UUID(-1, -1));
    values.put("text", "\0\uD83D\uDE00\r\n");
    byte[] bare = Wire.join(section(0x74, values), section(0x77, List.of(-1, -1L)));
    byte[] smallForms = {0, 0x53, 0x77, (byte) 0xc0, 7, 3, 0x54, -1, 0x55, -1, 0x51, -1};
    assertThat(payload(publish(bare))).endsWith(bare);
    assertThat(payload(publish(smallForms))).endsWith(smallForms);
  }

  /** Field bug B85: arrays, binaries and keys of any name among the annotations. */
  @Test
  void shouldKeepAnnotationsOfAnyTypeAndName() {
    Map<Symbol, Object> sent = new LinkedHashMap<>();
    sent.put(Symbol.valueOf("x-opt-array"), new Symbol[] {Symbol.valueOf("a")});
    sent.put(Symbol.valueOf("binary"), new Binary(new byte[] {0, -1}));
    sent.put(Symbol.valueOf("no prefix"), List.of(Map.of("deep", 1L)));
    sent.put(Symbol.valueOf(""), null);
    byte[] delivered = payload(publish(Wire.join(section(0x72, sent), Wire.message("x"))));
    Map<?, ?> got = (Map<?, ?>) Frames.sections(delivered).get(1).getDescribed();
    for (Map.Entry<Symbol, Object> entry : sent.entrySet()) {
      assertThat(got.containsKey(entry.getKey())).as("%s", entry.getKey()).isTrue();
      assertThat(got.get(entry.getKey())).isEqualTo(entry.getValue());
    }
  }
}
