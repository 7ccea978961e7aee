package io.amphora.amqp.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.FakeGroup;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.delivery.Outcome;
import io.amphora.core.delivery.StartPosition;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.topology.GroupInfo.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.junit.jupiter.api.Test;

class ConsumerLinkTest {

  private final EngineRig rig = new EngineRig();
  private long nextId;

  private List<RawFrame> attach(Object source) {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    return rig.send(Wire.receiver(0, 0, "in", source));
  }

  private void publish(int count) {
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(Wire.transfer(9, nextId, Wire.message("m" + nextId)));
      nextId++;
    }
    rig.send(all.toArray(byte[][]::new));
  }

  private static List<RawFrame> of(List<RawFrame> frames, int code) {
    return frames.stream().filter(f -> f.code() == code).toList();
  }

  private FakeGroup queue() {
    return rig.broker.group(SubscribeRequest.queueOf("t"));
  }

  @Test
  void shouldDeliverWithinCreditOnly() {
    attach(Wire.source("t"));
    publish(10);
    assertThat(of(rig.send(Wire.flow(0, 0L, 3, false, false)), RawFrame.TRANSFER)).hasSize(3);
    assertThat(of(rig.send(Wire.flow(0, 3L, 2, false, false)), RawFrame.TRANSFER)).hasSize(2);
    assertThat(of(rig.send(Wire.flow(0, 3L, 2, false, false)), RawFrame.TRANSFER)).isEmpty();
    assertThat(of(rig.send(Wire.flow(0, null, 7, false, false)), RawFrame.TRANSFER)).hasSize(2);
  }

  @Test
  void shouldDeliverMoreThanAWindowForHugeCredit() {
    attach(Wire.source("t"));
    for (int i = 0; i < 40; i++) {
      publish(100);
    }
    List<RawFrame> transfers =
        of(rig.send(Wire.flow(0, 0L, 0x7FFFFFFF, false, false)), RawFrame.TRANSFER);
    assertThat(transfers).hasSize(4000);
    for (int i = 0; i < 4000; i++) {
      assertThat(transfers.get(i).uint(1)).isEqualTo(i);
    }
  }

  @Test
  void shouldPutBrokerAnnotationsAndANewHeaderInFront() {
    attach(Wire.source("t"));
    byte[] header =
        Wire.encode(
            Wire.list(0x70, true, org.apache.qpid.proton.amqp.UnsignedByte.valueOf((byte) 7)));
    byte[] annotations =
        Wire.encode(
            new Wire.Described(
                UnsignedLong.valueOf(0x72),
                Map.of(
                    Symbol.valueOf("x-opt-jms-msg-type"),
                    (byte) 5,
                    Symbol.valueOf("x-opt-offset"),
                    "fake")));
    byte[] body = Wire.message("x");
    rig.send(Wire.transfer(9, nextId++, Wire.join(header, annotations, body)));
    byte[] payload =
        of(rig.send(Wire.flow(0, 0L, 3, false, false)), RawFrame.TRANSFER).get(0).payload();
    List<Object> sections = decode(payload);
    List<?> head = (List<?>) sections.get(0);
    assertThat(head.get(0)).isEqualTo(true);
    assertThat(head.get(1)).hasToString("7");
    assertThat(head.get(3)).isEqualTo(true);
    assertThat(head.get(4)).isEqualTo(UnsignedInteger.ZERO);
    Map<?, ?> map = (Map<?, ?>) sections.get(1);
    assertThat(map.get(Symbol.valueOf("x-opt-jms-msg-type"))).isEqualTo((byte) 5);
    assertThat(map.get(Symbol.valueOf("x-opt-offset"))).isEqualTo("0");
    assertThat(map.get(Symbol.valueOf("x-opt-sequence-number"))).isEqualTo(0L);
    assertThat(map.get(Symbol.valueOf("x-opt-enqueued-time"))).isInstanceOf(java.util.Date.class);
    assertThat(map.get(Symbol.valueOf("x-opt-partition"))).isEqualTo(0);
    assertThat(payload).endsWith(body);
  }

  private static List<Object> decode(byte[] payload) {
    var decoder = new org.apache.qpid.proton.codec.DecoderImpl();
    new org.apache.qpid.proton.codec.EncoderImpl(decoder);
    var in = java.nio.ByteBuffer.wrap(payload);
    decoder.setByteBuffer(in);
    List<Object> sections = new ArrayList<>();
    while (in.hasRemaining()) {
      sections.add(((DescribedType) decoder.readObject()).getDescribed());
    }
    return sections;
  }

  @Test
  void shouldSettleARangeInOneCall() {
    attach(Wire.source("t"));
    publish(10);
    rig.send(Wire.flow(0, 0L, 10, false, false));
    List<RawFrame> frames = rig.send(Wire.disposition(true, 0, 9, true, Wire.accepted()));
    assertThat(frames).isEmpty();
    assertThat(queue().settled).hasSize(10).allMatch(s -> s.outcome() == Outcome.ACCEPTED);
    assertThat(queue().settleCalls).isEqualTo(1);
  }

  @Test
  void shouldRedeliverWithTheCountOfFailuresOnly() {
    attach(Wire.source("t"));
    publish(1);
    rig.send(Wire.flow(0, 0L, 10, false, false));
    List<RawFrame> released = rig.send(Wire.disposition(true, 0, 0, true, Wire.list(0x26)));
    assertThat(count(released)).isEqualTo(UnsignedInteger.ZERO);
    List<RawFrame> failed = rig.send(Wire.disposition(true, 1, 1, true, Wire.list(0x27, true)));
    assertThat(count(failed)).isEqualTo(UnsignedInteger.ONE);
  }

  private static Object count(List<RawFrame> frames) {
    return ((List<?>) decode(of(frames, RawFrame.TRANSFER).get(0).payload()).get(0)).get(4);
  }

  @Test
  void shouldMergeAnnotationsOfAModifiedOutcome() {
    attach(Wire.source("t"));
    publish(1);
    rig.send(Wire.flow(0, 0L, 10, false, false));
    Object modified = Wire.list(0x27, true, false, Map.of(Symbol.valueOf("x-opt-note"), "why"));
    byte[] again =
        of(rig.send(Wire.disposition(true, 0, 0, true, modified)), RawFrame.TRANSFER)
            .get(0)
            .payload();
    assertThat(((Map<?, ?>) decode(again).get(1)).get(Symbol.valueOf("x-opt-note")))
        .isEqualTo("why");
  }

  @Test
  void shouldLeaveOutAnnotationsOfAModifiedOutcomeThatNobodyCanTake() {
    attach(Wire.source("t"));
    publish(1);
    rig.send(Wire.flow(0, 0L, 10, false, false));
    Object modified =
        Wire.list(0x27, true, false, Map.of("x-opt-note", "why", Symbol.valueOf("x-opt-b"), 1));
    byte[] again =
        of(rig.send(Wire.disposition(true, 0, 0, true, modified)), RawFrame.TRANSFER)
            .get(0)
            .payload();
    Map<?, ?> map = (Map<?, ?>) decode(again).get(1);
    assertThat(map.get(Symbol.valueOf("x-opt-b"))).isEqualTo(1);
    assertThat(map.keySet()).allMatch(Symbol.class::isInstance);
  }

  @Test
  void shouldUseTheDefaultOutcomeForASettlementWithoutState() {
    Object source =
        Wire.list(0x28, "t", null, null, null, null, null, null, null, Wire.list(0x27, true));
    attach(source);
    publish(1);
    rig.send(Wire.flow(0, 0L, 1, false, false));
    rig.send(Wire.disposition(true, 0, 0, true, null));
    assertThat(queue().settled.get(0).outcome()).isInstanceOf(Outcome.Modified.class);
  }

  @Test
  void shouldReleaseAndFollowWithDetachInOneRead() {
    attach(Wire.source("t"));
    publish(1);
    rig.send(Wire.flow(0, 0L, 1, false, false));
    rig.send(Wire.disposition(true, 0, 0, true, Wire.list(0x26)), Wire.detach(0, true));
    assertThat(queue().inFlight()).isZero();
    assertThat(queue().memberCount()).isZero();
    rig.send(Wire.receiver(0, 0, "in", Wire.source("t")));
    assertThat(of(rig.send(Wire.flow(0, 0L, 1, false, false)), RawFrame.TRANSFER)).hasSize(1);
  }

  @Test
  void shouldAnswerEveryDrain() {
    attach(Wire.source("t"));
    publish(3);
    List<RawFrame> some = rig.send(Wire.flow(0, 0L, 10, true, false));
    assertThat(of(some, RawFrame.TRANSFER)).hasSize(3);
    assertDrained(some, 10);
    assertThat(some.get(some.size() - 1).code()).isEqualTo(RawFrame.FLOW);
    assertDrained(rig.send(Wire.flow(0, 10L, 5, true, false)), 15);
    assertDrained(rig.send(Wire.flow(0, 15L, 0, true, false)), 15);
    publish(1);
    assertThat(of(rig.send(Wire.flow(0, 15L, 1, false, false)), RawFrame.TRANSFER)).hasSize(1);
  }

  /** A late answer would cross the client's next credit, and some clients would then lose that. */
  @Test
  void shouldAnswerADrainBehindTheMessageThatTakesTheLastCredit() {
    attach(Wire.source("t"));
    publish(3);
    queue().drainsHang = true;
    List<RawFrame> frames = rig.send(Wire.flow(0, 0L, 2, true, false));
    assertThat(of(frames, RawFrame.TRANSFER)).hasSize(2);
    assertDrained(frames, 2);
    assertThat(frames.get(frames.size() - 1).code()).isEqualTo(RawFrame.FLOW);
  }

  @Test
  void shouldDrainMoreThanAWindow() {
    attach(Wire.source("t"));
    for (int i = 0; i < 30; i++) {
      publish(100);
    }
    List<RawFrame> frames = rig.send(Wire.flow(0, 0L, 5000, true, false));
    assertThat(of(frames, RawFrame.TRANSFER)).hasSize(3000);
    assertDrained(frames, 5000);
  }

  private static void assertDrained(List<RawFrame> frames, int count) {
    List<RawFrame> flows = of(frames, RawFrame.FLOW);
    assertThat(flows).hasSize(1);
    assertThat(flows.get(0).uint(5)).isEqualTo(count);
    assertThat(flows.get(0).uint(6)).isZero();
    assertThat(flows.get(0).get(8)).isEqualTo(true);
  }

  @Test
  void shouldSplitForASmallFrameSize() {
    rig.broker.withTopic("t", 1);
    rig.send(Wire.AMQP, Wire.open(512, null), Wire.begin(0));
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    byte[] body = Wire.data(new byte[100_000]);
    List<byte[]> parts = new ArrayList<>();
    for (int at = 0; at < body.length; at += 60_000) {
      byte[] part = java.util.Arrays.copyOfRange(body, at, Math.min(body.length, at + 60_000));
      parts.add(Wire.transfer(9, at == 0 ? 0L : null, part, false, at + 60_000 < body.length));
    }
    rig.send(parts.toArray(byte[][]::new));
    rig.send(Wire.receiver(0, 0, "in", Wire.source("t")));
    byte[] raw = rig.sendRaw(Wire.flow(0, 0L, 1, false, false));
    List<RawFrame> transfers = of(RawFrame.parse(raw), RawFrame.TRANSFER);
    List<byte[]> payloads = new ArrayList<>();
    transfers.forEach(f -> payloads.add(f.payload()));
    assertThat(Wire.join(payloads)).endsWith(body);
    assertThat(transfers).allMatch(f -> f.payload().length < 505 && f.fields().size() == 11);
    assertThat(transfers.get(transfers.size() - 1).get(5)).isEqualTo(false);
  }

  @Test
  void shouldContinueALargeMessageWhenTheWindowOpens() {
    attach(Wire.source("t"));
    rig.send(Wire.transfer(9, nextId++, Wire.data(new byte[60_000])));
    rig.send(Wire.transfer(9, nextId++, Wire.data(new byte[60_000])));
    List<RawFrame> first = rig.send(windowed(1, 1, 0));
    assertThat(of(first, RawFrame.TRANSFER)).hasSize(1);
    List<RawFrame> second = rig.send(windowed(2, 1, 1));
    assertThat(of(second, RawFrame.TRANSFER)).hasSize(1);
  }

  private static byte[] windowed(int nextIncoming, int window, int count) {
    return Wire.frame(
        0,
        RawFrame.FLOW,
        Wire.u(nextIncoming),
        Wire.u(window),
        Wire.u(0),
        Wire.u(2048),
        Wire.u(0),
        Wire.u(count),
        Wire.u(10));
  }

  @Test
  void shouldSendSettledToAReceiverThatAsks() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    publish(2);
    List<RawFrame> attach =
        rig.send(
            Wire.attach(
                0, 0, "in", true, new Object[] {1, 0, Wire.source("t"), Wire.target("x"), null}));
    assertThat(of(attach, RawFrame.ATTACH).get(0).get(3)).hasToString("1");
    List<RawFrame> transfers = of(rig.send(Wire.flow(0, 0L, 5, false, false)), RawFrame.TRANSFER);
    assertThat(transfers).hasSize(2).allMatch(f -> Boolean.TRUE.equals(f.get(4)));
    assertThat(rig.broker.requests.get(0).options().atMostOnce()).isTrue();
    assertThat(queue().inFlight()).isZero();
  }

  @Test
  void shouldCloseMembersWhenTheConnectionIsLost() {
    attach(Wire.source("t"));
    publish(1);
    rig.send(Wire.flow(0, 0L, 1, false, false));
    rig.engine.lost();
    rig.loop.runAll();
    assertThat(queue().memberCount()).isZero();
    assertThat(rig.linkCount).isZero();
  }

  @Test
  void shouldMapSourcesToGroups() {
    attach(Wire.source("t"));
    rig.send(Wire.receiver(0, 1, "a", Wire.source("t::g")));
    rig.send(Wire.receiver(0, 2, "b", Wire.source("t::h", "shared")));
    rig.send(Wire.receiver(0, 3, "c", Wire.source("t", "topic")));
    Object durable =
        Wire.list(
            0x28,
            "topic://t",
            Wire.u(2),
            Symbol.valueOf("never"),
            null,
            null,
            null,
            Symbol.valueOf("copy"));
    rig.send(Wire.receiver(0, 4, "sub|2", durable));
    List<SubscribeRequest> r = rig.broker.requests;
    assertThat(r.get(0).group()).isEqualTo("t::$queue");
    assertThat(r.get(0).mode()).isEqualTo(Mode.SHARED);
    assertThat(r.get(1).group()).isEqualTo("g");
    assertThat(r.get(1).mode()).isEqualTo(Mode.ORDERED);
    assertThat(r.get(1).member().containerId()).isEqualTo("client");
    assertThat(r.get(2).mode()).isEqualTo(Mode.SHARED);
    assertThat(r.get(3).group()).isEmpty();
    assertThat(r.get(3).start()).isEqualTo(StartPosition.LATEST);
    assertThat(r.get(4).group()).isEqualTo("t::client|sub");
    assertThat(r.get(4).start()).isEqualTo(StartPosition.LATEST);
    assertThat(r.stream().map(request -> request.options().steals()))
        .as("one link at a time, by its name")
        .containsExactly(false, false, false, false, true);
  }

  @Test
  void shouldDropFiltersItDoesNotKnowFromTheEcho() {
    Object filter =
        Map.of(
            Symbol.valueOf("jms-selector"),
            new Wire.Described(UnsignedLong.valueOf(0x468C00000004L), "a = 1"));
    RawFrame attach = of(attach(Wire.source("t", filter, "queue")), RawFrame.ATTACH).get(0);
    List<?> source = (List<?>) ((DescribedType) attach.get(5)).getDescribed();
    assertThat(source.get(0)).isEqualTo("t");
    assertThat(source.get(7)).isIn(null, Map.of());
  }

  @Test
  void shouldRefuseWithANullTerminusAndThenDetach() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    assertRefused(rig.send(Wire.sender(0, 1, "g", Wire.target("t::g"))), 6, "amqp:invalid-field");
    assertRefused(rig.send(Wire.sender(0, 2, "n", null)), 6, "amqp:invalid-field");
    assertRefused(rig.send(Wire.receiver(0, 3, "s", null)), 5, "amqp:not-found");
    assertRefused(rig.send(Wire.receiver(0, 4, "m", Wire.source("$nothing"))), 5, "amqp:not-found");
    assertRefused(
        rig.send(Wire.receiver(0, 5, "i", Wire.source("__positions"))), 5, "amqp:not-found");
    assertRefused(
        rig.send(Wire.sender(0, 6, "p", Wire.target("t/Partitions/5"))), 6, "amqp:not-found");
    assertRefused(rig.send(Wire.sender(0, 7, "d", Wire.target("a/../b"))), 6, "amqp:invalid-field");
  }

  private static void assertRefused(List<RawFrame> frames, int nullField, String condition) {
    assertThat(frames.stream().map(RawFrame::code))
        .containsExactly(RawFrame.ATTACH, RawFrame.DETACH);
    assertThat(frames.get(0).get(nullField)).isNull();
    assertThat(frames.get(1).get(1)).isEqualTo(true);
    assertThat(frames.get(1).condition(2)).isEqualTo(condition);
  }

  @Test
  void shouldRefuseAnUnknownTopicWhereNothingIsCreated() {
    EngineRig strict = new EngineRig(EngineRig.settings(true, 65536), false).opened();
    assertRefused(strict.send(Wire.receiver(0, 0, "r", Wire.source("no"))), 5, "amqp:not-found");
    assertRefused(strict.send(Wire.sender(0, 1, "s", Wire.target("no"))), 6, "amqp:not-found");
  }

  @Test
  void shouldEndNothingWhenADispositionComesLate() {
    attach(Wire.source("t"));
    publish(1);
    rig.send(Wire.flow(0, 0L, 1, false, false));
    rig.send(Wire.detach(0, true));
    assertThat(rig.send(Wire.disposition(true, 0, 5, true, Wire.accepted()))).isEmpty();
  }
}
