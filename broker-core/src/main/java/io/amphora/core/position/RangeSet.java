package io.amphora.core.position;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A set of offsets, kept as sorted ranges that never touch. Owned by its maker. */
final class RangeSet {
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  static RangeSet of(List<OffsetRange> ranges) {
    RangeSet set = new RangeSet();
    set.addAll(ranges);
    return set;
  }

  void addAll(List<OffsetRange> more) {
    for (OffsetRange range : more) {
      add(range.from(), range.to());
    }
  }

  /** Adds {@code [from, to)}; nothing when it is empty. */
  void add(long from, long to) {
    if (from >= to) {
      return;
    }
    long start = from;
    long end = to;
    Map.Entry<Long, Long> before = ranges.floorEntry(from);
    if (before != null && before.getValue() >= from) {
      start = before.getKey();
    }
    Map.Entry<Long, Long> touched = ranges.ceilingEntry(start);
    while (touched != null && touched.getKey() <= end) {
      end = Math.max(end, touched.getValue());
      ranges.remove(touched.getKey());
      touched = ranges.ceilingEntry(start);
    }
    ranges.put(start, end);
  }

  boolean contains(long offset) {
    if (ranges.isEmpty()) {
      return false; // the ordinary case, asked for every message
    }
    Map.Entry<Long, Long> range = ranges.floorEntry(offset);
    return range != null && range.getValue() > offset;
  }

  /** True when the offset is in, or directly beside, a range: adding it makes no new range. */
  boolean touches(long offset) {
    Map.Entry<Long, Long> range = ranges.floorEntry(offset);
    return (range != null && range.getValue() >= offset) || ranges.containsKey(offset + 1);
  }

  /**
   * Removes the ranges that begin at or below {@code prefix}.
   *
   * @return where the prefix ends together with them
   */
  long absorbInto(long prefix) {
    long end = prefix;
    Map.Entry<Long, Long> first = ranges.firstEntry();
    while (first != null && first.getKey() <= end) {
      end = Math.max(end, first.getValue());
      ranges.remove(first.getKey());
      first = ranges.firstEntry();
    }
    return end;
  }

  int size() {
    return ranges.size();
  }

  boolean isEmpty() {
    return ranges.isEmpty();
  }

  List<OffsetRange> toList() {
    List<OffsetRange> list = new ArrayList<>(ranges.size());
    ranges.forEach((from, to) -> list.add(new OffsetRange(from, to)));
    return List.copyOf(list);
  }
}
