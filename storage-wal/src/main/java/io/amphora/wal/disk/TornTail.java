package io.amphora.wal.disk;

import io.amphora.wal.FlushPolicy;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import java.io.IOException;
import java.util.Optional;

/**
 * Decides whether bytes in the newest segment that are no batch are the end of the log, or damage
 * within it (docs/protocol.md "Recovery", step 4).
 *
 * @param bad position of the bytes
 * @param offset where the log ends before them
 * @param clean whether the log was closed properly: then nothing in it may be torn
 * @param flush policy under which it was written
 */
record TornTail(long bad, long offset, boolean clean, FlushPolicy flush) {

  /** What the bytes are. */
  enum Verdict {
    /** Zeros that were written ahead of the batches. */
    PREALLOCATED,
    /** A write that did not reach the disk as a whole. */
    TORN,
    /** Acknowledged data may be damaged. */
    DAMAGED
  }

  /** Looks at what follows; the scanner may be anywhere afterwards. */
  Verdict judge(BatchScanner scanner) throws IOException {
    if (!clean && scanner.isZeroFrom(bad)) {
      return Verdict.PREALLOCATED;
    }
    scanner.seek(bad);
    boolean more = scanner.skipDamage(offset + 1, Long.MAX_VALUE);
    long next = scanner.position();
    boolean damaged = clean || (more && (wasForced(scanner) || !scanner.looksTorn(bad, next)));
    return damaged ? Verdict.DAMAGED : Verdict.TORN;
  }

  /**
   * Whether damage lies before the last round of the disk thread: under flush policy {@code commit}
   * that was forced before the round was written, so no power loss tore it, whatever it looks like.
   *
   * @param scanner at the first valid batch behind the damage
   */
  private boolean wasForced(BatchScanner scanner) throws IOException {
    if (flush != FlushPolicy.COMMIT) {
      return false;
    }
    int last = 0;
    try {
      for (Optional<RecordBatch> b = scanner.next(); b.isPresent(); b = scanner.next()) {
        last = b.get().size();
      }
    } catch (WalException e) {
      // the end: preallocated, or torn
    }
    return scanner.position() - bad > DiskThread.ROUND_BYTES + last;
  }
}
