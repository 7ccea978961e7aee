package io.amphora.wal.disk;

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Bounds how many segment files are open for writing: the longest idle are closed first. Owned by
 * the disk thread.
 */
final class OpenFiles {

  private final int limit;
  private final Map<SegmentedLog, Boolean> byUse = new LinkedHashMap<>(16, 0.75f, true);

  OpenFiles(int limit) {
    this.limit = limit;
  }

  void touch(SegmentedLog log) {
    byUse.put(log, true);
  }

  void forget(SegmentedLog log) {
    byUse.remove(log);
  }

  int limit() {
    return limit;
  }

  /**
   * Closes files until the bound holds. Unforced bytes, which only flush policies other than {@code
   * commit} leave behind a round, are forced first.
   */
  void trim() {
    int surplus = byUse.size() - limit;
    Iterator<SegmentedLog> eldest = byUse.keySet().iterator();
    while (surplus-- > 0 && eldest.hasNext()) {
      SegmentedLog log = eldest.next();
      eldest.remove();
      release(log);
    }
  }

  private static void release(SegmentedLog log) {
    try {
      log.forceNow();
      log.releaseFile();
      log.report();
    } catch (IOException e) {
      log.fail(e);
    }
  }
}
