package io.amphora.amqp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameGuardTest {

  private final EngineRig rig = new EngineRig();

  private EngineRig opened() {
    rig.broker.withTopic("t", 1);
    return rig.opened();
  }

  private static RawFrame only(List<RawFrame> frames, int code) {
    List<RawFrame> found = frames.stream().filter(f -> f.code() == code).toList();
    assertThat(found).as("%s", frames).hasSize(1);
    return found.get(0);
  }

  private void assertClosed(List<RawFrame> frames, String condition) {
    assertThat(only(frames, RawFrame.CLOSE).condition(0)).isEqualTo(condition);
    assertThat(rig.engine.outputDone()).isTrue();
  }

  private void assertEnded(List<RawFrame> frames, String condition) {
    assertThat(only(frames, RawFrame.END).condition(0)).isEqualTo(condition);
    assertThat(rig.engine.outputDone()).isFalse();
  }

  @Test
  void shouldCloseOnAFrameBeforeOpenWithAnOpenFirst() {
    List<RawFrame> frames = rig.send(Wire.AMQP, Wire.begin(0));
    assertThat(frames.get(1).code()).isEqualTo(RawFrame.OPEN);
    assertClosed(frames, "amqp:illegal-state");
  }

  @Test
  void shouldCloseOnASecondOpen() {
    assertClosed(opened().send(Wire.open()), "amqp:not-allowed");
  }

  @Test
  void shouldCloseOnABegunChannel() {
    assertClosed(opened().send(Wire.begin(0)), "amqp:not-allowed");
  }

  @Test
  void shouldCloseOnAChannelAboveTheMaximum() {
    assertClosed(opened().send(Wire.begin(256)), "amqp:connection:framing-error");
  }

  @Test
  void shouldCloseOnAnUnknownChannel() {
    assertClosed(opened().send(Wire.sender(7, 0, "l", Wire.target("t"))), "amqp:not-allowed");
  }

  @Test
  void shouldCloseOnAHandleAboveTheMaximum() {
    assertClosed(
        opened().send(Wire.sender(0, 1024, "l", Wire.target("t"))),
        "amqp:connection:framing-error");
  }

  @Test
  void shouldEndTheSessionOnAHandleInUse() {
    opened().send(Wire.sender(0, 0, "a", Wire.target("t")));
    assertEnded(rig.send(Wire.sender(0, 0, "b", Wire.target("t"))), "amqp:session:handle-in-use");
  }

  @Test
  void shouldLetAHandleBeUsedAgainAfterDetach() {
    opened().send(Wire.sender(0, 0, "a", Wire.target("t")));
    List<RawFrame> frames =
        rig.send(
            Wire.detach(0, true),
            Wire.sender(0, 0, "a", Wire.target("t")),
            Wire.detach(0, false),
            Wire.sender(0, 0, "a", Wire.target("t")));
    assertThat(frames.stream().filter(f -> f.code() == RawFrame.ATTACH)).hasSize(2);
    List<RawFrame> detaches = frames.stream().filter(f -> f.code() == RawFrame.DETACH).toList();
    assertThat(detaches).hasSize(2);
    assertThat(detaches.get(0).get(1)).isEqualTo(true);
    assertThat(detaches.get(1).get(1)).isEqualTo(false);
    assertThat(rig.linkCount).isEqualTo(1);
  }

  @Test
  void shouldEndTheSessionOnAnUnknownHandle() {
    assertEnded(
        opened().send(Wire.flow(5, 0L, 10, false, false)), "amqp:session:unattached-handle");
  }

  @Test
  void shouldDropWhatComesAfterItsEndAndAnswerTheEnd() {
    opened().send(Wire.flow(5, 0L, 10, false, false));
    assertThat(rig.send(Wire.sender(0, 0, "l", Wire.target("t")))).isEmpty();
    assertThat(rig.send(Wire.end(0))).isEmpty();
    List<RawFrame> again = rig.send(Wire.begin(0), Wire.sender(0, 0, "l", Wire.target("t")));
    assertThat(again.stream().map(RawFrame::code))
        .containsExactly(RawFrame.BEGIN, RawFrame.ATTACH, RawFrame.FLOW);
  }

  @Test
  void shouldEndTheSessionOnATransferFromAReceiver() {
    opened().send(Wire.receiver(0, 0, "r", Wire.source("t")));
    assertEnded(rig.send(Wire.transfer(0, 0L, Wire.message("x"))), "amqp:not-allowed");
  }

  @Test
  void shouldServeTwoLinksOfOneNameInOneSession() {
    opened();
    List<RawFrame> frames =
        rig.send(
            Wire.sender(0, 0, "same", Wire.target("t")),
            Wire.sender(0, 1, "same", Wire.target("t")),
            Wire.receiver(0, 2, "same", Wire.source("t")));
    List<RawFrame> attaches = frames.stream().filter(f -> f.code() == RawFrame.ATTACH).toList();
    assertThat(attaches).hasSize(3).allMatch(f -> "same".equals(f.get(0)));
  }

  @Test
  void shouldTakeGapsInDeliveryIdsAndSettleTheIdsOfTheWire() {
    opened().send(Wire.sender(0, 0, "l", Wire.target("t")));
    List<RawFrame> frames =
        rig.send(
            Wire.transfer(0, 4_294_967_294L, Wire.message("a")),
            Wire.transfer(0, 4_294_967_295L, Wire.message("b")),
            Wire.transfer(0, 5L, Wire.message("c")),
            Wire.transfer(0, 6L, Wire.message("d")),
            Wire.transfer(0, 9L, Wire.message("e")));
    List<String> ranges =
        frames.stream()
            .filter(f -> f.code() == RawFrame.DISPOSITION)
            .map(f -> f.get(1) + "-" + f.get(2))
            .toList();
    assertThat(ranges).containsExactly("4294967294-4294967295", "5-6", "9-9");
  }

  @Test
  void shouldTakeADeliveryThatItsSenderSettlesBeforeItsLastFrame() {
    opened();
    for (int handle = 0; handle < 2; handle++) {
      Object[] second = {0, 1, Wire.source("s"), Wire.target("t"), Wire.u(0)};
      rig.send(Wire.attach(0, handle, "l" + handle, false, second));
    }
    byte[] message = Wire.message("in two frames");
    List<RawFrame> frames =
        rig.send(
            Wire.transfer(0, 3L, Wire.message("whole")),
            Wire.transfer(1, 4L, Arrays.copyOf(message, 7), false, true),
            Wire.transfer(0, 5L, Wire.message("whole")),
            Wire.disposition(false, 0, 100, true, null),
            Wire.transfer(1, 4L, Arrays.copyOfRange(message, 7, message.length)));
    assertThat(frames).noneMatch(f -> f.code() == RawFrame.CLOSE);
    assertThat(rig.broker.partition("t", 0).records()).hasSize(3);
    assertThat(rig.pendingBytes).as("bytes given to the core").isZero();
    assertThat(rig.send(Wire.transfer(0, 6L, Wire.message("more"))))
        .as("what was settled is not answered again")
        .filteredOn(f -> f.code() == RawFrame.DISPOSITION)
        .extracting(f -> f.uint(1))
        .containsExactly(6);
  }

  @Test
  void shouldTakeATransferWithoutTag() {
    opened().send(Wire.sender(0, 0, "l", Wire.target("t")));
    byte[] body = Wire.encode(Wire.list(RawFrame.TRANSFER, Wire.u(0), Wire.u(0)));
    List<RawFrame> frames = rig.send(Wire.frame(0, 0, body, Wire.message("x")));
    assertThat(only(frames, RawFrame.DISPOSITION).described(4)).isEqualTo(0x24);
  }

  @Test
  void shouldDetachOnACreditOverrunBeyondTheTolerance() {
    opened().send(Wire.sender(0, 0, "l", Wire.target("t")));
    rig.broker.alarms = List.of("disk");
    byte[][] transfers = new byte[202][];
    for (int i = 0; i < transfers.length; i++) {
      transfers[i] = Wire.transfer(0, (long) i, Wire.message("x"));
    }
    RawFrame detach = only(rig.send(transfers), RawFrame.DETACH);
    assertThat(detach.condition(2)).isEqualTo("amqp:link:transfer-limit-exceeded");
  }

  @Test
  void shouldIgnoreEmptyFramesAndRefuseLargeOnes() {
    opened();
    assertThat(rig.send(Wire.frame(0, 0, new byte[0], new byte[0]))).isEmpty();
    byte[] large = Wire.int32(65537);
    assertClosed(rig.send(large, new byte[100]), "amqp:connection:framing-error");
  }

  @Test
  void shouldCloseOnAnUnknownPerformative() {
    List<RawFrame> frames = opened().send(Wire.frame(0, 0x99, "what"));
    assertThat(only(frames, RawFrame.CLOSE).condition(0)).isEqualTo("amqp:decode-error");
  }

  @Test
  void shouldAnswerEchoOfSessionAndLink() {
    opened().send(Wire.receiver(0, 0, "r", Wire.source("t")));
    RawFrame link = only(rig.send(Wire.flow(0, 0L, 7, false, true)), RawFrame.FLOW);
    assertThat(link.uint(4)).isZero();
    assertThat(link.uint(6)).isEqualTo(7);
    byte[] session =
        Wire.frame(
            0,
            RawFrame.FLOW,
            Wire.u(1),
            Wire.u(10),
            Wire.u(0),
            Wire.u(10),
            null,
            null,
            null,
            null,
            false,
            true);
    RawFrame flow = only(rig.send(session), RawFrame.FLOW);
    assertThat(flow.get(4)).isNull();
    assertThat(flow.get(0)).isNotNull();
  }

  @Test
  void shouldNotSendBeyondAWindowThatIsAlreadyOverrun() {
    opened().send(Wire.receiver(0, 0, "r", Wire.source("t")));
    rig.send(Wire.sender(0, 1, "s", Wire.target("t")));
    rig.send(window(1, 5, 0, 100));
    for (int i = 0; i < 10; i++) {
      rig.send(Wire.transfer(1, (long) i, Wire.message("x")));
    }
    // Five are in flight; the client says its window is 0 from id 1 on: minus five.
    List<RawFrame> after = rig.send(window(1, 0, 0, 100));
    assertThat(after.stream().filter(f -> f.code() == RawFrame.TRANSFER)).isEmpty();
    List<RawFrame> open = rig.send(window(6, 2, 0, 100));
    assertThat(open.stream().filter(f -> f.code() == RawFrame.TRANSFER)).hasSize(2);
  }

  private static byte[] window(int nextIncoming, int window, long count, int credit) {
    return Wire.frame(
        0,
        RawFrame.FLOW,
        Wire.u(nextIncoming),
        Wire.u(window),
        Wire.u(0),
        Wire.u(2048),
        Wire.u(0),
        Wire.u(count),
        Wire.u(credit));
  }

  @Test
  void shouldRenewTheIncomingWindowOfASession() {
    opened().send(Wire.sender(0, 0, "l", Wire.target("t")));
    int flows = 0;
    for (int i = 0; i < 10_000; i++) {
      byte[] frame = Wire.transfer(0, 0L, new byte[0], false, true);
      flows += (int) rig.send(frame).stream().filter(f -> f.code() == RawFrame.FLOW).count();
    }
    assertThat(flows).isEqualTo(2);
    assertThat(rig.engine.outputDone()).isFalse();
  }

  @Test
  void shouldDropASilentPeerAfterTheWholeTimeout() {
    opened();
    assertThat(rig.advance(119_000_000_000L)).isEmpty();
    RawFrame close = only(rig.advance(40_000_000_000L), RawFrame.CLOSE);
    assertThat(close.condition(0)).isEqualTo("amqp:connection:forced");
  }

  @Test
  void shouldSendHeartbeatsWithinHalfOfThePeersTime() {
    rig.send(Wire.AMQP, Wire.open(65536, 10_000));
    assertThat(rig.advance(3_900_000_000L)).isEmpty();
    assertThat(rig.advance(1_100_000_000L)).extracting(RawFrame::code).containsExactly(0);
  }

  @Test
  void shouldClampATinyIdleTimeout() {
    rig.send(Wire.AMQP, Wire.open(65536, 1));
    assertThat(rig.advance(1_000_000_000L)).hasSizeBetween(1, 3);
  }

  @Test
  void shouldRefuseAFrameSizeBelowTheMinimum() {
    assertClosed(rig.send(Wire.AMQP, Wire.open(511, null)), "amqp:connection:framing-error");
  }

  @Test
  void shouldSurviveMutatedInput() {
    byte[] good =
        Wire.join(
            Wire.open(),
            Wire.begin(0),
            Wire.sender(0, 0, "l", Wire.target("t")),
            Wire.receiver(0, 1, "r", Wire.source("t", "queue")),
            Wire.transfer(0, 0L, Wire.message("hello")),
            Wire.flow(1, 0L, 10, true, true),
            Wire.disposition(true, 0, 0, true, Wire.accepted()),
            Wire.detach(0, true),
            Wire.end(0),
            Wire.close());
    Random random = new Random(11);
    for (int round = 0; round < 1500; round++) {
      EngineRig one = new EngineRig();
      one.broker.withTopic("t", 1);
      byte[] bad = good.clone();
      for (int i = 0; i <= random.nextInt(3); i++) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
      }
      one.send(Wire.AMQP);
      List<RawFrame> answers = one.send(bad);
      answers.stream()
          .filter(f -> f.code() == RawFrame.CLOSE)
          .forEach(f -> assertThat(f.condition(0)).isNotEqualTo("amqp:internal-error"));
      one.send(Wire.close());
    }
  }
}
