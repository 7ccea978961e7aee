package io.amphora.amqp.tx;

import static io.amphora.amqp.tx.TxWire.CONTROL;
import static io.amphora.amqp.tx.TxWire.of;
import static io.amphora.amqp.tx.TxWire.rejection;
import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.transaction.TransactionLimits;
import java.util.List;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages that are sent in transactions. */
class TransactionalSendTest {

  private final EngineRig rig = new EngineRig();
  private Binary id;
  private long next = 1;

  @BeforeEach
  void begin() {
    rig.broker.withTopic("t", 1);
    rig.broker.withTopic("small", TopicConfig.DEFAULT.withMaxMessageBytes(1024));
    rig.opened();
    rig.send(TxWire.coordinator(CONTROL, "txn"));
    id = TxWire.begin(rig, 0);
    rig.send(Wire.sender(0, 1, "out", Wire.target("t")));
    rig.send(Wire.sender(0, 2, "anonymous", Wire.list(0x29, (Object) null)));
    rig.send(Wire.sender(0, 3, "small", Wire.target("small")));
  }

  private RawFrame answer(byte[] transfer) {
    return of(rig.send(transfer), RawFrame.DISPOSITION).get(0);
  }

  private String commit() {
    return rejection(answer(TxWire.discharge(next++, id, false)).get(4));
  }

  private int stored(String topic) {
    return rig.broker.partition(topic, 0).records().size();
  }

  /** B115. */
  @Test
  void shouldRejectATransferWithAnUnknownId() {
    Binary made = new Binary(new byte[] {9});
    RawFrame answer = answer(TxWire.transfer(1, next++, made, "x"));
    assertThat(answer.get(3)).isEqualTo(true);
    assertThat(rejection(answer.get(4))).isEqualTo("amqp:transaction:unknown-id");
    assertThat(stored("t")).isZero();
    assertThat(commit()).as("another transaction is not touched").isEmpty();
  }

  /** The field is mandatory. */
  @Test
  void shouldCloseOnAStateWithoutAnId() {
    List<RawFrame> frames = rig.send(TxWire.transfer(1, next++, null, "x"));
    assertThat(of(frames, RawFrame.CLOSE).get(0).condition(0)).isEqualTo("amqp:decode-error");
  }

  @Test
  void shouldTakeASettledTransfer() {
    byte[] settled = TxWire.transfer(1, next++, Wire.message("x"), TxWire.state(id, null), true);
    assertThat(of(rig.send(settled), RawFrame.DISPOSITION)).isEmpty();
    assertThat(stored("t")).isZero();
    assertThat(commit()).isEmpty();
    assertThat(stored("t")).isEqualTo(1);
  }

  @Test
  void shouldMixWithOrdinaryTransfers() {
    rig.send(TxWire.transfer(1, next++, id, "in"), Wire.transfer(1, next++, Wire.message("out")));
    assertThat(stored("t")).isEqualTo(1);
    commit();
    assertThat(stored("t")).isEqualTo(2);
  }

  @Test
  void shouldRejectAMalformedMessageAndRollBack() {
    byte[] bad = TxWire.transfer(1, next++, new byte[] {1, 2, 3}, TxWire.state(id, null), false);
    RawFrame answer = answer(bad);
    assertThat(answer.described(4)).isEqualTo(0x34);
    assertThat(rejection(answer.get(4))).isEqualTo("amqp:decode-error");
    rig.send(TxWire.transfer(1, next++, id, "x"));
    assertThat(commit()).isEqualTo("amqp:transaction:rollback");
    assertThat(stored("t")).isZero();
  }

  /** Nobody can be told of a settled one but by the end of the transaction. */
  @Test
  void shouldRollBackAfterASettledMessageWasRefused() {
    rig.send(TxWire.transfer(1, next++, new byte[] {1, 2}, TxWire.state(id, null), true));
    assertThat(commit()).isEqualTo("amqp:transaction:rollback");
  }

  @Test
  void shouldRollBackAfterAMessageToNowhere() {
    byte[] nowhere = Wire.encode(new Wire.Described(UnsignedLong.valueOf(0x73), List.of()));
    byte[] message = Wire.join(nowhere, Wire.message("x"));
    RawFrame answer = answer(TxWire.transfer(2, next++, message, TxWire.state(id, null), false));
    assertThat(rejection(answer.get(4))).isEqualTo("amqp:precondition-failed");
    assertThat(commit()).isEqualTo("amqp:transaction:rollback");
  }

  private byte[] to(String address) {
    Object properties = Wire.list(0x73, null, null, address);
    return TxWire.transfer(
        2,
        next++,
        Wire.join(Wire.encode(properties), Wire.message("x")),
        TxWire.state(id, null),
        false);
  }

