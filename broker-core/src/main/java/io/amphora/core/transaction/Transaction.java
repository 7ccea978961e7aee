package io.amphora.core.transaction;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.delivery.Claim;
import io.amphora.core.delivery.Member;
import io.amphora.core.delivery.Settlement;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.core.position.PositionMerge;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * One transaction from its begin to its end: keeps what is sent in memory and what is said of
 * deliveries with those who dispatch them. Owned by the loop given at begin.
 *
 * <pre>
 * from     event                                 to       what else happens
 * Open     send, claim                           Open     kept; one that fails makes it roll back
 * Open     commit, nothing failed                Ending   waits for what is on its way, then commits
 * Open     commit, something failed              Over     rolled back, the first failure is the answer
 * Open     rollback, abandon, time-out           Over     sends are forgotten, claims end
 * Ending   committed or rolled back              Over     claims end accordingly
 * Ending   unknown                               Over     claims stay as they are until the next start
 * </pre>
 */
public final class Transaction {

  /** What all transactions of a node share. */
  record Shared(
      TransactionLimits limits,
      TransactionMemory memory,
      Committer committer,
      TransactionMetrics metrics) {}

  private enum State {
    OPEN,
    ENDING,
    OVER
  }

  private final UUID id = UUID.randomUUID();
  private final Shared shared;
  private final Loop owner;
  private final Loop.Cancellable timer;
  private final List<TransactionSend> sends = new ArrayList<>();
  private final List<Claim> claims = new ArrayList<>();
  private Optional<BrokerException> failure = Optional.empty();
  private Consumer<CommitResult> answer = result -> {};
  private Claim.End ended = Claim.End.ABANDON;
  private State state = State.OPEN;
  private long bytes;
  private int outcomes;
  private int onTheWay;

  Transaction(Shared shared, Loop owner, Runnable onTimeout) {
    this.shared = shared;
    this.owner = owner;
    this.timer =
        owner.schedule(shared.limits.timeoutMillis() * 1_000_000L, () -> onTimeout(onTimeout));
    shared.metrics.open.inc();
  }

  public UUID id() {
    return id;
  }

  /** Whether something may still be done in it. */
  public boolean isOpen() {
    return state == State.OPEN;
  }

  // --- work

  /**
   * A message is sent.
   *
   * @return why it is not taken: then the transaction can only roll back
   */
  public Optional<BrokerException> send(TransactionSend send) {
    Optional<BrokerException> no = failure.or(() -> whyNot(send));
    if (no.isPresent()) {
      fail(no.get());
    } else {
      bytes += send.cost();
      sends.add(send);
    }
    return no;
  }

  private Optional<BrokerException> whyNot(TransactionSend send) {
    if (state == State.OVER) {
      return refused(ErrorCode.PRECONDITION_FAILED, "the transaction is over");
    }
    if (send.record().size() > send.topic().config().maxMessageBytes()) {
      return refused(
          ErrorCode.MESSAGE_TOO_LARGE,
          "a message is larger than " + send.topic().config().maxMessageBytes() + " bytes");
    }
    if (bytes + send.cost() > shared.limits.bytes()) {
      return refused(
          ErrorCode.RESOURCE_LIMIT,
          "a transaction may hold " + shared.limits.bytes() + " bytes of messages");
    }
    return shared.memory.tryReserve(send.cost())
        ? Optional.empty()
        : refused(ErrorCode.RESOURCE_LIMIT, "open transactions hold too much: end some first");
  }

  private static Optional<BrokerException> refused(ErrorCode code, String message) {
    return Optional.of(new BrokerException(code, message));
  }

  /**
   * Outcomes are said of deliveries.
   *
   * @param settled whether the receiver has forgotten them
   */
  public void claim(Member member, List<Settlement> settlements, boolean settled) {
    outcomes += settlements.size();
    if (outcomes > shared.limits.outcomes()) {
      fail(
          new BrokerException(
              ErrorCode.RESOURCE_LIMIT,
              "a transaction may hold " + shared.limits.outcomes() + " outcomes"));
    }
    onTheWay++;
    member.claim(settlements, settled, this::onClaim);
  }

  private void onClaim(Claim claim) {
    if (state == State.OVER) {
      claim.end(ended);
      return;
    }
    claims.add(claim);
    if (!claim.isWhole()) {
      fail(
          new BrokerException(
              ErrorCode.PRECONDITION_FAILED,
              "an outcome is for a message that is not in flight to its receiver any more"));
    }
    arrived();
  }

  /** Something that belongs to it takes time: it does not commit before {@link #arrived}. */
  public void coming() {
    onTheWay++;
  }

  /** What was coming is there, or failed. */
  public void arrived() {
    onTheWay--;
    if (state == State.ENDING && onTheWay == 0) {
      commitNow();
    }
  }

  /** Part of it failed: it can only roll back. The first reason counts. */
  public void fail(BrokerException reason) {
    if (failure.isEmpty()) {
      failure = Optional.of(reason);
    }
  }

  // --- end

  /**
   * Commits it, or rolls it back when something failed.
   *
   * @param done called once, on the owner's loop, maybe before this returns
   */
  public void commit(Consumer<CommitResult> done) {
    if (state != State.OPEN) {
      throw new IllegalStateException("the transaction is " + state);
    }
    state = State.ENDING;
    timer.cancel();
    answer = done;
    if (onTheWay == 0) {
      commitNow();
    }
  }

  private void commitNow() {
    if (failure.isPresent()) {
      onCommitted(new CommitResult.RolledBack(failure.get()));
      return;
    }
    Map<PositionKey, Position> changes = new HashMap<>();
    for (Claim claim : claims) {
      claim.changes().forEach((key, p) -> changes.merge(key, p, PositionMerge::merge));
    }
    if (sends.isEmpty() && changes.isEmpty()) {
      onCommitted(new CommitResult.Committed());
      return;
    }
    TransactionWork work = new TransactionWork(id, List.copyOf(sends), changes);
    shared.committer.commit(work, owner, this::onCommitted);
  }

  private void onCommitted(CommitResult result) {
    if (result instanceof CommitResult.Committed) {
      shared.metrics.committed.mark();
      over(Claim.End.COMMIT);
    } else if (result instanceof CommitResult.RolledBack) {
      shared.metrics.rolledBack.mark();
      over(Claim.End.ROLLBACK);
    } else {
      shared.metrics.indeterminate.mark();
      claims.clear();
      over(Claim.End.ABANDON);
    }
    answer.accept(result);
  }

  /** The client takes it back: what it had received counts as a failed delivery. */
  public void rollback() {
    rollback(Claim.End.ROLLBACK);
  }

  /** Whoever began it is gone. Does nothing when it is ending or over. */
  public void abandon() {
    rollback(Claim.End.ABANDON);
  }

  private void rollback(Claim.End how) {
    if (state == State.OPEN) {
      timer.cancel();
      shared.metrics.rolledBack.mark();
      over(how);
    }
  }

  private void onTimeout(Runnable told) {
    if (state == State.OPEN) {
      shared.metrics.timedOut.mark();
      rollback(Claim.End.ROLLBACK);
      told.run();
    }
  }

  private void over(Claim.End how) {
    state = State.OVER;
    ended = how;
    shared.metrics.open.dec();
    claims.forEach(claim -> claim.end(how));
    claims.clear();
    sends.clear();
    shared.memory.release(bytes);
    bytes = 0;
  }
}
