package io.amphora.amqp.link;

import io.amphora.amqp.codec.EncodedMap;
import io.amphora.core.delivery.Outcome;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Modified;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.messaging.Released;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/** What a delivery state of a receiver means (docs/amqp.md section 4). Pure. */
final class Outcomes {

  private Outcomes() {}

  /** True for a state that ends a delivery. */
  static boolean isTerminal(@Nullable Object state) {
    return state instanceof Accepted
        || state instanceof Released
        || state instanceof Rejected
        || state instanceof Modified;
  }

  /**
   * The outcome of a settled delivery.
   *
   * @param state the receiver's, maybe none
   * @param defaultOutcome the source's, maybe none
   */
  static Outcome of(@Nullable Object state, @Nullable Object defaultOutcome) {
    if (isTerminal(state)) {
      return convert(state);
    }
    return isTerminal(defaultOutcome) ? convert(defaultOutcome) : Outcome.RELEASED;
  }

  private static Outcome convert(@Nullable Object state) {
    if (state instanceof Accepted) {
      return Outcome.ACCEPTED;
    } else if (state instanceof Rejected rejected) {
      return rejected(rejected.getError());
    } else if (state instanceof Modified modified) {
      return new Outcome.Modified(
          Boolean.TRUE.equals(modified.getDeliveryFailed()),
          Boolean.TRUE.equals(modified.getUndeliverableHere()),
          EncodedMap.of(modified.getMessageAnnotations()));
    }
    return Outcome.RELEASED;
  }

  private static Outcome rejected(@Nullable ErrorCondition error) {
    if (error == null || error.getCondition() == null) {
      return new Outcome.Rejected("", "");
    }
    String description = error.getDescription();
    return new Outcome.Rejected(
        error.getCondition().toString(), description == null ? "" : description);
  }
}
