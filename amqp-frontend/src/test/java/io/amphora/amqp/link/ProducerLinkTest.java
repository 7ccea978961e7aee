package io.amphora.amqp.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.topology.TopicConfig;
import io.amphora.wal.LogRecord;
import io.amphora.wal.codec.Compression;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.junit.jupiter.api.Test;

class ProducerLinkTest {

  private final EngineRig rig = new EngineRig();

  private List<RawFrame> attach(Object target) {
    rig.broker.withTopic("t", 4);
    rig.opened();
    return rig.send(Wire.sender(0, 0, "l", target));
  }

  private static List<RawFrame> of(List<RawFrame> frames, int code) {
    return frames.stream().filter(f -> f.code() == code).toList();
  }

  private List<LogRecord> stored(String topic) {
    List<LogRecord> all = new ArrayList<>();
    int count = rig.broker.topology().topics().get(topic).partitions().size();
    for (int i = 0; i < count; i++) {
      all.addAll(rig.broker.partition(topic, i).records());
    }
    return all;
  }

  private static String rejection(RawFrame disposition) {
    assertThat(disposition.described(4)).isEqualTo(0x25);
    Object rejected =
        ((org.apache.qpid.proton.amqp.DescribedType) disposition.get(4)).getDescribed();
    Object error = ((List<?>) rejected).get(0);
    List<?> fields = (List<?>) ((org.apache.qpid.proton.amqp.DescribedType) error).getDescribed();
    assertThat(fields).hasSize(3);
    assertThat(fields.get(1)).isNotNull();
    return fields.get(0).toString();
  }

  @Test
  void shouldStoreTheSectionsAsTheyWereSent() {
    attach(Wire.target("t/Partitions/2"));
    byte[] header = Wire.encode(Wire.list(0x70, true));
    byte[] hop = Wire.encode(new Wire.Described(ul(0x71), Map.of(Symbol.valueOf("x"), 1)));
    byte[] annotations =
        Wire.encode(
            new Wire.Described(ul(0x72), Map.of(Symbol.valueOf("x-opt-partition-key"), "k1")));
    byte[] body = Wire.join(Wire.encode(Wire.list(0x73, "id-1")), Wire.message("hi"));
    rig.send(Wire.transfer(0, 0L, Wire.join(header, hop, annotations, body)));
    LogRecord record = rig.broker.partition("t", 2).records().get(0);
    assertThat(bytes(record.header())).isEqualTo(header);
    assertThat(bytes(record.annotations())).isEqualTo(annotations);
    assertThat(bytes(record.body())).isEqualTo(body);
    assertThat(new String(bytes(record.key()), StandardCharsets.UTF_8)).isEqualTo("k1");
    assertThat(rig.broker.partition("t", 2).appends.get(0).acks()).isEqualTo(Acks.ALL);
  }

  private static Object ul(int code) {
    return org.apache.qpid.proton.amqp.UnsignedLong.valueOf(code);
  }

