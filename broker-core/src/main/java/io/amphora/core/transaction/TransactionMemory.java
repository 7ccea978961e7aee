package io.amphora.core.transaction;

import java.util.concurrent.atomic.AtomicLong;

/** Bound on the memory of what is sent in transactions that have not ended. Any thread. */
final class TransactionMemory {
  private final long limit;
  private final AtomicLong used = new AtomicLong();

  TransactionMemory(long limitBytes) {
    this.limit = limitBytes;
  }

  /** Takes bytes when there is room; false and nothing taken otherwise. */
  boolean tryReserve(long bytes) {
    if (used.addAndGet(bytes) <= limit) {
      return true;
    }
    used.addAndGet(-bytes);
    return false;
  }

  void release(long bytes) {
    used.addAndGet(-bytes);
  }

  long used() {
    return used.get();
  }
}
