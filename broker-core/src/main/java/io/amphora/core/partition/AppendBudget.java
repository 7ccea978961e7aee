package io.amphora.core.partition;

import io.amphora.wal.RecordBatchBuilder;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bound on the memory of what is appended but not answered, over all partitions of the node: the
 * first place where a slow disk pushes back (docs/ARCHITECTURE.md). Any thread.
 *
 * <p>A batch counts with its bytes; one whose body is in a spool with those of its head and {@link
 * #SPOOLED_COST}: the body takes no memory, and disk space is watched elsewhere.
 */
public final class AppendBudget {

  /** For what an append of a spool keeps beside its head: objects, its share of buffers; bytes. */
  static final int SPOOLED_COST = 64 << 10;

  private final long limit;
  private final AtomicLong used = new AtomicLong();

  /**
   * @param limitBytes at least 1; one batch larger than it is taken when nothing else is pending
   */
  public AppendBudget(long limitBytes) {
    this.limit = limitBytes;
  }

  /** What a batch counts for. */
  static int costOf(RecordBatchBuilder batch) {
    return batch.isSpooled() ? batch.heldBytes() + SPOOLED_COST : batch.sizeInBytes();
  }

  /** Takes bytes when there is room; false and nothing taken otherwise. */
  boolean tryReserve(long bytes) {
    long before = used.getAndAdd(bytes);
    if (before == 0 || before + bytes <= limit) {
      return true;
    }
    used.addAndGet(-bytes);
    return false;
  }

  /** Takes bytes in any case: for the broker's own records, whose number is bounded elsewhere. */
  void reserve(long bytes) {
    used.addAndGet(bytes);
  }

  void release(long bytes) {
    if (used.addAndGet(-bytes) < 0) {
      throw new IllegalStateException("more bytes released than reserved");
    }
  }

  /** Bytes taken now. */
  public long used() {
    return used.get();
  }
}
