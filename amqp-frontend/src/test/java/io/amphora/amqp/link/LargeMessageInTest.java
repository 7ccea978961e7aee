package io.amphora.amqp.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.FakeSpool;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.topology.TopicConfig;
import io.amphora.wal.LogRecord;
import io.amphora.wal.WalException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.qpid.proton.amqp.DescribedType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that pass a mebibyte before they are complete. */
class LargeMessageInTest {

  private static final int MIB = 1 << 20;

  private final EngineRig rig = new EngineRig();

  private void attach(Object target) {
    rig.broker.withTopic("t", 2);
    rig.opened();
    rig.send(Wire.sender(0, 0, "l", target));
  }

  private List<RawFrame> send(List<byte[]> frames) {
    return rig.send(Pieces.array(frames));
  }

  private List<RawFrame> dispositions(List<byte[]> frames) {
    return Pieces.only(send(frames), RawFrame.DISPOSITION);
  }

  private List<LogRecord> stored(int partition) {
    return rig.broker.partition("t", partition).records();
  }

  private byte[] body(int partition, int offset) {
    return rig.broker.partition("t", partition).bodyOf(offset);
  }

  private FakeSpool spool(int index) {
    return rig.broker.spools.get(index);
  }

  private void assertNothingStays() {
    assertThat(rig.broker.spools).allMatch(FakeSpool::isErased);
    assertThat(rig.pendingBytes).isZero();
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  private static String rejection(RawFrame disposition) {
    assertThat(disposition.described(4)).isEqualTo(0x25);
    Object rejected = ((DescribedType) disposition.get(4)).getDescribed();
    Object error = ((List<?>) rejected).get(0);
    return ((List<?>) ((DescribedType) error).getDescribed()).get(0).toString();
  }

  @Test
  void shouldSpoolTheBareMessageAndKeepTheSectionsInFront() {
    attach(Wire.target("t/Partitions/0"));
    byte[] hop = Pieces.map(0x71, "hop", 1);
    byte[] bare =
        Wire.join(Wire.encode(Wire.list(0x73, "id-1")), Pieces.body(3 * MIB), Pieces.FOOTER);
    byte[] message = Wire.join(Pieces.HEADER, hop, Pieces.ANNOTATIONS, bare);
    RawFrame answer = dispositions(Pieces.of(0, 0, message)).get(0);
    assertThat(answer.described(4)).isEqualTo(0x24);
    LogRecord record = stored(0).get(0);
    assertThat(record.isWhole()).isFalse();
    assertThat(bytes(record.header())).isEqualTo(Pieces.HEADER);
    assertThat(bytes(record.annotations())).isEqualTo(Pieces.ANNOTATIONS);
    assertThat(new String(bytes(record.key()), StandardCharsets.UTF_8)).isEqualTo("k1");
    assertThat(body(0, 0)).isEqualTo(bare);
    assertThat(spool(0).largestWrite).isBetween(60_000, 256 << 10);
    assertNothingStays();
  }

  @Test
  void shouldNotSpoolWhatIsCompleteBefore() {
    attach(Wire.target("t/Partitions/0"));
    send(Pieces.of(0, 0, Pieces.body(MIB - 100)));
    assertThat(rig.broker.spools).isEmpty();
    assertThat(stored(0)).hasSize(1);
  }

  @Test
  void shouldKeepInterleavedMessagesOfTwoLinksApart() {
    attach(Wire.target("t/Partitions/0"));
    rig.send(Wire.sender(0, 1, "m", Wire.target("t/Partitions/1")));
    byte[] a = Pieces.body(2 * MIB);
    byte[] b = Pieces.body(3 * MIB);
    List<byte[]> first = Pieces.of(0, 0, a);
    List<byte[]> second = Pieces.of(1, 1, b);
    List<byte[]> mixed = new ArrayList<>();
    for (int i = 0; i < second.size(); i++) {
      mixed.addAll(first.subList(Math.min(i, first.size()), Math.min(i + 1, first.size())));
      mixed.add(second.get(i));
    }
    send(mixed);
    assertThat(body(0, 0)).isEqualTo(a);
    assertThat(body(1, 0)).isEqualTo(b);
    assertNothingStays();
  }

  @Test
  void shouldNotLetASmallMessageOvertakeALargeOne() {
    attach(Wire.target("t/Partitions/0"));
    rig.broker.holdSpools = true;
    List<byte[]> frames = new ArrayList<>(Pieces.of(0, 0, Pieces.body(2 * MIB)));
    frames.add(Wire.transfer(0, 1L, Wire.message("small")));
    assertThat(dispositions(frames)).isEmpty();
    assertThat(rig.broker.partition("t", 0).appends).isEmpty();
    assertThat(rig.pendingBytes).isGreaterThan(2 * MIB);
    spool(0).release();
    List<RawFrame> answers = Pieces.only(rig.read(), RawFrame.DISPOSITION);
    assertThat(answers.get(answers.size() - 1).uint(2)).isEqualTo(1);
    assertThat(stored(0).get(0).isWhole()).isFalse();
    assertThat(stored(0).get(1).isWhole()).isTrue();
    assertNothingStays();
  }

  @Test
  void shouldAppendSmallMessagesThatCameBefore() {
    attach(Wire.target("t/Partitions/0"));
    List<byte[]> frames = new ArrayList<>();
    frames.add(Wire.transfer(0, 0L, Wire.message("small")));
    frames.addAll(Pieces.of(0, 1, Pieces.body(2 * MIB)));
    send(frames);
    assertThat(stored(0).get(0).isWhole()).isTrue();
    assertThat(stored(0).get(1).isWhole()).isFalse();
  }

  @Test
  void shouldWriteOnceMoreWhenTheDiskIsBusy() {
    attach(Wire.target("t/Partitions/0"));
    byte[] message = Pieces.body(2 * MIB);
    List<byte[]> frames = Pieces.of(0, 0, message);
    send(frames.subList(0, 20));
    spool(0).failure = Optional.of(new WalException(WalException.Kind.BUSY, "queue"));
    assertThat(dispositions(frames.subList(20, frames.size()))).isEmpty();
    spool(0).failure = Optional.empty();
    rig.loop.advance(10_000_000);
    assertThat(Pieces.only(rig.read(), RawFrame.DISPOSITION)).hasSize(1);
    assertThat(body(0, 0)).isEqualTo(message);
    assertNothingStays();
  }

  @Test
  void shouldDiscardAnAbortedMessage() {
    attach(Wire.target("t/Partitions/0"));
    byte[] abort =
        Wire.frame(
            0, RawFrame.TRANSFER, Wire.u(0), null, null, null, null, false, null, null, null, true);
    send(Pieces.unfinished(0, 0, Pieces.body(2 * MIB)));
    assertThat(rig.broker.spools).hasSize(1);
    rig.send(abort);
    assertNothingStays();
    assertThat(dispositions(Pieces.of(0, 1, Pieces.body(2 * MIB)))).hasSize(1);
    assertThat(stored(0)).hasSize(1);
    assertNothingStays();
  }

  @ParameterizedTest
  @ValueSource(strings = {"detach", "end", "close", "lost"})
  void shouldDiscardWhatIsNotCompleteWhenTheLinkEnds(String how) {
    attach(Wire.target("t/Partitions/0"));
    rig.broker.holdSpools = true;
    send(Pieces.unfinished(0, 0, Pieces.body(2 * MIB)));
    assertThat(spool(0).isErased()).isFalse();
    switch (how) {
      case "detach" -> rig.send(Wire.detach(0, true));
      case "end" -> rig.send(Wire.end(0));
      case "close" -> rig.send(Wire.close());
      default -> rig.engine.lost();
    }
    spool(0).release();
    rig.loop.runAll();
    assertNothingStays();
    assertThat(stored(0)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"detach", "close", "lost"})
  void shouldHandOnWhatWasCompleteWhenTheLinkEnds(String how) {
    attach(Wire.target("t/Partitions/0"));
    rig.broker.holdSpools = true;
    List<byte[]> frames = new ArrayList<>(Pieces.of(0, 0, Pieces.body(2 * MIB), true));
    frames.add(Wire.transfer(0, 1L, Wire.message("small"), true, false));
    send(frames);
    switch (how) {
      case "detach" -> rig.send(Wire.detach(0, true));
      case "close" -> rig.send(Wire.close());
      default -> rig.engine.lost();
    }
    spool(0).release();
    rig.loop.runAll();
    assertThat(stored(0)).hasSize(2);
    assertNothingStays();
  }

  @Test
  void shouldDetachAnOversizedMessageAndLeaveNothing() {
    rig.broker.withTopic("t", TopicConfig.DEFAULT.withMaxMessageBytes(2 * MIB));
    rig.opened();
    rig.send(Wire.sender(0, 0, "l", Wire.target("t")));
    List<RawFrame> frames = send(Pieces.of(0, 0, Pieces.body(2 * MIB)));
    assertThat(Pieces.only(frames, RawFrame.DETACH).get(0).condition(2))
        .isEqualTo("amqp:link:message-size-exceeded");
    assertThat(rig.broker.spools).hasSize(1);
    assertThat(stored(0)).isEmpty();
    assertNothingStays();
  }

  @Test
  void shouldRejectWhenTheDiskIsFullAndGoOn() {
    attach(Wire.target("t/Partitions/0"));
    List<byte[]> frames = Pieces.of(0, 0, Pieces.body(3 * MIB));
    send(frames.subList(0, 20));
    spool(0).failure = Optional.of(new WalException(WalException.Kind.DISK_FULL, "full"));
    assertThat(dispositions(frames.subList(20, frames.size() - 1)))
        .as("clients do not listen while they send")
        .isEmpty();
    RawFrame answer = dispositions(frames.subList(frames.size() - 1, frames.size())).get(0);
    assertThat(rejection(answer)).isEqualTo("amqp:resource-limit-exceeded");
    assertNothingStays();
    assertThat(dispositions(List.of(Wire.transfer(0, 1L, Wire.message("x"))))).hasSize(1);
    assertThat(stored(0)).hasSize(1);
  }

  @Test
  void shouldRejectWhenNoSpoolIsToBeHad() {
    attach(Wire.target("t/Partitions/0"));
    rig.broker.noSpools = true;
    RawFrame answer = dispositions(Pieces.of(0, 0, Pieces.body(2 * MIB))).get(0);
    assertThat(rejection(answer)).isEqualTo("amqp:resource-limit-exceeded");
    assertThat(dispositions(List.of(Wire.transfer(0, 1L, Wire.message("x"))))).hasSize(1);
    assertNothingStays();
  }

  @Test
  void shouldEndTheLinkWhenASettledMessageIsLost() {
    attach(Wire.target("t/Partitions/0"));
    rig.broker.noSpools = true;
    List<RawFrame> frames = send(Pieces.of(0, 0, Pieces.body(2 * MIB), true));
    assertThat(Pieces.only(frames, RawFrame.DETACH).get(0).condition(2))
        .isEqualTo("amqp:resource-limit-exceeded");
  }

  @Test
  void shouldRejectWhatTurnsOutMalformedLate() {
    attach(Wire.target("t/Partitions/0"));
    byte[] bad = Wire.join(Pieces.body(2 * MIB), Wire.encode(Wire.list(0x73, "late")));
    byte[] cut = java.util.Arrays.copyOf(Pieces.body(2 * MIB), 2 * MIB - 500);
    assertThat(rejection(dispositions(Pieces.of(0, 0, bad)).get(0))).isEqualTo("amqp:decode-error");
    assertThat(rejection(dispositions(Pieces.of(0, 1, cut)).get(0))).isEqualTo("amqp:decode-error");
    byte[] zeros = new byte[2 * MIB];
    assertThat(rejection(dispositions(Pieces.of(0, 2, zeros)).get(0)))
        .isEqualTo("amqp:decode-error");
    assertThat(dispositions(Pieces.of(0, 3, Pieces.body(2 * MIB))).get(0).described(4))
        .isEqualTo(0x24);
    assertThat(stored(0)).hasSize(1);
    assertNothingStays();
  }

  @Test
  void shouldRejectWithTheReasonOfARefusedAppend() {
    attach(Wire.target("t/Partitions/0"));
    rig.broker.partition("t", 0).forced =
        Optional.of(
            new AppendResult.Refused(new BrokerException(ErrorCode.RESOURCE_LIMIT, "full")));
    RawFrame answer = dispositions(Pieces.of(0, 0, Pieces.body(2 * MIB))).get(0);
    assertThat(rejection(answer)).isEqualTo("amqp:resource-limit-exceeded");
    assertNothingStays();
  }

  @Test
  void shouldRouteAnAnonymousMessageToATopicThatIsCreatedForIt() {
    attach(Wire.target(null));
    byte[] to = Wire.encode(Wire.list(0x73, null, null, "new"));
    byte[] message = Wire.join(to, Pieces.body(2 * MIB));
    assertThat(dispositions(Pieces.of(0, 0, message))).hasSize(1);
    assertThat(rig.broker.partition("new", 0).bodyOf(0)).isEqualTo(message);
    byte[] nowhere = Wire.join(Wire.encode(Wire.list(0x73, null, null, "t::g")), message);
    assertThat(dispositions(Pieces.of(0, 1, nowhere))).hasSize(1);
    byte[] group =
        Wire.join(Wire.encode(Wire.list(0x73, null, null, "t::g")), Pieces.body(2 * MIB));
    assertThat(rejection(dispositions(Pieces.of(0, 2, group)).get(0))).isEqualTo("amqp:not-found");
    assertNothingStays();
  }

  @Test
  void shouldLeaveNothingWhenTheConnectionEndsWhileTheTopicIsCreated() {
    attach(Wire.target(null));
    byte[] to = Wire.encode(Wire.list(0x73, null, null, "new"));
    rig.broker.holdSpools = true;
    send(Pieces.of(0, 0, Wire.join(to, Pieces.body(2 * MIB))));
    spool(0).release();
    rig.loop.execute(rig.engine::lost);
    rig.loop.runAll();
    assertNothingStays();
  }

  @Test
  void shouldStoreOtherFormatsAsTheyAre() {
    attach(Wire.target("t/Partitions/0"));
    byte[] payload = new byte[3 * MIB];
    java.util.Arrays.fill(payload, (byte) 9);
    List<byte[]> frames = new ArrayList<>(Pieces.of(0, 0, payload));
    byte[] first =
        Wire.encode(
            Wire.list(
                RawFrame.TRANSFER, Wire.u(0), Wire.u(0), null, Wire.u(0x80013701L), false, true));
    frames.set(0, Wire.frame(0, 0, first, java.util.Arrays.copyOf(payload, Pieces.FRAME)));
    send(frames);
    assertThat(stored(0).get(0).messageFormat()).isEqualTo(0x80013701);
    assertThat(body(0, 0)).isEqualTo(payload);
  }

  @Test
  void shouldBoundTheLargeMessagesThatComeAtTheSameTime() {
    attach(Wire.target("t/Partitions/0"));
    rig.send(Wire.detach(0, true));
    byte[] message = Pieces.body(2 * MIB);
    for (int i = 0; i < 16; i++) {
      rig.send(Wire.sender(0, i, "l" + i, Wire.target("t/Partitions/0")));
      assertThat(send(Pieces.unfinished(i, i, message))).isEmpty();
    }
    rig.send(Wire.sender(0, 16, "l16", Wire.target("t/Partitions/0")));
    List<RawFrame> frames = send(Pieces.unfinished(16, 16, message));
    assertThat(Pieces.only(frames, RawFrame.DETACH).get(0).condition(2))
        .isEqualTo("amqp:resource-limit-exceeded");
    rig.send(Wire.detach(16, true), Wire.detach(3, true));
    rig.send(Wire.sender(0, 3, "again", Wire.target("t/Partitions/0")));
    assertThat(dispositions(Pieces.of(3, 17, message))).hasSize(1);
    rig.engine.lost();
    rig.loop.runAll();
    assertNothingStays();
  }

  @Test
  void shouldAnswerAtOnceWithoutAcks() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    byte[] attach =
        Wire.frame(
            0,
            RawFrame.ATTACH,
            "l",
            Wire.u(0),
            false,
            null,
            null,
            Wire.source("s"),
            Wire.target("t"),
            null,
            null,
            Wire.u(0),
            null,
            null,
            null,
            java.util.Map.of(org.apache.qpid.proton.amqp.Symbol.valueOf("amphora:acks"), "0"));
    rig.send(attach);
    rig.broker.partition("t", 0).silent = true;
    assertThat(dispositions(Pieces.of(0, 0, Pieces.body(2 * MIB)))).hasSize(1);
  }
}
