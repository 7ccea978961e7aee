package io.amphora.core.partition;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bound on the bytes that are appended but not answered, over all partitions of the node: the first
 * place where a slow disk pushes back (docs/ARCHITECTURE.md). Any thread.
 */
public final class AppendBudget {

  private final long limit;
  private final AtomicLong used = new AtomicLong();

  /**
   * @param limitBytes at least 1; one batch larger than it is taken when nothing else is pending
   */
  public AppendBudget(long limitBytes) {
    this.limit = limitBytes;
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
