package io.amphora.plugin;

/** What became of a {@link FilterRequest}. */
public sealed interface FilterResult {

  /**
   * All filters of the request are in force; the broker echoes them to the client.
   *
   * @param filter matches what all of them match
   * @param perContainer whether it depends on the container-id of the request; members with equal
   *     filters share one otherwise
   */
  record Compiled(DeliveryFilter filter, boolean perContainer) implements FilterResult {

    /** One that is the same for all receivers. */
    public Compiled(DeliveryFilter filter) {
      this(filter, false);
    }
  }

  /**
   * One of them is malformed: the link is refused with {@code amqp:invalid-field}.
   *
   * @param reason for the client's developer: what is wrong, and where. It is put behind the word
   *     "filter", so it begins with the filter's name
   */
  record Refused(String reason) implements FilterResult {}
}
