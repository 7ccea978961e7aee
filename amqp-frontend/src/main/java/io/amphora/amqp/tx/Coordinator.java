package io.amphora.amqp.tx;

import io.amphora.amqp.engine.RejectedState;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.node.Broker;
import io.amphora.core.transaction.CommitResult;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.transaction.Declare;
import org.apache.qpid.proton.amqp.transaction.Declared;
import org.apache.qpid.proton.amqp.transaction.Discharge;
import org.apache.qpid.proton.amqp.transaction.TransactionErrors;
import org.apache.qpid.proton.amqp.transport.AmqpError;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of one coordinator link: declare and discharge (part 4, sections 4.2 and 4.3).
 * Owned by the connection loop.
 */
public final class Coordinator {

  private final Broker broker;
  private final ConnectionTransactions transactions;
  private final Set<OpenTransaction> declared = new LinkedHashSet<>();

  public Coordinator(Broker broker, ConnectionTransactions transactions) {
    this.broker = broker;
    this.transactions = transactions;
  }

  /** What is served, whatever was asked for. */
  public static Symbol[] capabilities() {
    return new Symbol[] {
      Symbol.valueOf("amqp:local-transactions"),
      Symbol.valueOf("amqp:multi-txns-per-ssn"),
      Symbol.valueOf("amqp:multi-ssns-per-txn")
    };
  }

  /** Who asked. */
  public interface Asker {
    /** The answer to a request; called once, maybe later, on the connection loop. */
    void answer(DeliveryState state);

    /** Nobody knows what became of it (house rule 4). */
    void unknown(String reason);
  }

  /**
   * Does what a message asks for.
   *
   * @param message all bytes of it
   */
  public void request(byte[] message, int start, int length, Asker asker) {
    Object asked = decode(message, start, length);
    if (asked instanceof Declare declare) {
      asker.answer(declare(declare));
    } else if (asked instanceof Discharge discharge) {
      discharge(discharge, asker);
    } else {
      asker.answer(
          rejected(AmqpError.DECODE_ERROR, "a coordinator takes a declare or a discharge"));
    }
  }

  private static @Nullable Object decode(byte[] bytes, int start, int length) {
    try {
      Message message = Message.Factory.create();
      message.decode(bytes, start, length);
      return message.getBody() instanceof AmqpValue value ? value.getValue() : null;
    } catch (RuntimeException e) {
      // The decoder has no exception of its own; what it makes of bad bytes is any of many.
      return null;
    }
  }

  private DeliveryState declare(Declare declare) {
    if (declare.getGlobalId() != null) {
      return rejected(AmqpError.NOT_IMPLEMENTED, "distributed transactions are not implemented");
    }
    return transactions
        .declare()
        .<DeliveryState>map(
            transaction -> {
              declared.add(transaction);
              Declared answer = new Declared();
              answer.setTxnId(transaction.id());
              return answer;
            })
        .orElseGet(
            () ->
                rejected(
                    AmqpError.RESOURCE_LIMIT_EXCEEDED,
                    "the connection has transactions.max-open transactions open"));
  }

  private void discharge(Discharge discharge, Asker asker) {
    transactions
        .open(discharge.getTxnId())
        .ifPresentOrElse(
            transaction -> end(transaction, Boolean.TRUE.equals(discharge.getFail()), asker),
            () -> asker.answer(new RejectedState(transactions.whyNot(discharge.getTxnId()))));
  }

  private void end(OpenTransaction transaction, boolean fail, Asker asker) {
    if (fail) {
      transaction.rollback();
      forget(transaction);
      asker.answer(Accepted.getInstance());
      return;
    }
    if (broker.status().blocked()) {
      transaction
          .core()
          .fail(new BrokerException(ErrorCode.RESOURCE_LIMIT, "the broker has an alarm: disk low"));
    }
    transaction.commit(
        result -> {
          forget(transaction);
          answer(result, asker);
        });
  }

  private void forget(OpenTransaction transaction) {
    declared.remove(transaction);
    transactions.forget(transaction);
  }

  private static void answer(CommitResult result, Asker asker) {
    if (result instanceof CommitResult.Committed) {
      asker.answer(Accepted.getInstance());
    } else if (result instanceof CommitResult.RolledBack rolledBack) {
      String why = String.valueOf(rolledBack.reason().getMessage());
      asker.answer(rejected(TransactionErrors.TRANSACTION_ROLLBACK, why));
    } else if (result instanceof CommitResult.Unknown unknown) {
      asker.unknown(unknown.reason());
    }
  }

  private static DeliveryState rejected(Symbol condition, String description) {
    return new RejectedState(new ErrorCondition(condition, description));
  }

  /** The link is gone: what it declared and did not discharge is rolled back. */
  public void onGone() {
    Set<OpenTransaction> left = new LinkedHashSet<>(declared);
    declared.clear();
    for (OpenTransaction transaction : left) {
      if (transaction.core().isOpen()) {
        transaction.abandon();
        transactions.forget(transaction);
      }
    }
  }
}
