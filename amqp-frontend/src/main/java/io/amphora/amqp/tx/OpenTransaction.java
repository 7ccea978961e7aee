package io.amphora.amqp.tx;

import io.amphora.amqp.AmqpErrors;
import io.amphora.amqp.engine.RejectedState;
import io.amphora.core.BrokerException;
import io.amphora.core.transaction.CommitResult;
import io.amphora.core.transaction.Transaction;
import io.amphora.core.transaction.TransactionSend;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Outcome;
import org.apache.qpid.proton.amqp.transaction.TransactionalState;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;

/** A transaction of a connection, with what its links wait for. Owned by the connection loop. */
final class OpenTransaction {

  private final Binary id;
  private final Transaction core;

  /** One object for all: dispositions of equal states become one frame. */
  private final TransactionalState accepted;

  private final Set<Retirements> touched = new LinkedHashSet<>();
  private final List<Retirements.Retired> unsettled = new ArrayList<>();

  OpenTransaction(Transaction core) {
    this.core = core;
    this.id = TransactionIds.of(core.id());
    this.accepted = state(Accepted.getInstance());
  }

  Binary id() {
    return id;
  }

  Transaction core() {
    return core;
  }

  private TransactionalState state(Outcome outcome) {
    TransactionalState state = new TransactionalState();
    state.setTxnId(id);
    state.setOutcome(outcome);
    return state;
  }

  /** A message that was coming is there. */
  DeliveryState send(TransactionSend message) {
    Optional<BrokerException> no = core.send(message);
    core.arrived();
    return no.isPresent() ? rejected(AmqpErrors.of(no.get())) : accepted;
  }

  DeliveryState rejected(ErrorCondition why) {
    return state(new RejectedState(why));
  }

  /** Outcomes of a receiver belong to it. */
  void touch(Retirements retirements) {
    touched.add(retirements);
  }

  /** A receiver waits for the end before a delivery is settled. */
  void await(Retirements.Retired retired) {
    unsettled.add(retired);
  }

  void commit(Consumer<CommitResult> done) {
    touched.forEach(Retirements::flush);
    core.commit(
        result -> {
          if (!(result instanceof CommitResult.Unknown)) {
            over(result instanceof CommitResult.Committed);
          }
          done.accept(result);
        });
  }

  void rollback() {
    touched.forEach(Retirements::flush);
    core.rollback();
    over(false);
  }

  /** Whoever declared it is gone. Does nothing when it is ending. */
  void abandon() {
    if (core.isOpen()) {
      touched.forEach(Retirements::flush);
      core.abandon();
      over(false);
    }
  }

  /** It is over: deliveries that were not settled are, or may be settled anew. */
  void over(boolean committed) {
    unsettled.forEach(retired -> retired.onEnd(committed));
    unsettled.clear();
    touched.clear();
  }
}
