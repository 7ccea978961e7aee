package io.amphora.amqp.tx;

import static io.amphora.amqp.tx.TxWire.CONTROL;
import static io.amphora.amqp.tx.TxWire.of;
import static io.amphora.amqp.tx.TxWire.rejection;
import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.FakeGroup;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.delivery.Claim;
import io.amphora.core.delivery.Outcome;
import io.amphora.core.delivery.Settlement;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.transaction.CommitResult;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Outcomes that are said in transactions. */
class TransactionalOutcomeTest {

  private final EngineRig rig = new EngineRig();
  private Binary id;
  private long next = 1;

  @BeforeEach
  void receive() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    rig.send(TxWire.coordinator(CONTROL, "txn"));
    id = TxWire.begin(rig, 0);
    rig.send(Wire.sender(0, 9, "out", Wire.target("t")));
    for (int i = 0; i < 4; i++) {
      rig.send(Wire.transfer(9, next, Wire.message("m" + next++)));
    }
    rig.send(Wire.receiver(0, 0, "in", Wire.source("t")));
    assertThat(of(rig.send(Wire.flow(0, 0L, 4, false, false)), RawFrame.TRANSFER)).hasSize(4);
  }

  private FakeGroup queue() {
    return rig.broker.group(SubscribeRequest.queueOf("t"));
  }

  private byte[] say(int first, int last, boolean settled, Object outcome) {
    return Wire.disposition(true, first, last, settled, TxWire.state(id, outcome));
  }

  private byte[] end(boolean fail) {
    return TxWire.discharge(next++, id, fail);
  }

  private static List<RawFrame> ofSender(List<RawFrame> frames) {
    return of(frames, RawFrame.DISPOSITION).stream()
        .filter(f -> Boolean.FALSE.equals(f.get(0)))
        .toList();
  }

  private static List<RawFrame> ofReceiver(List<RawFrame> frames) {
    return of(frames, RawFrame.DISPOSITION).stream()
        .filter(f -> Boolean.TRUE.equals(f.get(0)))
        .toList();
  }

  @Test
  void shouldApplyARangeWhenCommitted() {
    rig.send(say(0, 2, true, Wire.accepted()));
    assertThat(queue().settled).isEmpty();
    rig.send(end(false));
    assertThat(queue().settled).hasSize(3).allMatch(s -> s.outcome() == Outcome.ACCEPTED);
    assertThat(queue().inFlight()).isEqualTo(1);
    assertThat(rig.broker.commits).hasSize(1);
  }

  @Test
  void shouldCommitWhatCameInTheSameWrite() {
    rig.send(say(0, 3, true, Wire.accepted()), end(false));
    assertThat(queue().settled).hasSize(4);
  }

  @Test
  void shouldDeliverAgainWhatWasSettledAndRolledBack() {
    rig.send(say(0, 0, true, Wire.accepted()));
    List<RawFrame> frames = rig.send(Wire.flow(0, 4L, 4, false, false), end(true));
    assertThat(of(frames, RawFrame.TRANSFER)).hasSize(1);
    assertThat(queue().ends).containsExactly(Claim.End.ROLLBACK);
  }

  /** Proton Python and AMQP.NET Lite leave the settling to the broker (conventions 4.7). */
  @Test
  void shouldSettleWhenCommittedWhatTheReceiverLeftOpen() {
    assertThat(ofSender(rig.send(say(0, 2, false, Wire.accepted())))).isEmpty();
    List<RawFrame> answers = ofSender(rig.send(end(false)));
    assertThat(answers).hasSize(1);
    assertThat(answers.get(0).uint(1)).isZero();
    assertThat(answers.get(0).uint(2)).isEqualTo(2);
    assertThat(answers.get(0).get(3)).isEqualTo(true);
    assertThat(answers.get(0).described(4)).isEqualTo(0x34);
  }

  @Test
  void shouldTakeAnotherWordAfterARollback() {
    rig.send(say(0, 0, false, Wire.accepted()));
    List<RawFrame> frames = rig.send(end(true));
    assertThat(ofSender(frames)).isEmpty();
    assertThat(of(frames, RawFrame.TRANSFER)).as("the receiver still has it").isEmpty();
    rig.send(Wire.disposition(true, 0, 0, true, Wire.accepted()));
    assertThat(queue().settled).hasSize(1).allMatch(s -> s.outcome() == Outcome.ACCEPTED);
  }

  @Test
  void shouldGiveBackWhatWasForgottenBeforeTheRollback() {
    rig.send(say(0, 0, false, Wire.accepted()));
    rig.send(say(0, 0, true, Wire.accepted()), Wire.flow(0, 4L, 4, false, false));
    List<RawFrame> frames = rig.send(end(true));
    assertThat(of(frames, RawFrame.TRANSFER)).hasSize(1);
  }

  @Test
  void shouldTakeEveryOutcome() {
    rig.send(say(0, 0, true, Wire.list(0x25)));
    rig.send(say(1, 1, true, Wire.list(0x26)));
    rig.send(say(2, 2, true, Wire.list(0x27, true, true)));
    rig.send(end(false));
    assertThat(queue().settled)
        .extracting(s -> s.outcome().getClass().getSimpleName())
        .containsExactly("Rejected", "Released", "Modified");
  }

  @Test
  void shouldReleaseWhatIsSettledWithoutAnOutcome() {
    rig.send(say(0, 0, true, null), end(false));
    assertThat(queue().settled).singleElement().matches(s -> s.outcome() == Outcome.RELEASED);
  }

  @Test
  void shouldMixWithOrdinaryOutcomes() {
    rig.send(say(0, 0, true, Wire.accepted()), Wire.disposition(true, 1, 1, true, Wire.accepted()));
    assertThat(queue().settled).hasSize(1);
    rig.send(end(true));
    assertThat(queue().ends).containsExactly(Claim.End.ROLLBACK);
  }

  /** B115: there is no other way to answer a settled disposition than to end the link. */
  @Test
  void shouldEndTheLinkOnAnUnknownId() {
    Object made = TxWire.state(new Binary(new byte[] {7}), Wire.accepted());
    List<RawFrame> frames = rig.send(Wire.disposition(true, 0, 1, true, made));
    assertThat(of(frames, RawFrame.DETACH).get(0).condition(2))
        .isEqualTo("amqp:transaction:unknown-id");
    assertThat(queue().settled).isEmpty();
    assertThat(queue().inFlight()).as("all of it went back").isZero();
  }

  @Test
  void shouldGiveBackWhatIsSaidInATransactionThatTimedOut() {
    rig.loop.advance(121_000_000_000L);
    rig.read();
    rig.send(Wire.flow(0, 4L, 4, false, false));
    List<RawFrame> frames = rig.send(say(0, 0, true, Wire.accepted()));
    assertThat(of(frames, RawFrame.DETACH)).isEmpty();
    assertThat(of(frames, RawFrame.TRANSFER)).hasSize(1);
  }

  @Test
  void shouldGiveBackWhatWasSaidWhenTheTransactionTimesOut() {
    rig.send(say(0, 0, true, Wire.accepted()));
    rig.send(Wire.flow(0, 4L, 4, false, false));
    rig.loop.advance(121_000_000_000L);
    assertThat(of(rig.read(), RawFrame.TRANSFER)).hasSize(1);
  }

  /** First wins (safety rule 14). */
  @Test
  void shouldRollBackWhenAMessageIsNotInFlightAnyMore() {
    queue().settle(List.of(new Settlement(0, 0, Outcome.ACCEPTED)));
    List<RawFrame> frames = rig.send(say(0, 1, true, Wire.accepted()), end(false));
    assertThat(rejection(ofReceiver(frames).get(0).get(4))).isEqualTo("amqp:transaction:rollback");
    assertThat(rig.broker.commits).isEmpty();
  }

  @Test
  void shouldKeepAClaimWhenTheReceiverDetaches() {
    rig.send(say(0, 0, true, Wire.accepted()), Wire.detach(0, true));
    assertThat(queue().inFlight()).isZero();
    rig.send(end(false));
    assertThat(queue().settled).hasSize(1);
  }

  /** B119: consume from one topic, produce to another. */
  @Test
  void shouldConsumeAndProduceInOneTransaction() {
    rig.broker.withTopic("other", 1);
    rig.send(Wire.sender(0, 5, "other", Wire.target("other")));
    rig.send(say(0, 0, true, Wire.accepted()), TxWire.transfer(5, next++, id, "x"), end(false));
    assertThat(queue().settled).hasSize(1);
    assertThat(rig.broker.partition("other", 0).records()).hasSize(1);
    assertThat(rig.broker.commits).singleElement().matches(w -> !w.changes().isEmpty());
  }

  @Test
  void shouldGiveBackWhenTheCommitFails() {
    rig.broker.commitResult =
        new CommitResult.RolledBack(new BrokerException(ErrorCode.RESOURCE_LIMIT, "disk full"));
    rig.send(Wire.flow(0, 4L, 4, false, false));
    List<RawFrame> frames = rig.send(say(0, 0, true, Wire.accepted()), end(false));
    assertThat(of(frames, RawFrame.TRANSFER)).hasSize(1);
    assertThat(queue().ends).containsExactly(Claim.End.ROLLBACK);
  }

  @Test
  void shouldGiveBackUncountedWhenTheConnectionIsLost() {
    rig.send(say(0, 0, true, Wire.accepted()));
    rig.engine.lost();
    rig.loop.runAll();
    assertThat(queue().ends).containsExactly(Claim.End.ABANDON);
    assertThat(queue().inFlight()).isZero();
  }

  /** Neither yes nor no: nobody gets the message before the next start. */
  @Test
  void shouldKeepWhatWasSaidWhenTheOutcomeIsUnknown() {
    rig.broker.commitResult = new CommitResult.Unknown("lost");
    rig.send(say(0, 0, true, Wire.accepted()), end(false));
    rig.engine.lost();
    rig.loop.runAll();
    assertThat(queue().ends).isEmpty();
    assertThat(queue().settled).isEmpty();
  }

  @Test
  void shouldRefuseTransactionalAcquisition() {
    Map<Symbol, Object> properties = Map.of(Symbol.valueOf("txn-id"), id);
    List<RawFrame> frames =
        rig.send(
            Wire.frame(
                0,
                RawFrame.FLOW,
                Wire.u(1),
                Wire.u(100000),
                Wire.u(0),
                Wire.u(2048),
                Wire.u(0),
                Wire.u(4),
                Wire.u(10),
                null,
                false,
                false,
                properties));
    assertThat(of(frames, RawFrame.DETACH).get(0).condition(2)).isEqualTo("amqp:not-implemented");
  }
}
