package io.amphora.boot.chaos;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Every offset of a topic that anybody has seen. What was delivered once is committed: it has the
 * same content for everybody and for ever. For all threads.
 */
final class SeenLog {

  /**
   * A stored message.
   *
   * @param time when it was appended, ms since 1970
   */
  record Entry(Payload payload, long time) {}

  private final Map<Integer, ConcurrentSkipListMap<Long, Entry>> partitions =
      new ConcurrentHashMap<>();

  /**
   * Somebody saw a message.
   *
   * @throws IllegalStateException when another one was seen there
   */
  void see(int partition, long offset, Entry entry) {
    Entry before = partition(partition).putIfAbsent(offset, entry);
    if (before != null && !before.equals(entry)) {
      throw new IllegalStateException(
          "offset " + offset + " of partition " + partition + " was " + before + ", is " + entry);
    }
  }

  ConcurrentSkipListMap<Long, Entry> partition(int number) {
    return partitions.computeIfAbsent(number, n -> new ConcurrentSkipListMap<>());
  }

  Iterable<Integer> numbers() {
    return partitions.keySet();
  }

  void clear() {
    partitions.clear();
  }
}
