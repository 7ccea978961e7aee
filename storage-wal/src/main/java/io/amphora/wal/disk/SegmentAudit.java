package io.amphora.wal.disk;

import io.amphora.wal.FlushPolicy;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Walks one segment from its start to its end and compares its index. One owner thread. */
final class SegmentAudit {

  private static final int CHUNK = 1 << 20;

  /** After damage: any offset may follow. */
  private static final long UNKNOWN = -1;

  private final PartitionFolder folder;
  private final Path file;
  private final long nextBase;
  private final boolean clean;
  private final Findings findings;
  private final IndexAudit index;
  private long expected;
  private long atLeast;
  private boolean broken;
  private boolean cutHere;

  /**
   * @param nextBase where the next segment begins; {@link Long#MAX_VALUE} for the newest
   * @param clean whether the newest segment is as it was left by a proper stop
   */
  SegmentAudit(PartitionFolder folder, long base, long nextBase, boolean clean, Findings findings)
      throws IOException {
    this.folder = folder;
    this.file = folder.logFile(base);
    this.nextBase = nextBase;
    this.clean = clean;
    this.findings = findings;
    this.index = new IndexAudit(folder, base, findings);
    this.expected = base;
    this.atLeast = base;
  }

  IndexAudit index() {
    return index;
  }

  /** Offset behind the last valid batch. */
  long end() {
    return atLeast;
  }

  private boolean isNewest() {
    return nextBase == Long.MAX_VALUE;
  }

  void run() throws IOException {
    try (Files.Handle handle = folder.files().open(file, Files.Mode.READ)) {
      BatchScanner scanner = new BatchScanner(file, handle, handle.size(), CHUNK);
      long end = 0;
      while (step(scanner)) {
        end = scanner.position();
      }
      if (cutHere || !broken) {
        index.onEnd(end, !isNewest());
      }
      if (!isNewest() && !broken && expected != nextBase) {
        damage(end, "offsets from " + expected + " to " + nextBase + " are missing");
      }
      if (!isNewest() && !index.isThere()) {
        findings.remark(file + " has no usable index, the next start of a broker makes it");
      }
    }
  }

  private void damage(long position, String what) {
    findings.damage(file, position, file + " is damaged at position " + position + ": " + what);
  }

  private boolean step(BatchScanner scanner) throws IOException {
    long at = scanner.position();
    Optional<RecordBatch> batch;
    try {
      batch = scanner.next();
    } catch (WalException e) {
      return onBroken(scanner, at, e);
    }
    return batch.isPresent() && onBatch(scanner, batch.get(), at);
  }

  private boolean onBatch(BatchScanner scanner, RecordBatch batch, long at) {
    boolean follows = expected == UNKNOWN || batch.baseOffset() == expected;
    if (!follows || batch.epoch() < findings.lastEpoch()) {
      if (isNewest() && !clean) {
        cutHere = true;
        findings.remark(
            file + " has stale batches from position " + at + " on; the next start cuts them");
        return false;
      }
      damage(
          at,
          "found %s where offset %d and epoch %d or later must follow"
              .formatted(batch, expected, findings.lastEpoch()));
    }
    try {
      LogInspector.opened(scanner, batch, at);
    } catch (WalException e) {
      if (e.kind() != WalException.Kind.CORRUPT) {
        throw e;
      }
      findings.damage(file, at, e.getMessage() + ", offset " + batch.baseOffset());
    }
    index.onBatch(batch, at);
    findings.count(batch);
    expected = batch.endOffset();
    atLeast = expected;
    return true;
  }

  /** Bytes that are no batch: the end of the log, or damage. */
  private boolean onBroken(BatchScanner scanner, long at, WalException error) throws IOException {
    if (isNewest()) {
      // Which policy it was written under is not in the log: the stricter one is assumed.
      TornTail tail = new TornTail(at, atLeast, clean, FlushPolicy.COMMIT);
      TornTail.Verdict verdict = tail.judge(scanner);
      if (verdict == TornTail.Verdict.TORN) {
        findings.remark(
            file + " ends in a torn write at position " + at + "; the next start cuts it");
      }
      if (verdict != TornTail.Verdict.DAMAGED) {
        cutHere = true;
        return false;
      }
    }
    findings.damage(file, at, error.getMessage() + ", offset " + atLeast);
    scanner.seek(at);
    expected = UNKNOWN;
    boolean more = scanner.skipDamage(atLeast + 1, nextBase);
    broken |= !more;
    index.skipTo(more ? scanner.position() : Long.MAX_VALUE);
    return more;
  }
}
