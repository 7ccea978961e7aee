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

  /** Closes files until the bound holds; files with unforced bytes stay open. */
  void trim() {
    if (byUse.size() <= limit) {
      return;
    }
    Iterator<SegmentedLog> eldest = byUse.keySet().iterator();
    int surplus = byUse.size() - limit;
    while (surplus > 0 && eldest.hasNext()) {
      SegmentedLog log = eldest.next();
      if (log.isForced()) {
        eldest.remove();
        surplus--;
        release(log);
      }
    }
  }

  private static void release(SegmentedLog log) {
    try {
      log.releaseFile();
    } catch (IOException e) {
      log.fail(e);
    }
  }
}
