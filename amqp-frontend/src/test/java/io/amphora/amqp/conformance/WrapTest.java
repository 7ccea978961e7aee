package io.amphora.amqp.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.wal.LogRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.proton.amqp.Binary;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Counters that go over 2^31 and 2^32: transfer ids, delivery-ids and delivery-counts of the client
 * and of the broker (RFC 1982 arithmetic; conventions 7.5).
 */
class WrapTest {

  private static final int BEFORE_HALF = Integer.MAX_VALUE - 20;
  private static final int BEFORE_WHOLE = -20;
  private static final int MANY = 66_000;

  private EngineRig rig;

  /** Both sides count from the same number. */
  private void open(int start) {
    rig = new EngineRig(EngineRig.settings(true, 65536).countingFrom(start), true);
    rig.broker.withTopic("t", 1);
    rig.send(Wire.AMQP, Wire.open(), Wire.begin(0, start, 2048));
  }

  private static byte[] transfer(int handle, int id, byte[] message) {
    Binary tag = new Binary(("t" + id).getBytes(StandardCharsets.UTF_8));
    byte[] body = Wire.encode(Wire.list(RawFrame.TRANSFER, Wire.u(handle), Wire.u(id), tag));
    return Wire.frame(0, 0, body, message);
  }

  private static List<RawFrame> of(List<RawFrame> frames, int code) {
    return frames.stream().filter(f -> f.code() == code).toList();
  }

  /** A client's sender, which sends what it has credit for. */
  private final class Publisher {
    final int handle;
    final int start;
    int next;
    int limit;
    int settledUpTo;

    Publisher(int handle, int start) {
      this.handle = handle;
      this.start = start;
      this.next = start;
      this.settledUpTo = start;
      take(
          rig.send(
              Wire.attach(
                  0,
                  handle,
                  "out",
                  false,
                  new Object[] {null, null, null, Wire.target("t"), Wire.u(start)})));
    }

    private void take(List<RawFrame> frames) {
      assertThat(frames)
          .extracting(RawFrame::code)
          .doesNotContain(RawFrame.DETACH, RawFrame.END, RawFrame.CLOSE);
      for (RawFrame flow : of(frames, RawFrame.FLOW)) {
        assertThat(next - flow.uint(0)).as("next-incoming-id").isBetween(0, next - start);
        if (flow.get(4) != null) {
          limit = flow.uint(5) + flow.uint(6);
        }
      }
      for (RawFrame disposition : of(frames, RawFrame.DISPOSITION)) {
        assertThat(disposition.uint(1)).as("first").isEqualTo(settledUpTo);
        settledUpTo = disposition.uint(2) + 1;
      }
    }

    /** Sends that many, at most what the link has credit for at once. */
    void publish(int count) {
      int end = next + count;
      while (next != end) {
        int credit = limit - next;
        assertThat(credit).as("credit at %d", next).isBetween(1, 1000);
        List<byte[]> burst = new ArrayList<>();
        for (int i = Math.min(credit, end - next); i > 0; i--) {
          burst.add(transfer(handle, next, Wire.message("m" + (next - start))));
          next++;
        }
        take(rig.send(burst.toArray(byte[][]::new)));
      }
      assertThat(settledUpTo).as("all are settled").isEqualTo(next);
    }
  }

  /** A client's receiver with a small window; it knows what it may get. */
  private final class Subscriber {
    final int handle;
    final int start;
    int count;
    int seen;
    List<RawFrame> last = List.of();

    Subscriber(int handle, int start, int rcvSettleMode) {
      this.handle = handle;
      this.start = start;
      this.count = start;
      List<RawFrame> frames =
          rig.send(
              Wire.attach(
                  0,
                  handle,
                  "in",
                  true,
                  new Object[] {0, rcvSettleMode, Wire.source("t"), null, null}));
      assertThat(of(frames, RawFrame.ATTACH).get(0).uint(9)).isEqualTo(start);
    }

    /** Gives credit and a window and returns how many came. */
    int flow(int window, int credit, boolean drain) {
      byte[] flow =
          Wire.frame(
              0,
              RawFrame.FLOW,
              Wire.u(1 + start + seen),
              Wire.u(window),
              Wire.u(0),
              Wire.u(2048),
              Wire.u(handle),
              Wire.u(count),
              Wire.u(credit),
              null,
              drain,
              false);
      last = rig.send(flow);
      List<RawFrame> transfers = of(last, RawFrame.TRANSFER);
      assertThat(transfers.size()).isLessThanOrEqualTo(Math.min(window, credit));
      for (RawFrame transfer : transfers) {
        assertThat(transfer.uint(1)).as("delivery-id").isEqualTo(count);
        count++;
        seen++;
      }
      return transfers.size();
    }