  /** The commit waits for the topic that one of its messages has created. */
  @Test
  void shouldWaitForATopicThatIsBeingCreated() {
    rig.send(to("fresh"), TxWire.discharge(next++, id, false));
    assertThat(rig.broker.commits).hasSize(1);
    assertThat(stored("fresh")).isEqualTo(1);
  }

  @Test
  void shouldNotCommitWithoutAMessageWhoseLinkEndedTooEarly() {
    List<RawFrame> frames =
        rig.send(to("fresh"), Wire.detach(2, true), TxWire.discharge(next++, id, false));
    List<RawFrame> answers = of(frames, RawFrame.DISPOSITION);
    assertThat(rejection(answers.get(answers.size() - 1).get(4)))
        .isEqualTo("amqp:transaction:rollback");
    assertThat(rig.broker.commits).isEmpty();
  }

  @Test
  void shouldRollBackAfterAMessageThatIsTooLarge() {
    rig.send(TxWire.transfer(1, next++, id, "x"));
    List<RawFrame> frames = rig.send(TxWire.transfer(3, next++, id, "x".repeat(2000)));
    assertThat(of(frames, RawFrame.DETACH).get(0).condition(2))
        .isEqualTo("amqp:link:message-size-exceeded");
    assertThat(commit()).isEqualTo("amqp:transaction:rollback");
    assertThat(stored("t")).isZero();
  }

  @Test
  void shouldRollBackWhenItHoldsTooMuch() {
    rig.broker.limit(new TransactionLimits(120_000, 10, 4000, 1 << 20, 10));
    Binary bounded = TxWire.begin(rig, next++);
    rig.send(TxWire.transfer(1, next++, bounded, "x".repeat(3000)));
    RawFrame answer = answer(TxWire.transfer(1, next++, bounded, "x".repeat(1000)));
    assertThat(rejection(answer.get(4))).isEqualTo("amqp:resource-limit-exceeded");
    RawFrame end = answer(TxWire.discharge(next++, bounded, false));
    assertThat(rejection(end.get(4))).isEqualTo("amqp:transaction:rollback");
  }

  /** Up to what a transaction may hold, a message of several frames is kept in memory. */
  @Test
  void shouldTakeALargeMessage() {
    byte[] message = Wire.data(new byte[3 << 20]);
    List<byte[]> frames = new java.util.ArrayList<>();
    long delivery = next++;
    for (int at = 0; at < message.length; at += 60_000) {
      int end = Math.min(message.length, at + 60_000);
      boolean more = end < message.length;
      Object[] about = {1, delivery, false, more};
      frames.add(
          TxWire.transfer(
              about, java.util.Arrays.copyOfRange(message, at, end), TxWire.state(id, null)));
    }
    assertThat(rejection(answer(Wire.join(frames)).get(4))).isEmpty();
    assertThat(rig.broker.spools).isEmpty();
    assertThat(commit()).isEmpty();
    assertThat(rig.broker.partition("t", 0).records().get(0).bodyLength())
        .isEqualTo(message.length);
    assertThat(rig.memory.held()).isZero();
  }

  @Test
  void shouldRefuseALargerMessageThanATransactionMayHold() {
    rig.broker.limit(new TransactionLimits(120_000, 10, 2 << 20, 8 << 20, 10));
    Binary bounded = TxWire.begin(rig, next++);
    byte[] message = Wire.data(new byte[3 << 20]);
    List<byte[]> frames = new java.util.ArrayList<>();
    long delivery = next++;
    for (int at = 0; at < message.length; at += 60_000) {
      int end = Math.min(message.length, at + 60_000);
      Object[] about = {1, delivery, false, end < message.length};
      frames.add(
          TxWire.transfer(
              about, java.util.Arrays.copyOfRange(message, at, end), TxWire.state(bounded, null)));
    }
    assertThat(rejection(answer(Wire.join(frames)).get(4)))
        .isEqualTo("amqp:resource-limit-exceeded");
    RawFrame end = answer(TxWire.discharge(next++, bounded, false));
    assertThat(rejection(end.get(4))).isEqualTo("amqp:transaction:rollback");
    rig.loop.runAll();
    assertThat(rig.memory.held()).isZero();
  }

  /** What waits for the end of a transaction must not stop the socket that brings the end. */
  @Test
  void shouldNotCountAsUnanswered() {
    rig.send(TxWire.transfer(1, next++, id, "x".repeat(50_000)));
    assertThat(rig.pendingBytes).isZero();
  }

  @Test
  void shouldOutliveTheSenderThatSent() {
    rig.send(TxWire.transfer(1, next++, id, "x"));
    rig.send(Wire.detach(1, true));
    assertThat(commit()).isEmpty();
    assertThat(stored("t")).isEqualTo(1);
  }
}
