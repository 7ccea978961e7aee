package io.amphora.amqp.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.FakeGroup;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.delivery.Outcome;
import io.amphora.core.delivery.SubscribeRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A receiver that settles when the broker did (conventions 7.3). */
class SettleSecondTest {

  private static final int SECOND = 1;

  private final EngineRig rig = new EngineRig();
  private long nextId;

  private void attach(int messages) {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    publish(messages);
    Object[] asked = {0, SECOND, Wire.source("t"), Wire.target("x"), null};
    RawFrame reply = of(rig.send(Wire.attach(0, 0, "in", true, asked)), RawFrame.ATTACH).get(0);
    assertThat(reply.get(4)).hasToString("1");
  }

  private void publish(int messages) {
    for (int i = 0; i < messages; i++) {
      rig.send(Wire.transfer(9, nextId, Wire.message("m" + nextId++)));
    }
  }

  private FakeGroup queue() {
    return rig.broker.group(SubscribeRequest.queueOf("t"));
  }

  private List<RawFrame> credit(long count, int credit) {
    return of(rig.send(Wire.flow(0, count, credit, false, false)), RawFrame.TRANSFER);
  }

  private static List<RawFrame> of(List<RawFrame> frames, int code) {
    return frames.stream().filter(f -> f.code() == code).toList();
  }

  private static List<RawFrame> dispositions(List<RawFrame> frames) {
    return of(frames, RawFrame.DISPOSITION);
  }

  private static void assertAnswer(RawFrame answer, int first, int last, int state) {
    assertThat(answer.get(0)).as("role sender").isEqualTo(false);
    assertThat(answer.uint(1)).isEqualTo(first);
    assertThat(answer.uint(2)).isEqualTo(last);
    assertThat(answer.get(3)).as("settled").isEqualTo(true);
    assertThat(answer.described(4)).isEqualTo(state);
  }

  @Test
  void shouldAnswerWithTheSameStateWhenItIsDurableAndNotBefore() {
    attach(4);
    queue().slow = true;
    credit(0, 4);
    assertThat(rig.send(Wire.disposition(true, 0, 1, false, Wire.accepted()))).isEmpty();
    assertThat(rig.send(Wire.disposition(true, 2, 2, false, Wire.list(0x25)))).isEmpty();
    assertThat(queue().settled).as("applied at once").hasSize(3);
    queue().journal();
    List<RawFrame> answers = dispositions(rig.read());
    assertThat(answers).hasSize(2);
    assertAnswer(answers.get(0), 0, 1, 0x24);
    assertAnswer(answers.get(1), 2, 2, 0x25);
  }

  @Test
  void shouldNotWaitForWhoSettles() {
    attach(2);
    queue().slow = true;
    credit(0, 2);
    assertThat(rig.send(Wire.disposition(true, 0, 1, true, Wire.accepted()))).isEmpty();
    assertThat(queue().settled).hasSize(2);
    queue().journal();
    assertThat(rig.read()).isEmpty();
  }

  @Test
  void shouldSayNothingMoreToWhoSettledMeanwhile() {
    attach(1);
    queue().slow = true;
    credit(0, 1);
    rig.send(Wire.disposition(true, 0, 0, false, Wire.accepted()));
    rig.send(Wire.disposition(true, 0, 0, true, Wire.accepted()));
    queue().journal();
    assertThat(rig.read()).isEmpty();
    assertThat(queue().settled).hasSize(1);
  }

  @Test
  void shouldStayWithTheFirstWord() {
    attach(1);
    queue().slow = true;
    credit(0, 1);
    rig.send(Wire.disposition(true, 0, 0, false, Wire.accepted()));
    rig.send(Wire.disposition(true, 0, 0, false, Wire.list(0x26)));
    queue().journal();
    assertAnswer(dispositions(rig.read()).get(0), 0, 0, 0x24);
    assertThat(queue().settled).hasSize(1).allMatch(s -> s.outcome() == Outcome.ACCEPTED);
  }

  @Test
  void shouldNotAnswerOnALinkThatIsGone() {
    attach(2);
    queue().slow = true;
    credit(0, 2);
    rig.send(Wire.disposition(true, 0, 0, false, Wire.accepted()));
    List<RawFrame> frames = rig.send(Wire.detach(0, true));
    assertThat(frames).hasSize(1).allMatch(f -> f.code() == RawFrame.DETACH);
    queue().journal();
    assertThat(rig.read()).isEmpty();
  }

  @Test
  void shouldNotAnswerOnALinkThatTheBrokerDetached() {
    attach(1);
    queue().slow = true;
    credit(0, 1);
    rig.send(Wire.disposition(true, 0, 0, false, Wire.accepted()));
    queue().detachAll(new BrokerException(ErrorCode.NOT_LEADER, "moved"));
    List<RawFrame> frames = rig.read();
    assertThat(frames).hasSize(1);
    assertThat(frames.get(0).condition(2)).isEqualTo("amqp:link:detach-forced");
    queue().journal();
    assertThat(rig.read()).isEmpty();
  }

  @Test
  void shouldIgnoreAStateThatIsNotTerminal() {
    attach(1);
    credit(0, 1);
    Object received = Wire.list(0x23, Wire.u(0), org.apache.qpid.proton.amqp.UnsignedLong.ZERO);
    assertThat(rig.send(Wire.disposition(true, 0, 0, false, received))).isEmpty();
    assertThat(queue().settled).isEmpty();
    assertThat(dispositions(rig.send(Wire.disposition(true, 0, 0, false, Wire.accepted()))))
        .hasSize(1);
  }

  /** Accepts what comes while the journal stands still; returns how much came in the end. */
  private int acceptUntilNothingComes() {
    attach(0);
    queue().slow = true;
    credit(0, 1_000_000);
    int seen = 0;
    int more = 1;
    while (more > 0) {
      List<byte[]> batch = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        batch.add(Wire.transfer(9, nextId, Wire.message("m" + nextId++)));
      }
      more = of(rig.send(batch.toArray(byte[][]::new)), RawFrame.TRANSFER).size();
      seen += more;
      if (more > 0) {
        rig.send(Wire.disposition(true, seen - more, seen - 1, false, Wire.accepted()));
      }
    }
    return seen;
  }

  /** Answers that are due must not fill the memory. */
  @Test
  void shouldStopDeliveringWhenTooManyAnswersAreDue() {
    assertThat(acceptUntilNothingComes()).isBetween(SettleAnswers.MOST, SettleAnswers.MOST + 1100);
    queue().journal();
    List<RawFrame> frames = rig.read();
    assertThat(dispositions(frames)).isNotEmpty();
    assertThat(of(frames, RawFrame.TRANSFER)).as("it goes on").isNotEmpty();
  }

  @Test
  void shouldAnswerADrainWhileTooManyAnswersAreDue() {
    acceptUntilNothingComes();
    List<RawFrame> frames = rig.send(Wire.flow(0, null, 2_000_000, true, false));
    assertThat(of(frames, RawFrame.FLOW)).hasSize(1);
  }
}
