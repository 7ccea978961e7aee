package io.amphora.core.topology;

import java.util.UUID;

/**
 * A group that exists beyond its members.
 *
 * @param name group name; {@code <topic>::$queue} for the queue of a topic
 * @param id new at each creation; part of every position key (safety rule 18)
 * @param mode ordered or shared
 * @param startAtLatest where it starts on a topic without a position: end (true) or beginning
 */
public record GroupInfo(String name, UUID id, Mode mode, boolean startAtLatest) {

  /** One that ends with its last member and is never written down. */
  public boolean isEphemeral() {
    return name.isEmpty()
        || SubscriptionName.ofGroup(name)
            .map(subscription -> !subscription.durable())
            .orElse(false);
  }

  /** How members share the work. */
  public enum Mode {
    /** A partition belongs to one member at a time; deliveries in offset order. */
    ORDERED,
    /** Members compete per message. */
    SHARED
  }
}
