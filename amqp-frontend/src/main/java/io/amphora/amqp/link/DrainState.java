package io.amphora.amqp.link;

/**
 * Where a drain stands: asked of the group, finished there, answered to the client once everything
 * is sent (conventions 7.4). Every drain is answered. Owned by one link.
 */
final class DrainState {

  private boolean asked;
  private boolean askAgain;
  private boolean ready;
  private boolean usedUp;
  private boolean wanted;

  /**
   * The client drains.
   *
   * @return true when the group must be asked
   */
  boolean ask() {
    ready = false;
    wanted = true;
    if (asked) {
      askAgain = true;
      return false;
    }
    asked = true;
    return true;
  }

  /** The client took back its wish. */
  void cancel() {
    wanted = false;
    askAgain = false;
    ready = false;
  }

  /**
   * The group is drained.
   *
   * @return true when it must be asked again
   */
  boolean onDrained(int unused) {
    usedUp = unused == 0;
    if (askAgain) {
      askAgain = false;
      return true;
    }
    ready = wanted;
    asked = false;
    return false;
  }

  /** The client waits for an answer. */
  boolean isWanted() {
    return wanted;
  }

  boolean isAsked() {
    return asked;
  }

  boolean isReady() {
    return ready;
  }

  /** All credit that was passed on is used: there may be more messages. */
  boolean mayHaveMore() {
    return usedUp;
  }

  /** The group is asked once more. */
  void again() {
    ready = false;
    asked = true;
  }

  void answered() {
    ready = false;
    wanted = false;
  }
}
