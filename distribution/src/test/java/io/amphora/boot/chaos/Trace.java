package io.amphora.boot.chaos;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;

/** What one link was given, in the order in which it came. Owned by the thread of the link. */
final class Trace {

  /** What a link promises about its order. */
  enum Sight {
    /** Messages may come back. */
    ANY,
    /** Offsets of a partition grow. */
    ASCENDING,
    /** Offsets of a partition grow, and none between two of them is missing. */
    EXACT
  }

  /** Where a reader asked to start. */
  sealed interface Start {}

  /** Wherever it was. */
  record Anywhere() implements Start {}

  /** At this offset or the next there is; 0 is the beginning. */
  record AtOffset(long offset) implements Start {}

  /** At the first message of that time or later. */
  record AtTime(long millis) implements Start {}

  private static final class Part {
    private final long first;
    private long last;
    private int count;

    private Part(long first) {
      this.first = first;
      this.last = first;
      this.count = 1;
    }
  }

  private final String name;
  private final Sight sight;
  private final Start start;
  private final Map<Integer, Part> parts = new HashMap<>();

  Trace(String name, Sight sight, Start start) {
    this.name = name;
    this.sight = sight;
    this.start = start;
  }

  /**
   * The next message.
   *
   * @throws IllegalStateException when it breaks the order
   */
  void add(int partition, long offset) {
    Part part = parts.get(partition);
    if (part == null) {
      parts.put(partition, new Part(offset));
    } else if (sight != Sight.ANY && offset <= part.last) {
      throw new IllegalStateException(name + ": " + offset + " after " + part.last);
    } else {
      part.last = Math.max(part.last, offset);
      part.count++;
    }
  }

  /**
   * Compares with the whole log, when that is known.
   *
   * @throws AssertionError when something is missing
   */
  void check(SeenLog log) {
    parts.forEach((number, part) -> check(log.partition(number), number, part));
  }

  private void check(SortedMap<Long, SeenLog.Entry> log, int number, Part part) {
    String what = "%s, partition %d, %d to %d".formatted(name, number, part.first, part.last);
    if (sight == Sight.EXACT && log.subMap(part.first, part.last + 1).size() != part.count) {
      throw new AssertionError(
          what + ": " + part.count + " of " + log.subMap(part.first, part.last + 1).size());
    }
    SortedMap<Long, SeenLog.Entry> before = log.headMap(part.first);
    if (start instanceof AtOffset at) {
      if (part.first < at.offset() || !before.tailMap(at.offset()).isEmpty()) {
        throw new AssertionError(what + ": asked for " + at + ", before it " + before);
      }
    } else if (start instanceof AtTime at) {
      boolean late = !before.isEmpty() && before.get(before.lastKey()).time() >= at.millis();
      if (late || log.get(part.first).time() < at.millis()) {
        throw new AssertionError(what + ": asked for " + at + " of " + log.get(part.first));
      }
    }
  }
}
