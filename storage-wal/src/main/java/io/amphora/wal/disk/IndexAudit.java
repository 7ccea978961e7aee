package io.amphora.wal.disk;

import io.amphora.wal.RecordBatch;
import java.io.IOException;
import java.util.Optional;

/**
 * Compares the index of one segment with its batches, told in order: an entry must name the start
 * and the offset of a batch, and the largest time before it. One owner thread.
 */
final class IndexAudit {

  private final PartitionFolder folder;
  private final long base;
  private final Findings findings;
  private final Optional<IndexFiles.Loaded> loaded;
  private long maxTime = Long.MIN_VALUE;
  private int next;
  private boolean timesKnown = true;

  IndexAudit(PartitionFolder folder, long base, Findings findings) throws IOException {
    this.folder = folder;
    this.base = base;
    this.findings = findings;
    this.loaded = IndexFiles.load(folder.files(), folder, base);
    boolean there =
        folder.files().exists(folder.indexFile(base))
            || folder.files().exists(folder.timeIndexFile(base));
    if (loaded.isEmpty() && there) {
      wrong("cannot be used; it is rebuilt at the next start of a broker");
    }
  }

  /** Bytes of the log file that it describes, 0 without one. */
  int covered() {
    return loaded.map(index -> index.summary().covered()).orElse(0);
  }

  /** Offset behind what it describes; the base without one. */
  long coveredEnd() {
    return base + loaded.map(index -> index.summary().endOffset()).orElse(0);
  }

  boolean isThere() {
    return loaded.isPresent();
  }

  private void wrong(String what) {
    findings.damage(folder.indexFile(base), 0, folder.indexFile(base) + " " + what);
  }

  void onBatch(RecordBatch batch, long position) {
    loaded.ifPresent(index -> compare(index.index(), batch, position));
    maxTime = Math.max(maxTime, batch.maxTimestamp());
  }

  private void compare(SegmentIndex index, RecordBatch batch, long position) {
    while (next < index.size() && index.position(next) < position) {
      wrong("names position " + index.position(next) + ", where no batch starts");
      next++;
    }
    if (next < index.size() && index.position(next) == position) {
      if (base + index.offset(next) != batch.baseOffset()) {
        wrong("has offset " + (base + index.offset(next)) + " at position " + position);
      }
      if (timesKnown && index.maxTimeBefore(next) != maxTime) {
        wrong("has another time before position " + position + " than the log");
      }
      next++;
    }
  }

  /** Damage in the log up to here: what the index says of it cannot be compared. */
  void skipTo(long position) {
    timesKnown = false;
    loaded.ifPresent(
        index -> {
          while (next < index.index().size() && index.index().position(next) < position) {
            next++;
          }
        });
  }

  /**
   * The segment is over.
   *
   * @param size bytes of its valid batches
   * @param closed whether nothing is written to it any more: then the index describes all of it
   */
  void onEnd(long size, boolean closed) {
    if (loaded.isEmpty()) {
      return;
    }
    if (covered() > size) {
      wrong("describes " + covered() + " bytes, the log has " + size + ": what is missing is lost");
    } else if (next < loaded.get().index().size()) {
      wrong("has entries behind the end of the log");
    } else if (closed && covered() < size) {
      wrong("describes " + covered() + " of " + size + " bytes; it is rebuilt at the next start");
    } else if (closed && timesKnown && loaded.get().summary().maxTime() != maxTime) {
      wrong("has another largest time than the log");
    }
  }
}