  private static byte[] bytes(java.nio.ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  @Test
  void shouldKeepAKeyOnOnePartitionAndALinkOnOneWithoutKeys() {
    attach(Wire.target("t"));
    for (long i = 0; i < 20; i++) {
      byte[] properties =
          Wire.encode(
              Wire.list(0x73, null, null, null, null, null, null, null, null, null, null, "g"));
      rig.send(Wire.transfer(0, i, Wire.join(properties, Wire.message("x"))));
    }
    assertThat(stored("t")).hasSize(20);
    assertThat(busyPartitions()).isEqualTo(1);
    int before = rig.broker.partition("t", 0).appends.size();
    assertThat(before).isIn(0, 20);
  }

  private int busyPartitions() {
    int busy = 0;
    for (int i = 0; i < 4; i++) {
      busy += rig.broker.partition("t", i).records().isEmpty() ? 0 : 1;
    }
    return busy;
  }

  @Test
  void shouldRejectAMalformedMessageAndTakeTheNext() {
    attach(Wire.target("t"));
    byte[] cut = {0, 0x53, 0x75, (byte) 0xa0, 10, 1, 2};
    List<RawFrame> frames =
        rig.send(
            Wire.transfer(0, 0L, cut),
            Wire.transfer(0, 1L, new byte[0]),
            Wire.transfer(0, 2L, Wire.message("good")));
    List<RawFrame> dispositions = of(frames, RawFrame.DISPOSITION);
    assertThat(rejection(dispositions.get(0))).isEqualTo("amqp:decode-error");
    assertThat(rejection(dispositions.get(1))).isEqualTo("amqp:decode-error");
    assertThat(dispositions.get(2).described(4)).isEqualTo(0x24);
    assertThat(stored("t")).hasSize(1);
  }

  @Test
  void shouldSettleInTheOrderOfArrivalOverPartitions() {
    attach(Wire.target(null));
    rig.broker.partition("t", 0).silent = true;
    List<RawFrame> frames =
        rig.send(
            Wire.transfer(0, 0L, to("t/Partitions/0", "a")),
            Wire.transfer(0, 1L, to("t/Partitions/1", "b")));
    assertThat(of(frames, RawFrame.DISPOSITION)).isEmpty();
    var held = rig.broker.partition("t", 0).appends.get(0);
    held.done().accept(held, new AppendResult.Appended(0));
    List<RawFrame> after = of(rig.read(), RawFrame.DISPOSITION);
    assertThat(after).hasSize(1);
    assertThat(after.get(0).uint(2)).isEqualTo(1);
  }

  private static byte[] to(String to, String text) {
    return Wire.join(Wire.encode(Wire.list(0x73, null, null, to)), Wire.message(text));
  }

  @Test
  void shouldRouteAnAnonymousLinkByTo() {
    attach(Wire.target(null));
    List<RawFrame> frames =
        rig.send(
            Wire.transfer(0, 0L, to("new", "a")),
            Wire.transfer(0, 1L, to("new", "b")),
            Wire.transfer(0, 2L, Wire.message("nowhere")),
            Wire.transfer(0, 3L, to("t::g", "c")));
    List<RawFrame> dispositions = of(frames, RawFrame.DISPOSITION);
    assertThat(stored("new")).hasSize(2);
    assertThat(dispositions.get(0).described(4)).isEqualTo(0x24);
    assertThat(rejection(dispositions.get(1))).isEqualTo("amqp:precondition-failed");
    assertThat(rejection(dispositions.get(2))).isEqualTo("amqp:not-found");
  }

  @Test
  void shouldRejectWithTheReasonOfARefusal() {
    attach(Wire.target("t"));
    for (int i = 0; i < 4; i++) {
      rig.broker.partition("t", i).forced =
          Optional.of(
              new AppendResult.Refused(new BrokerException(ErrorCode.RESOURCE_LIMIT, "full")));
    }
    RawFrame answer =
        of(rig.send(Wire.transfer(0, 0L, Wire.message("x"))), RawFrame.DISPOSITION).get(0);
    assertThat(rejection(answer)).isEqualTo("amqp:resource-limit-exceeded");
    assertThat(rig.pendingBytes).isZero();
  }

  @Test
  void shouldLeaveDeliveriesUnsettledWhenNobodyKnows() {
    attach(Wire.target("t"));
    for (int i = 0; i < 4; i++) {
      rig.broker.partition("t", i).forced =
          Optional.of(new AppendResult.Indeterminate("leadership was lost"));
    }
    List<RawFrame> frames = rig.send(Wire.transfer(0, 0L, Wire.message("x")));
    assertThat(of(frames, RawFrame.DISPOSITION)).isEmpty();
    assertThat(of(frames, RawFrame.DETACH).get(0).condition(2))
        .isEqualTo("amqp:link:detach-forced");
    assertThat(of(rig.send(Wire.detach(0, true)), RawFrame.DISPOSITION)).isEmpty();
  }

  @Test
  void shouldCollectAMessageOfManyFramesWithoutRepeatedFields() {
    attach(Wire.target("t"));
    byte[] content = new byte[100_000];
    byte[] all = Wire.data(content);
    List<byte[]> frames = new ArrayList<>();
    for (int at = 0; at < all.length; at += 400) {
      byte[] part = java.util.Arrays.copyOfRange(all, at, Math.min(all.length, at + 400));
      boolean first = at == 0;
      frames.add(Wire.transfer(0, first ? 0L : null, part, false, true));
    }
    frames.add(Wire.transfer(0, null, new byte[0], false, false));
    assertThat(of(rig.send(frames.toArray(byte[][]::new)), RawFrame.DISPOSITION)).hasSize(1);
    assertThat(bytes(stored("t").get(0).body())).isEqualTo(all);
  }

  @Test
  void shouldKeepInterleavedMessagesOfTwoLinksApart() {
    attach(Wire.target("t/Partitions/0"));
    rig.send(Wire.sender(0, 1, "m", Wire.target("t/Partitions/1")));
    byte[] a = Wire.message("aaaa");
    byte[] b = Wire.message("bbbb");
    rig.send(
        Wire.transfer(0, 0L, java.util.Arrays.copyOf(a, 6), false, true),
        Wire.transfer(1, 1L, java.util.Arrays.copyOf(b, 6), false, true),
        Wire.transfer(0, 0L, java.util.Arrays.copyOfRange(a, 6, a.length), false, false),
        Wire.transfer(1, null, java.util.Arrays.copyOfRange(b, 6, b.length), false, false));
    assertThat(bytes(rig.broker.partition("t", 0).records().get(0).body())).isEqualTo(a);
    assertThat(bytes(rig.broker.partition("t", 1).records().get(0).body())).isEqualTo(b);
  }

  @Test
  void shouldDetachAnOversizedMessageAndDropTheRest() {
    rig.broker.withTopic("small", withMax(1000));
    rig.opened();
    rig.send(Wire.sender(0, 0, "l", Wire.target("small")));
    List<RawFrame> frames =
        rig.send(
            Wire.transfer(0, 0L, new byte[900], false, true),
            Wire.transfer(0, null, new byte[900], false, true),
            Wire.transfer(0, null, new byte[900], false, false),
            Wire.transfer(0, 1L, Wire.message("late")));
    assertThat(of(frames, RawFrame.DETACH).get(0).condition(2))
        .isEqualTo("amqp:link:message-size-exceeded");
    assertThat(stored("small")).isEmpty();
    assertThat(rig.send(Wire.detach(0, true))).isEmpty();
    assertThat(of(rig.send(Wire.sender(0, 0, "l", Wire.target("small"))), RawFrame.FLOW))
        .hasSize(1);
  }

  private static TopicConfig withMax(long bytes) {
    TopicConfig d = TopicConfig.DEFAULT;
    return d.withMaxMessageBytes(bytes);
  }

  @Test
  void shouldCompressForATopicThatAsksForIt() {
    rig.broker.withTopic("packed", TopicConfig.DEFAULT.withCompression(Compression.LZ4));
    attach(Wire.target("packed"));
    byte[] large = Wire.message("x".repeat(5000));
    rig.send(Wire.transfer(0, 0L, large), Wire.transfer(0, 1L, large));
    rig.send(Wire.transfer(0, 2L, Wire.message("small")));
    List<LogRecord> records = rig.broker.partition("packed", 0).records();
    assertThat(records)
        .extracting(record -> record.batch().compression())
        .containsExactly(Compression.LZ4, Compression.LZ4, Compression.NONE);
    assertThat(bytes(records.get(1).body())).isEqualTo(large);
    assertThat(records.get(1).batch().size()).isLessThan(1000);
  }

  @Test
  void shouldDiscardAnAbortedMessage() {
    attach(Wire.target("t"));
    byte[] abort =
        Wire.frame(
            0, RawFrame.TRANSFER, Wire.u(0), null, null, null, null, false, null, null, null, true);
    List<RawFrame> frames =
        rig.send(
            Wire.transfer(0, 0L, new byte[] {1}, false, true),
            abort,
            Wire.transfer(0, 1L, Wire.message("x")));
    assertThat(of(frames, RawFrame.DISPOSITION).get(0).uint(1)).isEqualTo(1);
    assertThat(stored("t")).hasSize(1);
  }

  @Test
  void shouldTopUpCreditAtHalfAndNotWhileBlocked() {
    List<RawFrame> attach = attach(Wire.target("t"));
    assertThat(of(attach, RawFrame.FLOW).get(0).uint(6)).isEqualTo(100);
    assertThat(of(sendMany(0, 49), RawFrame.FLOW)).isEmpty();
    RawFrame flow = of(sendMany(49, 1), RawFrame.FLOW).get(0);
    assertThat(flow.uint(5) + flow.uint(6)).isEqualTo(150);
    rig.broker.alarms = List.of("disk");
    assertThat(of(sendMany(50, 60), RawFrame.FLOW)).isEmpty();
    rig.broker.alarms = List.of();
    rig.loop.advance(150_000_000);
    assertThat(of(rig.read(), RawFrame.FLOW)).hasSize(1);
  }

  private List<RawFrame> sendMany(long first, int count) {
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(Wire.transfer(0, first + i, Wire.message("x")));
    }
    return rig.send(all.toArray(byte[][]::new));
  }

