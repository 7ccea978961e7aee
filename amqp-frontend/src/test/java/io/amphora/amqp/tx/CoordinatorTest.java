package io.amphora.amqp.tx;

import static io.amphora.amqp.tx.TxWire.CONTROL;
import static io.amphora.amqp.tx.TxWire.of;
import static io.amphora.amqp.tx.TxWire.rejection;
import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.transaction.CommitResult;
import io.amphora.core.transaction.TransactionLimits;
import java.util.List;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.Symbol;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Declare and discharge on a coordinator link (conventions 4.7). */
class CoordinatorTest {

  private static final int DECLARED = 0x33;
  private static final int ACCEPTED = 0x24;

  private final EngineRig rig = new EngineRig();
  private List<RawFrame> attach;

  @BeforeEach
  void attach() {
    rig.broker.withTopic("t", 1);
    rig.opened();
    attach = rig.send(TxWire.coordinator(CONTROL, "txn"));
  }

  private List<RawFrame> answers(List<RawFrame> frames) {
    return of(frames, RawFrame.DISPOSITION);
  }

  private void sender() {
    rig.send(Wire.sender(0, 1, "out", Wire.target("t")));
  }

  private int stored() {
    return rig.broker.partition("t", 0).records().size();
  }

  @Test
  void shouldAnswerTheAttachWithACoordinatorAndGrantCredit() {
    RawFrame reply = of(attach, RawFrame.ATTACH).get(0);
    assertThat(reply.described(6)).isEqualTo(0x30);
    Object capabilities = ((List<?>) ((DescribedType) reply.get(6)).getDescribed()).get(0);
    assertThat((Symbol[]) capabilities)
        .contains(
            Symbol.valueOf("amqp:local-transactions"), Symbol.valueOf("amqp:multi-txns-per-ssn"));
    assertThat(of(attach, RawFrame.FLOW).get(0).uint(6)).isPositive();
  }

  @Test
  void shouldAnswerADeclareSettledWithAnId() {
    RawFrame answer = answers(rig.send(TxWire.declare(0))).get(0);
    assertThat(answer.get(3)).as("settled").isEqualTo(true);
    assertThat(answer.described(4)).isEqualTo(DECLARED);
    assertThat(TxWire.idOf(answer).getLength()).isEqualTo(16);
  }

  @Test
  void shouldCommit() {
    sender();
    Binary id = TxWire.begin(rig, 0);
    RawFrame sent = answers(rig.send(TxWire.transfer(1, 1, id, "x"))).get(0);
    assertThat(sent.get(3)).isEqualTo(true);
    assertThat(sent.described(4)).isEqualTo(0x34);
    List<?> state = (List<?>) ((DescribedType) sent.get(4)).getDescribed();
    assertThat(state.get(0)).isEqualTo(id);
    assertThat(((DescribedType) state.get(1)).getDescriptor()).hasToString("36");
    assertThat(stored()).isZero();
    RawFrame answer = answers(rig.send(TxWire.discharge(2, id, false))).get(0);
    assertThat(answer.get(3)).isEqualTo(true);
    assertThat(answer.described(4)).isEqualTo(ACCEPTED);
    assertThat(stored()).isEqualTo(1);
  }

  /** A discharge without its fail field commits: false is the default. */
  @Test
  void shouldCommitWhenNothingIsSaid() {
    sender();
    Binary id = TxWire.begin(rig, 0);
    rig.send(TxWire.transfer(1, 1, id, "x"));
    assertThat(answers(rig.send(TxWire.discharge(2, id, null))).get(0).described(4))
        .isEqualTo(ACCEPTED);
    assertThat(stored()).isEqualTo(1);
  }

  @Test
  void shouldRollBack() {
    sender();
    Binary id = TxWire.begin(rig, 0);
    rig.send(TxWire.transfer(1, 1, id, "x"));
    assertThat(answers(rig.send(TxWire.discharge(2, id, true))).get(0).described(4))
        .isEqualTo(ACCEPTED);
    assertThat(stored()).isZero();
    assertThat(rig.broker.commits).isEmpty();
  }

  @Test
  void shouldAnswerPipelinedDischargeAndDeclareInOrder() {
    sender();
    Binary id = TxWire.begin(rig, 0);
    rig.broker.holdCommits = true;
    rig.send(TxWire.transfer(1, 1, id, "x"));
    assertThat(answers(rig.send(TxWire.discharge(2, id, false), TxWire.declare(3)))).isEmpty();
    rig.broker.releaseCommits();
    List<RawFrame> answers = answers(rig.read());
    assertThat(answers).hasSize(2);
    assertThat(answers.get(0).uint(1)).isEqualTo(2);
    assertThat(answers.get(0).described(4)).isEqualTo(ACCEPTED);
    assertThat(answers.get(1).uint(1)).isEqualTo(3);
    assertThat(answers.get(1).described(4)).isEqualTo(DECLARED);
  }

