package io.amphora.boot.chaos;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A consumer group: what its members settled, and what is known to be journaled. For all threads.
 */
final class Group {

  private final String name;
  private final Set<Payload> done = ConcurrentHashMap.newKeySet();
  private final Set<Payload> delivered = ConcurrentHashMap.newKeySet();
  private Map<Integer, Long> journaled = Map.of();
  private volatile Map<Integer, Long> floor = Map.of();

  /**
   * @param name as the admin API knows it
   */
  Group(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  /**
   * A member was given a message.
   *
   * @throws IllegalStateException when it was done before this life of the broker
   */
  void delivered(int partition, long offset, Payload payload) {
    delivered.add(payload);
    long lowest = floor.getOrDefault(partition, 0L);
    if (offset < lowest) {
      throw new IllegalStateException(
          "%s: offset %d of partition %d again, %d was journaled"
              .formatted(name, offset, partition, lowest));
    }
  }

  /** Before the member says that it is done with a message for ever. */
  void finishing(Payload payload) {
    done.add(payload);
  }

  Set<Payload> done() {
    return done;
  }

  Set<Payload> delivered() {
    return delivered;
  }

  /**
   * Positions that the admin API shows: those were journaled.
   *
   * @throws AssertionError when one of them moved back
   */
  void journaled(Map<Integer, Long> now) {
    journaled.forEach(
        (partition, offset) -> {
          if (now.getOrDefault(partition, 0L) < offset) {
            throw new AssertionError(name + " moved back from " + journaled + " to " + now);
          }
        });
    journaled = new HashMap<>(now);
  }

  /** A new life of the broker: what was journaled until now is not delivered again. */
  void onBrokerStarted() {
    floor = journaled;
  }

  /**
   * A position never passes what was not settled.
   *
   * @throws AssertionError when it did
   */
  void checkSettledPrefix(SeenLog log) {
    journaled.forEach(
        (partition, committed) ->
            log.partition(partition)
                .headMap(committed)
                .forEach(
                    (offset, entry) -> {
                      if (!done.contains(entry.payload())) {
                        throw new AssertionError(
                            "%s: committed %d of partition %d, but %d (%s) was never settled"
                                .formatted(name, committed, partition, offset, entry));
                      }
                    }));
  }

  void clear() {
    done.clear();
    delivered.clear();
    journaled = Map.of();
    floor = Map.of();
  }
}
