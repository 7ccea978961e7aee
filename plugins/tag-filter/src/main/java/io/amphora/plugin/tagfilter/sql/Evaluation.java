package io.amphora.plugin.tagfilter.sql;

import io.amphora.plugin.MessageView;

/** One evaluation of an expression on one message, and what it may still cost. */
final class Evaluation {

  /** About a millisecond or two. */
  static final int STEPS = 1_000_000;

  private final MessageView message;
  private int left = STEPS;

  Evaluation(MessageView message) {
    this.message = message;
  }

  MessageView message() {
    return message;
  }

  /**
   * Counts work.
   *
   * @throws IllegalStateException when it is too much: an event loop must not be held up
   */
  void spend(int steps) {
    left -= steps;
    if (left < 0) {
      throw new IllegalStateException("the evaluation takes more than " + STEPS + " steps");
    }
  }
}
