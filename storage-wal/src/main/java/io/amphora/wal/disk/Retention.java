package io.amphora.wal.disk;

import io.amphora.wal.LogState;
import java.util.List;

/**
 * Decides what retention erases: a pure function of a log's segments.
 *
 * @param erase how many of the oldest closed segments go
 * @param rollFirst whether the active segment is closed before that, and counts as closed
 */
record Retention(int erase, boolean rollFirst) {

  /**
   * What is asked for.
   *
   * @param limitOffset only segments that end at or below it may go
   * @param olderThanMillis segments whose last append is before this go
   * @param maxBytes oldest segments go until the log is no larger
   */
  record Wish(long limitOffset, long olderThanMillis, long maxBytes) {}

  /**
   * By age the active segment goes too when all of it is too old. By size it is only closed, when
   * it holds more than half of what may be kept, so that a later call can erase it: a size below
   * the segment size still bounds the log.
   */
  static Retention decide(LogView view, Wish wish) {
    List<Segment> closed = view.closed();
    Segment active = view.active();
    long bytes = view.state().bytes();
    int erase = 0;
    for (Segment segment : closed) {
      boolean old = age(closed, active, erase) < wish.olderThanMillis();
      if (segment.end() > wish.limitOffset() || !(old || bytes > wish.maxBytes())) {
        return new Retention(erase, closeForSize(active, wish));
      }
      bytes -= segment.size();
      erase++;
    }
    boolean old = active.size() > 0 && active.maxTime() < wish.olderThanMillis();
    if (old && active.end() <= wish.limitOffset()) {
      return new Retention(erase + 1, true);
    }
    return new Retention(erase, closeForSize(active, wish));
  }

  private static boolean closeForSize(Segment active, Wish wish) {
    return active.size() > 0 && active.size() > wish.maxBytes() / 2;
  }

  /**
   * Last append time of a segment, but no later than the first of those behind it: appends that a
   * wrong clock stamped with the far future must not keep a segment for ever.
   */
  private static long age(List<Segment> closed, Segment active, int index) {
    long time = Math.min(closed.get(index).maxTime(), active.firstTime());
    for (int i = index + 1; i < closed.size(); i++) {
      time = Math.min(time, closed.get(i).firstTime());
    }
    return time;
  }

  /** The log start after it: where the first segment that stays begins. */
  static long newStart(LogState before, List<Segment> closed, int erase) {
    return Math.max(before.logStart(), closed.get(erase - 1).end());
  }
}
