package io.amphora.plugin;

/**
 * Decides whether a receiver wants a message. Called on the event loop of a partition, for each
 * message that is about to be delivered.
 *
 * <p>Pure: the answer depends on the message alone, is the same each time, and nothing is changed.
 * One filter is called from several threads at the same time, so it keeps nothing of a message. It
 * takes microseconds; its cost has a bound that the sender of a message cannot raise. One that
 * throws does not match; that is counted ({@code delivery.filter.failed}) and logged once.
 */
@FunctionalInterface
public interface DeliveryFilter {

  /**
   * True when the receiver wants the message.
   *
   * @param message valid during this call only
   */
  boolean matches(MessageView message);
}
