package io.amphora.core.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Which intents of the log are not applied yet, and from where on the log is still needed. Pure;
 * owned by the loop of the log.
 */
final class OpenIntents {
  private final TreeMap<Long, Integer> open = new TreeMap<>();

  /** An intent is in the log, appended under this epoch. */
  void onIntent(long offset, int epoch) {
    open.put(offset, epoch);
  }

  /** A marker is in the log. It may name intents that are not there any more. */
  void onApplied(List<Long> offsets) {
    offsets.forEach(open::remove);
  }

  boolean isEmpty() {
    return open.isEmpty();
  }

  int size() {
    return open.size();
  }

  /** Oldest first. */
  List<Long> offsets() {
    return new ArrayList<>(open.keySet());
  }

  int epochOf(long offset) {
    Integer epoch = open.get(offset);
    if (epoch == null) {
      throw new IllegalStateException("no open intent at " + offset);
    }
    return epoch;
  }

  /**
   * First offset that is still needed.
   *
   * @param end of the log
   */
  long needed(long end) {
    return open.isEmpty() ? end : open.firstKey();
  }

  void clear() {
    open.clear();
  }
}
