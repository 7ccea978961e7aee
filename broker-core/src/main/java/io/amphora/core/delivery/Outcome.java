package io.amphora.core.delivery;

/** What a consumer says of a delivery (AMQP 1.0 part 3, section 3.4). */
public sealed interface Outcome {

  /** Done. */
  record Accepted() implements Outcome {}

  /** Back to where it was, not counted. */
  record Released() implements Outcome {}

  /**
   * Never again for this group: parked.
   *
   * @param condition symbol of the error, maybe empty
   * @param description text of the error, maybe empty
   */
  record Rejected(String condition, String description) implements Outcome {}

  /**
   * Back, with a note.
   *
   * @param failed counts as a failed attempt
   * @param undeliverableHere not to this member again
   * @param annotations encoded map of message annotations to merge into the redelivery, maybe empty
   */
  record Modified(boolean failed, boolean undeliverableHere, byte[] annotations)
      implements Outcome {}

  /** The one instance that is needed. */
  Outcome ACCEPTED = new Accepted();

  /** The one instance that is needed. */
  Outcome RELEASED = new Released();
}