  @Test
  void shouldTakeAllOfATransactionInOneWrite() {
    sender();
    Binary id = TxWire.begin(rig, 0);
    rig.send(
        TxWire.transfer(1, 1, id, "x"),
        TxWire.transfer(1, 2, id, "y"),
        TxWire.discharge(3, id, false),
        TxWire.declare(4));
    assertThat(stored()).isEqualTo(2);
  }

  @Test
  void shouldKeepSeveralTransactionsOfASessionApart() {
    sender();
    Binary one = TxWire.begin(rig, 0);
    Binary two = TxWire.begin(rig, 1);
    assertThat(one).isNotEqualTo(two);
    rig.send(TxWire.transfer(1, 2, one, "x"), TxWire.transfer(1, 3, two, "y"));
    rig.send(TxWire.discharge(4, two, false), TxWire.discharge(5, one, true));
    assertThat(stored()).isEqualTo(1);
    assertThat(rig.broker.commits).hasSize(1);
  }

  /** B115. */
  @Test
  void shouldSayThatATransactionIsUnknown() {
    Binary made = new Binary(new byte[] {1, 2, 3});
    RawFrame answer = answers(rig.send(TxWire.discharge(0, made, false))).get(0);
    assertThat(answer.get(3)).isEqualTo(true);
    assertThat(rejection(answer.get(4))).isEqualTo("amqp:transaction:unknown-id");
  }

  @Test
  void shouldNotKnowATransactionOfAnotherConnection() {
    Binary id = TxWire.begin(rig, 0);
    EngineRig other = new EngineRig(rig).opened();
    other.send(TxWire.coordinator(CONTROL, "txn"));
    RawFrame answer = answers(other.send(TxWire.discharge(0, id, false))).get(0);
    assertThat(rejection(answer.get(4))).isEqualTo("amqp:transaction:unknown-id");
  }

  @Test
  void shouldNotDischargeTwice() {
    Binary id = TxWire.begin(rig, 0);
    List<RawFrame> answers =
        answers(rig.send(TxWire.discharge(1, id, false), TxWire.discharge(2, id, false)));
    assertThat(answers.get(0).described(4)).isEqualTo(ACCEPTED);
    assertThat(rejection(answers.get(1).get(4))).isEqualTo("amqp:transaction:unknown-id");
  }

  @Test
  void shouldSayWhyItRolledBack() {
    sender();
    Binary id = TxWire.begin(rig, 0);
    rig.send(TxWire.transfer(1, 1, id, "x"));
    rig.broker.commitResult =
        new CommitResult.RolledBack(new BrokerException(ErrorCode.RESOURCE_LIMIT, "disk full"));
    RawFrame answer = answers(rig.send(TxWire.discharge(2, id, false))).get(0);
    assertThat(rejection(answer.get(4))).isEqualTo("amqp:transaction:rollback");
  }

  @Test
  void shouldRollBackWhileTheDiskIsLow() {
    sender();
    Binary id = TxWire.begin(rig, 0);
    rig.send(TxWire.transfer(1, 1, id, "x"));
    rig.broker.alarms = List.of("disk low");
    RawFrame answer = answers(rig.send(TxWire.discharge(2, id, false))).get(0);
    assertThat(rejection(answer.get(4))).isEqualTo("amqp:transaction:rollback");
    assertThat(stored()).isZero();
  }

  /** House rule 4: an unknown outcome is never called a no. */
  @Test
  void shouldEndTheLinkWhenTheOutcomeIsUnknown() {
    sender();
    Binary id = TxWire.begin(rig, 0);
    rig.send(TxWire.transfer(1, 1, id, "x"));
    rig.broker.commitResult = new CommitResult.Unknown("the log was lost");
    List<RawFrame> frames = rig.send(TxWire.discharge(2, id, false));
    assertThat(answers(frames)).isEmpty();
    RawFrame detach = of(frames, RawFrame.DETACH).get(0);
    assertThat(detach.uint(0)).isEqualTo(of(attach, RawFrame.ATTACH).get(0).uint(1));
    assertThat(detach.condition(2)).isEqualTo("amqp:link:detach-forced");
  }

  @Test
  void shouldTimeOut() {
    sender();
    Binary id = TxWire.begin(rig, 0);
    rig.send(TxWire.transfer(1, 1, id, "x"));
    rig.loop.advance(121_000_000_000L);
    rig.read();
    RawFrame sent = answers(rig.send(TxWire.transfer(1, 2, id, "y"))).get(0);
    assertThat(rejection(sent.get(4))).isEqualTo("amqp:transaction:timeout");
    RawFrame answer = answers(rig.send(TxWire.discharge(3, id, false))).get(0);
    assertThat(rejection(answer.get(4))).isEqualTo("amqp:transaction:timeout");
    assertThat(stored()).isZero();
  }

