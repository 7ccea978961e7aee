package io.amphora.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.amphora.core.ErrorCode;
import io.amphora.core.delivery.DeliveryHub;
import io.amphora.core.delivery.Outcome;
import io.amphora.core.delivery.Settlement;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.transaction.CommitResult;
import io.amphora.core.transaction.Transaction;
import io.amphora.core.transaction.TransactionLimits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transactions on one node, the whole core in one thread. */
class TransactionTest {

  private final NodeHarness node = new NodeHarness(11);
  private final MetricRegistry metrics = new MetricRegistry();
  private final List<CommitResult> results = new ArrayList<>();
  private boolean timedOut;

  @BeforeEach
  void start() {
    node.deliveries = services -> new DeliveryHub(services, metrics);
    node.options = withLimits(TransactionLimits.DEFAULT);
    node.start();
    node.create("a");
    node.create("b", TopicConfig.DEFAULT.withPartitions(2));
    node.create("c");
  }

  private static CoreOptions withLimits(TransactionLimits limits) {
    return new CoreOptions(1 << 20, 4096, 100, 1000, 1, 60_000, limits);
  }

  private Transaction begin() {
    return node.broker.transactions().begin(node.client, () -> timedOut = true);
  }

  private void commit(Transaction transaction) {
    node.client.execute(() -> transaction.commit(results::add));
    node.scheduler.runUntilIdle();
  }

  private void assertRolledBack(ErrorCode code) {
    assertThat(results).singleElement().isInstanceOf(CommitResult.RolledBack.class);
    assertThat(((CommitResult.RolledBack) results.get(0)).reason().code()).isEqualTo(code);
  }

  @Test
  void shouldShowWhatIsSentOnlyWhenItIsCommitted() {
    Transaction transaction = begin();
    transaction.send(TxReceiver.send(node.broker, "b", 0, "x"));
    transaction.send(TxReceiver.send(node.broker, "b", 1, "y"));
    transaction.send(TxReceiver.send(node.broker, "c", 0, "z"));
    node.scheduler.runUntilIdle();
    assertThat(node.messages("b", 0)).isEmpty();
    commit(transaction);
    assertThat(results).containsExactly(new CommitResult.Committed());
    assertThat(node.messages("b", 0)).containsExactly("x");
    assertThat(node.messages("b", 1)).containsExactly("y");
    assertThat(node.messages("c", 0)).containsExactly("z");
    assertThat(metrics.meter("transactions.committed").getCount()).isEqualTo(1);
    assertThat(metrics.counter("transactions.open").getCount()).isZero();
  }

  @Test
  void shouldNeverShowWhatIsRolledBack() {
    Transaction transaction = begin();
    transaction.send(TxReceiver.send(node.broker, "b", 0, "x"));
    transaction.rollback();
    node.scheduler.runUntilIdle();
    node.crash();
    node.start();
    assertThat(node.messages("b", 0)).isEmpty();
    assertThat(metrics.meter("transactions.rolledback").getCount()).isEqualTo(1);
  }

  @Test
  void shouldMoveMessagesFromOneTopicToOthers() {
    node.append("a", 0, "1", "2", "3");
    TxReceiver receiver = new TxReceiver(node);
    receiver.onEach = delivery -> receiver.move(delivery, results::add);
    receiver.subscribe("a", 2);
    node.scheduler.advanceMillis(500);
    assertThat(results).hasSize(2).allMatch(r -> r instanceof CommitResult.Committed);
    assertThat(node.messages("b", 0)).containsExactly("1", "2");
    assertThat(node.messages("c", 0)).containsExactly("1-1", "1-2", "2-1", "2-2");
    node.client.execute(receiver.member::close);
    node.scheduler.advanceMillis(500);
    assertThat(TxReceiver.of(node, "a", 10).bodies()).containsExactly("3");
  }

  @Test
  void shouldGiveBackWhatWasAcceptedWhenItIsRolledBack() {
    node.append("a", 0, "1", "2");
    TxReceiver receiver = TxReceiver.of(node, "a", 1);
    Transaction transaction = begin();
    node.client.execute(
        () -> {
          transaction.claim(
              receiver.member, List.of(TxReceiver.accepted(receiver.deliveries.get(0))), true);
          receiver.member.credit(0);
        });
    node.scheduler.runUntilIdle();
    TxReceiver other = TxReceiver.of(node, "a", 10);
    assertThat(other.bodies()).as("kept for the transaction").containsExactly("2");
    node.client.execute(transaction::rollback);
    node.scheduler.runUntilIdle();
    assertThat(other.bodies()).containsExactly("2", "1");
    assertThat(other.deliveries.get(1).attempts()).isEqualTo(1);
  }