  @Test
  void shouldCountDeliveriesFromTheClientsInitialCountOverTheWrap() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(
        Wire.attach(
            0,
            0,
            "l",
            false,
            new Object[] {null, null, Wire.source("s"), Wire.target("t"), Wire.u(0xFFFFFFF0L)}));
    List<RawFrame> frames = sendMany(0, 60);
    RawFrame flow = of(frames, RawFrame.FLOW).get(0);
    assertThat(flow.get(5)).isEqualTo(UnsignedInteger.valueOf(0xFFFFFFF0 + 60));
    assertThat(flow.uint(6)).isEqualTo(100);
  }

  @Test
  void shouldNotAnswerSettledTransfers() {
    attach(Wire.target("t"));
    List<RawFrame> frames = rig.send(Wire.transfer(0, 0L, Wire.message("x"), true, false));
    assertThat(frames).isEmpty();
    assertThat(stored("t")).hasSize(1);
    assertThat(rig.pendingBytes).isZero();
  }

  @Test
  void shouldStoreOtherFormatsAsTheyAre() {
    attach(Wire.target("t"));
    byte[] body =
        Wire.encode(
            Wire.list(RawFrame.TRANSFER, Wire.u(0), Wire.u(0), null, Wire.u(0x80013701L), false));
    byte[] payload = {9, 9, 9};
    rig.send(Wire.frame(0, 0, body, payload));
    assertThat(stored("t").get(0).messageFormat()).isEqualTo(0x80013701);
    assertThat(bytes(stored("t").get(0).body())).isEqualTo(payload);
  }

  @Test
  void shouldDetachWhenTheTopicIsGone() {
    attach(Wire.target("t"));
    rig.broker.remove("t");
    List<RawFrame> frames = rig.send(Wire.transfer(0, 0L, Wire.message("x")));
    assertThat(of(frames, RawFrame.DETACH).get(0).condition(2)).isEqualTo("amqp:resource-deleted");
    assertThat(Collections.frequency(List.of(rig.linkCount), 0)).isEqualTo(1);
  }

  @Test
  void shouldLetTheSenderSettleLastInModeSecond() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    List<RawFrame> attach =
        rig.send(
            Wire.attach(
                0,
                0,
                "l",
                false,
                new Object[] {null, 1, Wire.source("s"), Wire.target("t"), Wire.u(0)}));
    assertThat(of(attach, RawFrame.ATTACH).get(0).get(4)).hasToString("1");
    RawFrame state =
        of(rig.send(Wire.transfer(0, 0L, Wire.message("x"))), RawFrame.DISPOSITION).get(0);
    assertThat(state.get(3)).isEqualTo(false);
    assertThat(state.described(4)).isEqualTo(0x24);
    assertThat(rig.send(Wire.disposition(false, 0, 0, true, Wire.accepted()))).isEmpty();
    assertThat(stored("t")).hasSize(1);
  }
}
