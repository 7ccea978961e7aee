package io.amphora.amqp.address;

/** What an address names (docs/amqp.md section 1). */
public sealed interface Address {

  /** What the form of an address says about the node. */
  enum Kind {
    UNSAID,
    QUEUE,
    TOPIC
  }

  /** A topic. */
  record Topic(String name, Kind kind) implements Address {}

  /** A consumer group of a topic; {@code shared} when the form of the address says so. */
  record Group(String topic, String group, boolean shared) implements Address {}

  /** One partition of a topic. */
  record Partition(String topic, int number) implements Address {}

  /**
   * A reader of one partition, for receivers only (Event Hubs form); the group moves no position.
   */
  record Reader(String topic, String group, int number) implements Address {}

  /** A form that is known but not served. */
  record Unserved(String reason) implements Address {}

  /** Not legal. */
  record Illegal(String reason) implements Address {}
}