  @Test
  void shouldKeepAClaimWhenItsReceiverIsGone() {
    node.append("a", 0, "1", "2");
    TxReceiver receiver = TxReceiver.of(node, "a", 2);
    Transaction transaction = begin();
    node.client.execute(
        () -> {
          transaction.claim(
              receiver.member, List.of(TxReceiver.accepted(receiver.deliveries.get(0))), true);
          receiver.member.close();
        });
    node.scheduler.runUntilIdle();
    TxReceiver other = TxReceiver.of(node, "a", 10);
    assertThat(other.bodies()).containsExactly("2");
    commit(transaction);
    assertThat(results).containsExactly(new CommitResult.Committed());
    assertThat(other.bodies()).containsExactly("2");
    node.stop();
    node.start();
    assertThat(TxReceiver.of(node, "a", 10).bodies()).containsExactly("2");
  }

  @Test
  void shouldGiveItBackUncountedWhenNobodyIsToBlame() {
    node.append("a", 0, "1");
    TxReceiver receiver = TxReceiver.of(node, "a", 1);
    Transaction transaction = begin();
    node.client.execute(
        () -> {
          transaction.claim(
              receiver.member, List.of(TxReceiver.accepted(receiver.deliveries.get(0))), true);
          receiver.member.close();
          transaction.abandon();
        });
    node.scheduler.runUntilIdle();
    TxReceiver other = TxReceiver.of(node, "a", 10);
    assertThat(other.bodies()).containsExactly("1");
    assertThat(other.deliveries.get(0).attempts()).isZero();
    assertThat(other.deliveries.get(0).firstAcquirer()).isFalse();
  }

  @Test
  void shouldLeaveItWithAReceiverThatHasNotSettled() {
    node.append("a", 0, "1");
    TxReceiver receiver = TxReceiver.of(node, "a", 5);
    Settlement word = TxReceiver.accepted(receiver.deliveries.get(0));
    Transaction transaction = begin();
    node.client.execute(() -> transaction.claim(receiver.member, List.of(word), false));
    node.scheduler.runUntilIdle();
    node.client.execute(transaction::rollback);
    node.scheduler.runUntilIdle();
    assertThat(receiver.bodies()).as("not delivered again").containsExactly("1");
    Transaction second = begin();
    node.client.execute(() -> second.claim(receiver.member, List.of(word), false));
    commit(second);
    assertThat(results).containsExactly(new CommitResult.Committed());
  }

  /** First wins (safety rule 14). */
  @Test
  void shouldRollBackWhenAMessageIsAcceptedAlready() {
    node.append("a", 0, "1");
    TxReceiver receiver = TxReceiver.of(node, "a", 1);
    Settlement word = TxReceiver.accepted(receiver.deliveries.get(0));
    Transaction first = begin();
    Transaction second = begin();
    node.client.execute(
        () -> {
          first.claim(receiver.member, List.of(word), true);
          second.claim(receiver.member, List.of(word), true);
        });
    second.send(TxReceiver.send(node.broker, "c", 0, "never"));
    commit(second);
    assertRolledBack(ErrorCode.PRECONDITION_FAILED);
    assertThat(node.messages("c", 0)).isEmpty();
    results.clear();
    commit(first);
    assertThat(results).containsExactly(new CommitResult.Committed());
  }

  @Test
  void shouldParkARejectedMessageAndCountAFailedOneWhenCommitted() {
    node.append("a", 0, "1", "2", "3");
    TxReceiver receiver = TxReceiver.of(node, "a", 3);
    Transaction transaction = begin();
    node.client.execute(
        () ->
            transaction.claim(
                receiver.member,
                List.of(
                    TxReceiver.word(receiver.deliveries.get(0), new Outcome.Rejected("", "")),
                    TxReceiver.word(
                        receiver.deliveries.get(1), new Outcome.Modified(true, false, new byte[0])),
                    TxReceiver.word(receiver.deliveries.get(2), Outcome.RELEASED)),
                true));
    commit(transaction);
    node.crash();
    node.start();
    TxReceiver other = TxReceiver.of(node, "a", 10);
    assertThat(other.bodies()).containsExactly("2", "3");
    assertThat(other.deliveries.get(0).attempts()).isEqualTo(1);
    assertThat(other.deliveries.get(1).attempts()).isZero();
  }