    List<RawFrame> settle(int first, int lastId, Object state, boolean settled) {
      return rig.send(
          Wire.frame(0, RawFrame.DISPOSITION, true, Wire.u(first), Wire.u(lastId), settled, state));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE_HALF, BEFORE_WHOLE})
  void shouldTakeMessagesOverTheWrap(int start) {
    open(start);
    Publisher publisher = new Publisher(0, start);
    publisher.publish(1);
    publisher.publish(500);
    List<LogRecord> records = rig.broker.partition("t", 0).records();
    assertThat(records).hasSize(501);
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE_HALF, BEFORE_WHOLE})
  void shouldGiveMessagesOverTheWrap(int start) {
    open(start);
    new Publisher(0, start).publish(200);
    Subscriber subscriber = new Subscriber(1, start, 0);
    assertThat(subscriber.flow(7, 100, false)).as("the window counts").isEqualTo(7);
    assertThat(subscriber.flow(10, 3, false)).as("credit counts").isEqualTo(3);
    assertThat(subscriber.flow(100, 50, false)).isEqualTo(50);
    subscriber.settle(start, start + 59, Wire.accepted(), true);
    assertThat(rig.broker.group("t::$queue").settled).hasSize(60);
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE_HALF, BEFORE_WHOLE})
  void shouldReturnWhatIsReleasedOnTheWrap(int start) {
    open(start);
    new Publisher(0, start).publish(40);
    Subscriber subscriber = new Subscriber(1, start, 0);
    assertThat(subscriber.flow(100, 40, false)).isEqualTo(40);
    subscriber.settle(start + 15, start + 25, Wire.list(0x26), true);
    assertThat(subscriber.flow(100, 40, false)).as("the eleven again").isEqualTo(11);
    byte[] first = of(subscriber.last, RawFrame.TRANSFER).get(0).payload();
    assertThat(new String(first, StandardCharsets.UTF_8)).endsWith("m15");
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE_HALF, BEFORE_WHOLE})
  void shouldAnswerADrainOverTheWrap(int start) {
    open(start);
    new Publisher(0, start).publish(5);
    Subscriber subscriber = new Subscriber(1, start, 0);
    assertThat(subscriber.flow(100, 60, true)).isEqualTo(5);
    RawFrame answer = of(subscriber.last, RawFrame.FLOW).get(0);
    assertThat(answer.uint(5)).as("delivery-count").isEqualTo(start + 60);
    assertThat(answer.uint(6)).as("link-credit").isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE_HALF, BEFORE_WHOLE})
  void shouldAnswerModeSecondOverTheWrap(int start) {
    open(start);
    new Publisher(0, start).publish(60);
    Subscriber subscriber = new Subscriber(1, start, 1);
    assertThat(subscriber.flow(100, 60, false)).isEqualTo(60);
    List<RawFrame> answers =
        of(subscriber.settle(start, start + 59, Wire.accepted(), false), RawFrame.DISPOSITION);
    int next = start;
    for (RawFrame answer : answers) {
      assertThat(answer.get(0)).as("role").isEqualTo(false);
      assertThat(answer.uint(1)).isEqualTo(next);
      next = answer.uint(2) + 1;
    }
    assertThat(next).isEqualTo(start + 60);
  }

  /** Beyond 2^16 and over a wrap in the middle, both ways, with little credit and window. */
  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE - MANY / 2, -MANY / 2})
  void shouldCarryMoreThan65536MessagesOverOneLink(int start) {
    open(start);
    Publisher publisher = new Publisher(0, start);
    Subscriber subscriber = new Subscriber(1, start, 0);
    for (int round = 0; round < MANY / 300; round++) {
      publisher.publish(300);
      for (int got = 1; got > 0; ) {
        int before = subscriber.count;
        got = subscriber.flow(50, 70, false);
        if (got > 0) {
          subscriber.settle(before, before + got - 1, Wire.accepted(), true);
        }
      }
      assertThat(subscriber.seen).isEqualTo((round + 1) * 300);
      // What came with the credit that is left belongs to the next round.
      subscriber.flow(0, 0, false);
    }
    assertThat(rig.broker.group("t::$queue").settled).hasSize(MANY);
  }
}
