package io.amphora.amqp.tx;

import io.amphora.core.delivery.Member;
import io.amphora.core.delivery.Outcome;
import io.amphora.core.delivery.Settlement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.transaction.TransactionalState;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.engine.Delivery;

/**
 * Outcomes of one receiver that belong to transactions (part 4, section 4.4.3), handed on once per
 * read. Owned by the connection loop.
 *
 * <p>Some clients settle with the outcome, others leave that to the broker: then the delivery is
 * settled when the transaction has committed, and may get another outcome when it rolled back
 * (conventions 4.7).
 */
public final class Retirements {

  private static final Outcome FAILED = new Outcome.Modified(true, false, new byte[0]);

  private final ConnectionTransactions transactions;
  private final Supplier<Member> member;
  private Map<OpenTransaction, Said> said = new LinkedHashMap<>();
  private boolean gone;

  private record Said(List<Settlement> settled, List<Settlement> unsettled) {
    private Said() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  /** The context of a delivery while a transaction has its outcome. */
  public final class Retired {
    private final Delivery delivery;
    private final Settlement word;
    private final Object sent;

    private Retired(Delivery delivery, Settlement word) {
      this.delivery = delivery;
      this.word = word;
      this.sent = delivery.getContext();
    }

    /** The receiver said more of it: only that it forgets it counts. */
    public void onMore() {
      if (delivery.remotelySettled()) {
        delivery.settle();
      }
    }

    void onEnd(boolean committed) {
      if (gone) {
        return;
      }
      if (committed) {
        delivery.setContext(null);
        if (!delivery.isSettled()) {
          delivery.disposition(delivery.getRemoteState());
          delivery.settle();
        }
      } else if (delivery.isSettled()) {
        // The receiver has it again, but knows nothing of it any more.
        member.get().settle(List.of(new Settlement(word.partition(), word.offset(), FAILED)));
      } else {
        delivery.setContext(sent);
      }
    }
  }

  /**
   * @param member who has the deliveries
   */
  public Retirements(ConnectionTransactions transactions, Supplier<Member> member) {
    this.transactions = transactions;
    this.member = member;
  }

  /**
   * An outcome is said in a transaction.
   *
   * @param word what it shall do
   * @return why the link has to end
   */
  public Optional<ErrorCondition> add(
      Delivery delivery, TransactionalState state, Settlement word) {
    Binary id = state.getTxnId();
    Optional<OpenTransaction> open = transactions.open(id);
    if (open.isEmpty() && !transactions.isTimedOut(id)) {
      return Optional.of(transactions.whyNot(id));
    }
    if (delivery.remotelySettled()) {
      delivery.setContext(null);
      if (!delivery.isPartial()) { // else it is being aborted
        delivery.settle();
      }
      open.ifPresentOrElse(
          transaction -> said(transaction).settled.add(word),
          () ->
              member
                  .get()
                  .settle(List.of(new Settlement(word.partition(), word.offset(), FAILED))));
    } else if (open.isPresent()) {
      Retired retired = new Retired(delivery, word);
      delivery.setContext(retired);
      open.get().await(retired);
      said(open.get()).unsettled.add(word);
    }
    return Optional.empty();
  }

  private Said said(OpenTransaction transaction) {
    transaction.touch(this);
    return said.computeIfAbsent(transaction, t -> new Said());
  }

  /** Hands on what was said. */
  public void flush() {
    if (said.isEmpty()) {
      return;
    }
    Map<OpenTransaction, Said> all = said;
    said = new LinkedHashMap<>();
    all.forEach(
        (transaction, words) -> {
          claim(transaction, words.settled, true);
          claim(transaction, words.unsettled, false);
        });
  }

  private void claim(OpenTransaction transaction, List<Settlement> words, boolean settled) {
    if (!words.isEmpty()) {
      transaction.core().claim(member.get(), words, settled);
    }
  }

  /** The link is gone. */
  public void onGone() {
    flush();
    gone = true;
  }
}