  @Test
  void shouldRefuseMoreOpenTransactionsThanAllowed() {
    rig.broker.limit(new TransactionLimits(120_000, 2, 1 << 20, 1 << 20, 10));
    TxWire.begin(rig, 0);
    Binary second = TxWire.begin(rig, 1);
    RawFrame answer = answers(rig.send(TxWire.declare(2))).get(0);
    assertThat(rejection(answer.get(4))).isEqualTo("amqp:resource-limit-exceeded");
    rig.send(TxWire.discharge(3, second, true));
    assertThat(answers(rig.send(TxWire.declare(4))).get(0).described(4)).isEqualTo(DECLARED);
  }

  @Test
  void shouldRollBackWhenTheCoordinatorLinkIsDetached() {
    sender();
    Binary id = TxWire.begin(rig, 0);
    rig.send(TxWire.transfer(1, 1, id, "x"));
    rig.send(Wire.detach(CONTROL, true));
    assertThat(rig.broker.metrics.counter("transactions.open").getCount()).isZero();
    RawFrame late = answers(rig.send(TxWire.transfer(1, 2, id, "y"))).get(0);
    assertThat(rejection(late.get(4))).isEqualTo("amqp:transaction:unknown-id");
    assertThat(stored()).isZero();
  }

  @Test
  void shouldRollBackWhenTheSessionEnds() {
    Binary id = TxWire.begin(rig, 0);
    assertThat(id).isNotNull();
    rig.send(Wire.end(0));
    assertThat(rig.broker.metrics.counter("transactions.open").getCount()).isZero();
    assertThat(rig.broker.metrics.meter("transactions.rolledback").getCount()).isEqualTo(1);
  }

  @Test
  void shouldRollBackWhenTheConnectionIsLost() {
    sender();
    Binary id = TxWire.begin(rig, 0);
    rig.send(TxWire.transfer(1, 1, id, "x"));
    rig.engine.lost();
    rig.loop.runAll();
    assertThat(rig.broker.metrics.counter("transactions.open").getCount()).isZero();
    assertThat(stored()).isZero();
  }

  /** A discharge that was read counts, though nobody is there to hear of it. */
  @Test
  void shouldGoOnWithACommitWhenTheConnectionIsLost() {
    sender();
    Binary id = TxWire.begin(rig, 0);
    rig.broker.holdCommits = true;
    rig.send(TxWire.transfer(1, 1, id, "x"), TxWire.discharge(2, id, false));
    rig.engine.lost();
    rig.broker.releaseCommits();
    rig.loop.runAll();
    assertThat(stored()).isEqualTo(1);
    assertThat(rig.broker.metrics.counter("transactions.open").getCount()).isZero();
  }

  @Test
  void shouldRefuseWhatIsNoRequest() {
    RawFrame answer = answers(rig.send(Wire.transfer(CONTROL, 0L, Wire.message("declare")))).get(0);
    assertThat(rejection(answer.get(4))).isEqualTo("amqp:decode-error");
    RawFrame garbage =
        answers(rig.send(Wire.transfer(CONTROL, 1L, new byte[] {0, 0x53, 0x77, (byte) 0xff})))
            .get(0);
    assertThat(rejection(garbage.get(4))).isEqualTo("amqp:decode-error");
  }

  @Test
  void shouldEndALinkThatSendsAHugeRequest() {
    List<RawFrame> frames = rig.send(Wire.transfer(CONTROL, 0L, new byte[5000]));
    assertThat(of(frames, RawFrame.DETACH).get(0).condition(2))
        .isEqualTo("amqp:link:message-size-exceeded");
  }

  @Test
  void shouldTakeARequestInSeveralFramesAndBySymbol() {
    Object declare = new Wire.Described(Symbol.valueOf("amqp:declare:list"), List.of());
    byte[] message = Wire.encode(new Wire.Described(Symbol.valueOf("amqp:amqp-value:*"), declare));
    byte[] first = java.util.Arrays.copyOf(message, 5);
    byte[] rest = java.util.Arrays.copyOfRange(message, 5, message.length);
    List<RawFrame> frames =
        rig.send(
            Wire.transfer(CONTROL, 0L, first, false, true),
            Wire.transfer(CONTROL, null, rest, false, false));
    assertThat(answers(frames).get(0).described(4)).isEqualTo(DECLARED);
  }

  @Test
  void shouldRefuseADistributedTransaction() {
    byte[] message =
        Wire.encode(
            new Wire.Described(
                org.apache.qpid.proton.amqp.UnsignedLong.valueOf(0x77),
                Wire.list(0x31, new Wire.Described(Symbol.valueOf("x:xid"), "x"))));
    RawFrame answer = answers(rig.send(Wire.transfer(CONTROL, 0L, message))).get(0);
    assertThat(rejection(answer.get(4))).isIn("amqp:not-implemented", "amqp:decode-error");
  }

  @Test
  void shouldKeepGivingCredit() {
    for (int i = 0; i < 250; i++) {
      Binary id = TxWire.begin(rig, i * 2L);
      List<RawFrame> frames = rig.send(TxWire.discharge(i * 2L + 1, id, true));
      assertThat(answers(frames).get(0).described(4)).isEqualTo(ACCEPTED);
    }
  }
}
