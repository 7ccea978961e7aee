package io.amphora.amqp.link;

import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.engine.Delivery;

/**
 * What a receiver said and did not settle: it settles when the broker did (part 2, section 2.6.12;
 * conventions 7.3). The answer is given when the outcome is durable (safety rule 17). Owned by one
 * link.
 */
final class SettleAnswers {

  /** Answers that may be due before nothing more is asked for: the journal may be slow. */
  static final int MOST = 4096;

  /**
   * A word to answer.
   *
   * @param state what was said first; what is said later changes nothing
   */
  record Word(Delivery delivery, DeliveryState state) {}

  private List<Word> said = new ArrayList<>();
  private int unanswered;

  void add(Delivery delivery) {
    said.add(new Word(delivery, delivery.getRemoteState()));
    unanswered++;
  }

  /** What goes with the next batch of settlements; empty when nobody waits. */
  List<Word> take() {
    if (said.isEmpty()) {
      return List.of();
    }
    List<Word> taken = said;
    said = new ArrayList<>();
    return taken;
  }

  /** The same states, settled. */
  void give(List<Word> words) {
    unanswered -= words.size();
    for (Word word : words) {
      if (!word.delivery().remotelySettled()) {
        word.delivery().disposition(word.state());
      }
      word.delivery().settle();
    }
  }

  boolean isFull() {
    return unanswered >= MOST;
  }
}
