package io.amphora.core.transaction;

import com.codahale.metrics.MetricRegistry;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.node.NodeServices;
import io.amphora.core.partition.LeadershipListener;
import io.amphora.core.position.Positions;
import io.amphora.core.topology.TopicInfo;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.function.Consumer;

/** Finds the transaction log of this node. The map never changes; each slot belongs to its loop. */
public final class TransactionRouter implements Committer {
  private final NodeServices services;
  private final Positions positions;
  private final TransactionMetrics metrics;
  private final LocalTransactions transactions;
  private final IdentityHashMap<Loop, Slot> slots = new IdentityHashMap<>();

  private static final class Slot {
    private Optional<TransactionLog> log = Optional.empty();
  }

  /**
   * @param positions the journal of positions
   * @param registry where figures go
   */
  public TransactionRouter(NodeServices services, Positions positions, MetricRegistry registry) {
    this.services = services;
    this.positions = positions;
    this.metrics = new TransactionMetrics(registry);
    this.transactions =
        new LocalTransactions(services.options().transactions(), this, metrics, registry);
    services.loops().forEach(loop -> slots.put(loop, new Slot()));
  }

  /** The transactions of this node. */
  public Transactions transactions() {
    return transactions;
  }

  /** The listener of the one partition of {@code __transactions}. */
  public LeadershipListener logFor(TopicInfo topic, Loop loop) {
    TransactionLog log = new TransactionLog(topic, loop, services, positions, metrics);
    loop.execute(() -> slot(loop).log = Optional.of(log));
    return log;
  }

  private Slot slot(Loop loop) {
    Slot slot = slots.get(loop);
    if (slot == null) {
      throw new IllegalStateException("not a loop of this node: " + loop);
    }
    return slot;
  }

  /**
   * Applies what a crash left. Any loop.
   *
   * @param done called on the loop of the log, with how many transactions there were
   */
  public void recover(Consumer<Reply<Integer>> done) {
    onLog(
        log -> log.recover(done),
        () -> done.accept(Reply.failed(ErrorCode.INTERNAL, "there is no transaction log")));
  }

  @Override
  public void commit(TransactionWork work, Loop owner, Consumer<CommitResult> done) {
    Consumer<CommitResult> back = result -> owner.execute(() -> done.accept(result));
    onLog(
        log -> log.commit(work, back),
        () ->
            back.accept(
                new CommitResult.RolledBack(
                    new BrokerException(
                        ErrorCode.NOT_LEADER, "transactions are not available now"))));
  }

  private void onLog(Consumer<TransactionLog> found, Runnable nowhere) {
    TopicInfo topic = services.topology().topics().get(TransactionLog.TOPIC);
    if (topic == null) {
      nowhere.run();
      return;
    }
    Loop loop = services.loopOf(topic.id(), 0);
    Slot slot = slot(loop);
    loop.execute(() -> slot.log.ifPresentOrElse(found, nowhere));
  }
}
