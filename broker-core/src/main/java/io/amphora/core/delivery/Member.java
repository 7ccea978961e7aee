package io.amphora.core.delivery;

import java.util.List;
import java.util.function.Consumer;

/** A receiver's handle on its subscription; called on the loop given at subscribe. */
public interface Member {

  /**
   * Sets the number of further deliveries the receiver can take, counted from what it was handed so
   * far (deliveries given to {@link MemberListener#onDeliveries} already have used up theirs). A
   * lower number than before takes credit back; what is in flight between loops then goes back by
   * itself (to an at-most-once member it is handed over when there is credit again), so that the
   * listener never gets more than the credit.
   *
   * @param credit 0 to 2^31-1
   */
  void credit(int credit);

  /** Asks for {@link MemberListener#onDrained}: use up or give back all credit, now. */
  void drain();

  /** Settles deliveries. Unknown or already settled ones are ignored. */
  void settle(List<Settlement> settlements);

  /**
   * Settles deliveries and says when the effect outlives a crash: an accepted or rejected delivery
   * is never handed out again after that, a counted failure stays counted. What is released, and
   * what a group without a journaled position does, is durable when it is applied. The journal may
   * be slow: the caller bounds how much it waits for.
   *
   * @param durable called at most once, on the loop given at subscribe; never when it is unknown,
   *     because the subscription or the leadership of a partition ended first
   */
  void settle(List<Settlement> settlements, Runnable durable);

  /**
   * Keeps deliveries for a transaction, with the outcomes that they shall have when it commits.
   * They stay in flight until the claim ends, also beyond the end of this subscription.
   *
   * @param settled whether the receiver has forgotten them: then a rollback gives them back, else
   *     the receiver has them again
   * @param done called once, on the loop given at subscribe, also when nothing could be claimed
   */
  void claim(List<Settlement> settlements, boolean settled, Consumer<Claim> done);

  /** Ends the subscription; what is unsettled is released, uncounted. */
  void close();
}