  @Test
  void shouldOnlyRollBackAfterAnOperationFailed() {
    Transaction transaction = begin();
    transaction.send(TxReceiver.send(node.broker, "c", 0, "x"));
    node.create("small", TopicConfig.DEFAULT.withMaxMessageBytes(1024));
    assertThat(transaction.send(TxReceiver.send(node.broker, "small", 0, "x".repeat(2000))))
        .hasValueSatisfying(e -> assertThat(e.code()).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE));
    commit(transaction);
    assertRolledBack(ErrorCode.MESSAGE_TOO_LARGE);
    assertThat(node.messages("c", 0)).isEmpty();
  }

  @Test
  void shouldHoldNoMoreThanItMay() {
    node.stop();
    node.options = withLimits(new TransactionLimits(1000, 10, 10_000, 15_000, 10));
    node.start();
    Transaction one = begin();
    assertThat(one.send(TxReceiver.send(node.broker, "c", 0, "x".repeat(9_000)))).isEmpty();
    assertThat(one.send(TxReceiver.send(node.broker, "c", 0, "x".repeat(2_000)))).isPresent();
    Transaction two = begin();
    assertThat(two.send(TxReceiver.send(node.broker, "c", 0, "x".repeat(9_000))))
        .as("all together")
        .isPresent();
    one.rollback();
    Transaction three = begin();
    assertThat(three.send(TxReceiver.send(node.broker, "c", 0, "x".repeat(9_000)))).isEmpty();
  }

  @Test
  void shouldRollBackWhatTakesTooLong() {
    node.append("a", 0, "1");
    TxReceiver receiver = TxReceiver.of(node, "a", 1);
    Transaction transaction = begin();
    node.client.execute(
        () -> {
          transaction.claim(
              receiver.member, List.of(TxReceiver.accepted(receiver.deliveries.get(0))), true);
          receiver.member.credit(1);
        });
    node.scheduler.advanceMillis(119_000);
    assertThat(timedOut).isFalse();
    assertThat(transaction.isOpen()).isTrue();
    node.scheduler.advanceMillis(2_000);
    assertThat(timedOut).isTrue();
    assertThat(transaction.isOpen()).isFalse();
    assertThat(receiver.bodies()).containsExactly("1", "1");
    assertThat(metrics.meter("transactions.timedout").getCount()).isEqualTo(1);
  }

  @Test
  void shouldDropThePartOfATopicThatIsDeletedAfterTheCommit() {
    Transaction transaction = begin();
    transaction.send(TxReceiver.send(node.broker, "b", 0, "x"));
    transaction.send(TxReceiver.send(node.broker, "c", 0, "y"));
    node.client.execute(() -> transaction.commit(results::add));
    node.wal.thread().hold(true);
    node.scheduler.runUntilIdle();
    node.client.execute(() -> node.broker.deleteTopic("c", node.client, reply -> {}));
    node.wal.thread().hold(false);
    node.scheduler.advanceMillis(1_000);
    assertThat(results).containsExactly(new CommitResult.Committed());
    assertThat(node.messages("b", 0)).containsExactly("x");
  }

  @Test
  void shouldRollBackWhenATopicIsGoneBeforeTheCommit() {
    Transaction transaction = begin();
    transaction.send(TxReceiver.send(node.broker, "b", 0, "x"));
    transaction.send(TxReceiver.send(node.broker, "c", 0, "y"));
    node.delete("c").orThrow();
    commit(transaction);
    assertRolledBack(ErrorCode.RESOURCE_DELETED);
    assertThat(node.messages("b", 0)).isEmpty();
  }

  @Test
  void shouldGiveUpTheLogOfWhatIsApplied() {
    String large = "x".repeat(500_000);
    for (int i = 0; i < 40; i++) {
      Transaction transaction = begin();
      transaction.send(TxReceiver.send(node.broker, "b", 0, large));
      transaction.send(TxReceiver.send(node.broker, "c", 0, "y"));
      commit(transaction);
    }
    assertThat(results).hasSize(40).allMatch(r -> r instanceof CommitResult.Committed);
    assertThat(node.status("__transactions", 0).log().logStart()).isGreaterThan(40);
    node.crash();
    node.start();
    assertThat(node.messages("c", 0)).hasSize(40);
  }
}
