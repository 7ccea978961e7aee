package io.amphora.core.delivery;

import io.amphora.core.topology.GroupInfo;

/**
 * What an outcome means in a group (docs/amqp.md section 4), and what it means that nobody wants a
 * message. Pure.
 *
 * @param mode how the group shares the work
 * @param maxAttempts failed deliveries before a message is parked; -1 for no limit
 * @param keepsUnwanted what no present member wants stays for others; else it is done
 */
record Redelivery(GroupInfo.Mode mode, int maxAttempts, boolean keepsUnwanted) {
  /** What happens to the message. */
  enum Verdict {
    /** Never again. */
    DONE,
    /** Back to its place. */
    RETURN,
    /** Back, but not to the member that had it. */
    EXCLUDE,
    /** Never again, but listed in the position. */
    PARK
  }

  /**
   * @param verdict what happens
   * @param counts whether it was a failed attempt
   */
  record Decision(Verdict verdict, boolean counts) {}

  /**
   * @param attempts failed attempts before this outcome
   */
  Decision decide(Outcome outcome, int attempts) {
    if (outcome instanceof Outcome.Accepted) {
      return new Decision(Verdict.DONE, false);
    }
    if (outcome instanceof Outcome.Rejected) {
      return new Decision(Verdict.PARK, false);
    }
    if (outcome instanceof Outcome.Modified modified) {
      return decideModified(modified, attempts);
    }
    return new Decision(Verdict.RETURN, false);
  }

  /**
   * An ordered group has one member at a time: what it cannot take would hold up all that follows,
   * so it is parked at once. In a shared group another member may take it.
   */
  private Decision decideModified(Outcome.Modified modified, int attempts) {
    boolean exhausted = modified.failed() && maxAttempts >= 0 && attempts + 1 >= maxAttempts;
    boolean nobodyElse = modified.undeliverableHere() && mode == GroupInfo.Mode.ORDERED;
    if (exhausted || nobodyElse) {
      return new Decision(Verdict.PARK, modified.failed());
    }
    return new Decision(
        modified.undeliverableHere() ? Verdict.EXCLUDE : Verdict.RETURN, modified.failed());
  }
}
