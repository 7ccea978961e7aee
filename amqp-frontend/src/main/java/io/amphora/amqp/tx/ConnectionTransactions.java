package io.amphora.amqp.tx;

import io.amphora.amqp.engine.RejectedState;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.node.Broker;
import io.amphora.core.transaction.Transaction;
import io.amphora.core.transaction.TransactionSend;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.transaction.TransactionErrors;
import org.apache.qpid.proton.amqp.transaction.TransactionalState;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one connection: any of its sessions may work in any of them. Owned by the
 * connection loop.
 */
public final class ConnectionTransactions {

  /** Timed-out transactions that are told from unknown ones. */
  private static final int REMEMBERED = 256;

  private final Broker broker;
  private final Loop loop;
  private final Map<Binary, OpenTransaction> all = new HashMap<>();
  private final Set<Binary> timedOut = new LinkedHashSet<>();

  public ConnectionTransactions(Broker broker, Loop loop) {
    this.broker = broker;
    this.loop = loop;
  }

  /** Begins one; empty when too many are open. */
  Optional<OpenTransaction> declare() {
    if (all.size() >= broker.transactions().limits().openPerConnection()) {
      return Optional.empty();
    }
    Binary[] id = new Binary[1];
    Transaction core = broker.transactions().begin(loop, () -> onTimeout(id[0]));
    OpenTransaction transaction = new OpenTransaction(core);
    id[0] = transaction.id();
    all.put(transaction.id(), transaction);
    return Optional.of(transaction);
  }

  private void onTimeout(Binary id) {
    OpenTransaction transaction = all.remove(id);
    if (transaction != null) {
      transaction.over(false);
      if (timedOut.size() >= REMEMBERED) {
        timedOut.remove(timedOut.iterator().next());
      }
      timedOut.add(id);
    }
  }

  /** A transaction that work may be added to. */
  Optional<OpenTransaction> open(@Nullable Binary id) {
    return Optional.ofNullable(all.get(id)).filter(found -> found.core().isOpen());
  }

  /** It is over. */
  void forget(OpenTransaction transaction) {
    all.remove(transaction.id());
  }

  boolean isTimedOut(@Nullable Binary id) {
    return timedOut.contains(id);
  }

  /** Why nothing can be done in a transaction. */
  ErrorCondition whyNot(@Nullable Binary id) {
    return isTimedOut(id)
        ? new ErrorCondition(
            TransactionErrors.TRANSACTION_TIMEOUT,
            "the transaction took longer than transactions.timeout and was rolled back")
        : new ErrorCondition(
            TransactionErrors.UNKNOWN_ID, "there is no such transaction on this connection");
  }

  // --- senders

  /** Most bytes of a message in a transaction. */
  public long messageBytes() {
    return broker.transactions().limits().bytes();
  }

  /**
   * A message is complete; what follows is {@link #send} or {@link #refuse}, now or later, and the
   * transaction does not commit before.
   *
   * @return false when there is no such transaction
   */
  public boolean coming(TransactionalState state) {
    Optional<OpenTransaction> transaction = open(state.getTxnId());
    transaction.ifPresent(found -> found.core().coming());
    return transaction.isPresent();
  }

  /** A message goes into its transaction; returns what its sender is told. */
  public DeliveryState send(TransactionalState state, TransactionSend message) {
    OpenTransaction transaction = all.get(state.getTxnId());
    return transaction == null ? unknown(state) : transaction.send(message);
  }

  /** A message that was coming cannot be taken; returns what its sender is told. */
  public DeliveryState refuse(TransactionalState state, ErrorCondition why) {
    OpenTransaction transaction = all.get(state.getTxnId());
    if (transaction == null) {
      return unknown(state);
    }
    fail(state, why);
    transaction.core().arrived();
    return transaction.rejected(why);
  }

  /** What a sender is told that names a transaction that does not exist. */
  public DeliveryState unknown(TransactionalState state) {
    return new RejectedState(whyNot(state.getTxnId()));
  }

  /** Something failed inside of a transaction: it can only roll back. */
  public void fail(@Nullable Object state, ErrorCondition why) {
    if (state instanceof TransactionalState transactional) {
      Optional.ofNullable(all.get(transactional.getTxnId()))
          .ifPresent(
              found ->
                  found
                      .core()
                      .fail(
                          new BrokerException(
                              ErrorCode.PRECONDITION_FAILED,
                              why.getCondition() + ": " + why.getDescription())));
    }
  }
}
