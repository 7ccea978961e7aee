package io.amphora.amqp.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.FakeGroup;
import io.amphora.amqp.testkit.FakePartition;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.ErrorCode;
import io.amphora.core.delivery.Outcome;
import io.amphora.core.delivery.SubscribeRequest;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.junit.jupiter.api.Test;

/** Stored messages whose body is read while they are sent. */
class LargeMessageOutTest {

  private static final int MIB = 1 << 20;
  private static final byte[] BODY = Pieces.body(3 * MIB);

  private final EngineRig rig = new EngineRig();
  private long nextId;

  private void opened() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
  }

  private void publish(byte[] message) {
    rig.send(Pieces.array(Pieces.of(9, nextId++, message)));
  }

  private FakePartition partition() {
    return rig.broker.partition("t", 0);
  }

  private FakeGroup queue() {
    return rig.broker.group(SubscribeRequest.queueOf("t"));
  }

  private void receiver(int handle) {
    rig.send(Wire.receiver(0, handle, "in" + handle, Wire.source("t")));
  }

  private static List<RawFrame> transfers(List<RawFrame> frames) {
    return Pieces.only(frames, RawFrame.TRANSFER);
  }

  private static boolean more(RawFrame transfer) {
    return Boolean.TRUE.equals(transfer.get(5));
  }

  private static void assertWhole(List<RawFrame> transfers, byte[] bare) {
    assertThat(Pieces.payload(transfers)).endsWith(bare);
    for (int i = 0; i < transfers.size(); i++) {
      assertThat(more(transfers.get(i))).isEqualTo(i < transfers.size() - 1);
      assertThat(transfers.get(i).payload().length).isPositive();
      assertThat(transfers.get(i).fields()).hasSize(11);
    }
  }

  @Test
  void shouldSendTheStoredBodyBehindANewHead() {
    opened();
    publish(Wire.join(Pieces.HEADER, Pieces.map(0x72, "note", "n"), BODY));
    receiver(0);
    List<RawFrame> transfers = transfers(rig.send(Wire.flow(0, 0L, 1, false, false)));
    assertWhole(transfers, BODY);
    byte[] payload = Pieces.payload(transfers);
    assertThat(payload.length - BODY.length).isLessThan(300);
    assertThat(partition().bodyReads).allMatch(r -> r.length() <= 256 << 10);
    rig.send(Wire.disposition(true, 0, 0, true, Wire.accepted()));
    assertThat(queue().settled).singleElement().matches(s -> s.outcome() == Outcome.ACCEPTED);
  }

  @Test
  void shouldContinueFromTheSameByteWhenTheWindowOpens() {
    rig.broker.withTopic("t", 1);
    rig.send(Wire.AMQP, Wire.open(), Wire.begin(0, 0, 1));
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    publish(BODY);
    receiver(0);
    List<RawFrame> all = new ArrayList<>();
    for (int sent = 0; all.isEmpty() || more(all.get(all.size() - 1)); sent++) {
      List<RawFrame> one = transfers(rig.send(windowed(0, 1 + sent, 1, 5)));
      assertThat(one).as("transfer %d", sent).hasSize(1);
      all.addAll(one);
    }
    assertWhole(all, BODY);
  }

  private static byte[] windowed(int handle, int nextIncoming, int window, int credit) {
    return Wire.frame(
        0,
        RawFrame.FLOW,
        Wire.u(nextIncoming),
        Wire.u(window),
        Wire.u(0),
        Wire.u(2048),
        Wire.u(handle),
        Wire.u(0),
        Wire.u(credit));
  }

  @Test
  void shouldHoldBackWhatComesBehindItAndLetOtherLinksGoOn() {
    opened();
    rig.broker.withTopic("u", 1);
    rig.send(Wire.sender(0, 8, "other", Wire.target("u")));
    publish(BODY);
    rig.send(Wire.transfer(9, nextId++, Wire.message("behind")));
    partition().holdBodies = true;
    receiver(0);
    assertThat(transfers(rig.send(Wire.flow(0, 0L, 5, false, false)))).isEmpty();
    rig.send(Wire.transfer(8, nextId++, Wire.message("elsewhere")));
    rig.send(Wire.receiver(0, 1, "in1", Wire.source("u")));
    assertThat(transfers(rig.send(Wire.flow(1, 0L, 5, false, false)))).hasSize(1);
    partition().releaseBodies();
    List<RawFrame> rest = transfers(rig.read());
    assertWhole(rest.subList(0, rest.size() - 1), BODY);
    assertThat(rest.get(rest.size() - 1).payload()).endsWith(Wire.message("behind"));
  }

  @Test
  void shouldKeepTwoThatAreSentAtTheSameTimeApart() {
    opened();
    rig.broker.withTopic("u", 1);
    rig.send(Wire.sender(0, 8, "other", Wire.target("u")));
    byte[] other = Pieces.body(4 * MIB);
    publish(BODY);
    rig.send(Pieces.array(Pieces.of(8, nextId++, other)));
    receiver(0);
    rig.send(Wire.receiver(0, 1, "in1", Wire.source("u")));
    List<RawFrame> all =
        transfers(rig.send(Wire.flow(0, 0L, 5, false, false), Wire.flow(1, 0L, 5, false, false)));
    int handle = all.get(0).uint(0);
    List<RawFrame> first = all.stream().filter(f -> f.uint(0) == handle).toList();
    List<RawFrame> second = all.stream().filter(f -> f.uint(0) != handle).toList();
    assertThat(all.subList(0, first.size())).as("they take turns").isNotEqualTo(first);
    boolean same = first.size() < second.size();
    assertWhole(same ? first : second, BODY);
    assertWhole(same ? second : first, other);
  }

  @Test
  void shouldFinishALargeMessageBeforeADrainIsAnswered() {
    opened();
    publish(BODY);
    partition().holdBodies = true;
    receiver(0);
    rig.send(Wire.flow(0, 0L, 5, false, false));
    List<RawFrame> held = rig.send(Wire.flow(0, 0L, 5, true, false));
    assertThat(Pieces.only(held, RawFrame.FLOW)).isEmpty();
    partition().releaseBodies();
    List<RawFrame> frames = rig.read();
    assertWhole(transfers(frames), BODY);
    RawFrame last = frames.get(frames.size() - 1);
    assertThat(last.code()).isEqualTo(RawFrame.FLOW);
    assertThat(last.uint(5)).isEqualTo(5);
    assertThat(last.uint(6)).isZero();
  }

  @Test
  void shouldAnswerADrainInTheMiddleOfAMessageAfterIt() {
    rig.broker.withTopic("t", 1);
    rig.send(Wire.AMQP, Wire.open(), Wire.begin(0, 0, 3));
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    publish(BODY);
    receiver(0);
    List<RawFrame> all = new ArrayList<>(transfers(rig.send(windowed(0, 1, 3, 5))));
    assertThat(all).hasSize(3);
    assertThat(Pieces.only(rig.send(Wire.flow(0, 0L, 5, true, false)), RawFrame.FLOW)).hasSize(1);
  }

  @Test
  void shouldReadNoFurtherThanThePeerDoes() {
    opened();
    publish(BODY);
    receiver(0);
    partition().holdBodies = true;
    rig.send(Wire.flow(0, 0L, 5, false, false));
    rig.writable = false;
    partition().releaseBodies();
    rig.loop.runAll();
    assertThat(partition().bodyReads.size()).isLessThanOrEqualTo(2);
    rig.writable = true;
    rig.wake();
    assertWhole(transfers(rig.read()), BODY);
  }

  @Test
  void shouldReadAtMostTwoPiecesAheadOfAClosedWindow() {
    rig.broker.withTopic("t", 1);
    rig.send(Wire.AMQP, Wire.open(), Wire.begin(0, 0, 1));
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    publish(BODY);
    receiver(0);
    assertThat(transfers(rig.send(windowed(0, 1, 1, 5)))).hasSize(1);
    assertThat(partition().bodyReads.size()).isLessThanOrEqualTo(3);
  }

  @Test
  void shouldDetachWhenTheRestCannotBeReadAndReturnItUncounted() {
    opened();
    publish(BODY);
    receiver(0);
    rig.send(windowed(0, 1, 2, 5));
    partition().bodyFailure = java.util.Optional.of(ErrorCode.NOT_LEADER);
    List<RawFrame> frames = rig.send(windowed(0, 3, 1000, 5));
    assertThat(transfers(frames)).allMatch(LargeMessageOutTest::more);
    assertThat(Pieces.only(frames, RawFrame.DETACH).get(0).condition(2))
        .isEqualTo("amqp:link:detach-forced");
    rig.send(Wire.detach(0, true));
    assertThat(queue().inFlight()).isZero();
    partition().bodyFailure = java.util.Optional.empty();
    receiver(1);
    assertWhole(transfers(rig.send(Wire.flow(1, 0L, 1, false, false))), BODY);
  }

  @Test
  void shouldPassOverWhatRetentionTook() {
    opened();
    publish(BODY);
    rig.send(Wire.transfer(9, nextId++, Wire.message("next")));
    receiver(0);
    partition().bodyFailure = java.util.Optional.of(ErrorCode.NOT_FOUND);
    List<RawFrame> transfers = transfers(rig.send(Wire.flow(0, 0L, 1, false, false)));
    assertThat(transfers).singleElement().matches(f -> f.payload().length < 300);
    assertThat(queue().settled).singleElement().matches(s -> s.outcome() == Outcome.ACCEPTED);
  }

  @Test
  void shouldTryAgainWhenTooManyReadsWait() {
    opened();
    publish(BODY);
    receiver(0);
    partition().bodyFailure = java.util.Optional.of(ErrorCode.RESOURCE_LIMIT);
    assertThat(transfers(rig.send(Wire.flow(0, 0L, 1, false, false)))).isEmpty();
    partition().bodyFailure = java.util.Optional.empty();
    rig.loop.advance(10_000_000);
    assertWhole(transfers(rig.read()), BODY);
  }

  @Test
  void shouldStopInTheMiddleWhenTheClientDetaches() {
    opened();
    rig.broker.withTopic("u", 1);
    rig.send(Wire.sender(0, 8, "other", Wire.target("u")));
    publish(BODY);
    rig.send(Wire.transfer(8, nextId++, Wire.message("elsewhere")));
    receiver(0);
    List<RawFrame> some = transfers(rig.send(windowed(0, 1, 3, 5)));
    assertThat(some).hasSize(3).allMatch(LargeMessageOutTest::more);
    List<RawFrame> end = rig.send(windowed(0, 4, 2, 5), Wire.detach(0, true));
    assertThat(transfers(end)).as("no end is pretended").allMatch(LargeMessageOutTest::more);
    assertThat(Pieces.only(end, RawFrame.DETACH)).hasSize(1);
    assertThat(queue().inFlight()).isZero();
    rig.send(Wire.receiver(0, 1, "in1", Wire.source("u")));
    int sent = some.size() + transfers(end).size();
    assertThat(transfers(rig.send(windowed(1, 1 + sent, 1, 5)))).hasSize(1);
    rig.send(Wire.receiver(0, 2, "in2", Wire.source("t")));
    assertWhole(transfers(rig.send(windowed(2, 2 + sent, 1000, 5))), BODY);
  }

  @Test
  void shouldAbortWhatTheClientSettlesInTheMiddleAndGoOn() {
    opened();
    publish(BODY);
    rig.send(Wire.transfer(9, nextId++, Wire.message("next")));
    receiver(0);
    rig.send(windowed(0, 1, 3, 5));
    rig.send(Wire.disposition(true, 0, 0, true, Wire.list(0x25)));
    List<RawFrame> rest = transfers(rig.send(windowed(0, 4, 1000, 5)));
    assertThat(rest).hasSize(2);
    assertThat(rest.get(0).get(9)).isEqualTo(true);
    assertThat(more(rest.get(0))).isFalse();
    assertThat(rest.get(0).payload()).isEmpty();
    assertThat(rest.get(1).payload()).endsWith(Wire.message("next"));
    assertThat(queue().settled)
        .singleElement()
        .matches(s -> s.outcome() instanceof Outcome.Rejected);
  }

  @Test
  void shouldFinishWhatHasBegunWhenAllCreditIsTakenBack() {
    opened();
    publish(BODY);
    rig.send(Wire.transfer(9, nextId++, Wire.message("next")));
    receiver(0);
    List<RawFrame> all = new ArrayList<>(transfers(rig.send(windowed(0, 1, 3, 5))));
    all.addAll(transfers(rig.send(windowed(0, 4, 1000, 0))));
    assertWhole(all, BODY);
    assertThat(transfers(rig.send(Wire.flow(0, 1L, 1, false, false)))).hasSize(1);
  }

  @Test
  void shouldSendItSettledFromTheFirstFrameOn() {
    opened();
    publish(BODY);
    publish(BODY);
    rig.send(
        Wire.attach(
            0, 0, "in", true, new Object[] {1, 0, Wire.source("t"), Wire.target("x"), null}));
    List<RawFrame> frames = rig.send(Wire.flow(0, 0L, 5, false, false));
    List<RawFrame> transfers = transfers(frames);
    assertThat(transfers).allMatch(f -> Boolean.TRUE.equals(f.get(4)));
    assertThat(frames).hasSameSizeAs(transfers);
    assertThat(transfers.get(0).uint(1)).isZero();
    assertThat(transfers.get(transfers.size() - 1).uint(1)).isEqualTo(1);
    assertWhole(transfers.subList(transfers.size() / 2, transfers.size()), BODY);
  }

  @Test
  void shouldLetABrowserSeeIt() {
    opened();
    publish(BODY);
    Object source = Wire.list(0x28, "t", null, null, null, null, null, Symbol.valueOf("copy"));
    rig.send(Wire.receiver(0, 0, "in", source));
    assertWhole(transfers(rig.send(Wire.flow(0, 0L, 5, false, false))), BODY);
  }

  @Test
  void shouldNotSendWhatThePeerDoesNotTake() {
    opened();
    publish(BODY);
    byte[] attach =
        Wire.frame(
            0,
            RawFrame.ATTACH,
            "in",
            Wire.u(0),
            true,
            null,
            null,
            Wire.source("t"),
            Wire.target("x"),
            null,
            null,
            null,
            UnsignedLong.valueOf(2 * MIB));
    rig.send(attach);
    assertThat(transfers(rig.send(Wire.flow(0, 0L, 1, false, false)))).isEmpty();
    assertThat(queue().settled.get(0).outcome()).isInstanceOf(Outcome.Modified.class);
    assertThat(partition().bodyReads).isEmpty();
  }

  @Test
  void shouldNotSendWhatIsOver() {
    opened();
    publish(Wire.join(expires(rig.loop.nowMillis() + 1000, "id"), BODY));
    publish(Wire.join(expires(rig.loop.nowMillis() + 1000, "x".repeat(600_000)), BODY));
    rig.loop.advance(2_000_000_000);
    receiver(0);
    assertThat(transfers(rig.send(Wire.flow(0, 0L, 1, false, false)))).isEmpty();
    assertThat(queue().settled).hasSize(2).allMatch(s -> s.outcome() == Outcome.ACCEPTED);
  }

  private static byte[] expires(long when, String id) {
    byte[] absolute =
        Wire.encode(Wire.list(0x73, "i", null, null, null, null, null, null, null, new Date(when)));
    if (id.length() < 10) {
      return absolute;
    }
    byte[] text = id.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    byte[] date = java.util.Arrays.copyOfRange(absolute, absolute.length - 9, absolute.length);
    byte[] elements =
        Wire.join(
            new byte[] {(byte) 0xb1},
            Wire.int32(text.length),
            text,
            new byte[] {0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40},
            date);
    return Wire.join(
        new byte[] {0, 0x53, 0x73, (byte) 0xd0},
        Wire.int32(elements.length + 4),
        Wire.int32(9),
        elements);
  }

  @Test
  void shouldSendOtherFormatsAsTheyAre() {
    opened();
    byte[] payload = new byte[3 * MIB];
    List<byte[]> frames = new ArrayList<>(Pieces.of(9, 0, payload));
    byte[] first =
        Wire.encode(
            Wire.list(RawFrame.TRANSFER, Wire.u(9), Wire.u(0), null, Wire.u(77), false, true));
    frames.set(0, Wire.frame(0, 0, first, java.util.Arrays.copyOf(payload, Pieces.FRAME)));
    rig.send(Pieces.array(frames));
    receiver(0);
    List<RawFrame> transfers = transfers(rig.send(Wire.flow(0, 0L, 1, false, false)));
    assertThat(Pieces.payload(transfers)).isEqualTo(payload);
    assertThat(transfers.get(0).uint(3)).isEqualTo(77);
  }

  @Test
  void shouldHoldNothingWhenTheConnectionIsLost() {
    opened();
    publish(BODY);
    partition().holdBodies = true;
    receiver(0);
    rig.send(Wire.flow(0, 0L, 5, false, false));
    rig.engine.lost();
    partition().releaseBodies();
    rig.loop.runAll();
    assertThat(partition().bodyReads).hasSize(1);
    assertThat(queue().memberCount()).isZero();
  }
}
