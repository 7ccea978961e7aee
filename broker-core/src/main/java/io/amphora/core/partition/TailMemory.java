package io.amphora.core.partition;

import io.amphora.wal.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * The memory that the {@link TailCache}s of one loop share: when it is used up, the oldest batch of
 * any of them goes. A list linked through the entries, so that entries leave anywhere at once.
 * Owned by the loop; {@link #bytes} may be read by any thread.
 */
public final class TailMemory {

  /** A cached batch. */
  static final class Entry {
    final TailCache cache;
    final RecordBatch batch;
    private @Nullable Entry older;
    private @Nullable Entry newer;

    Entry(TailCache cache, RecordBatch batch) {
      this.cache = cache;
      this.batch = batch;
    }

    private long bytes() {
      return batch.memory();
    }
  }

  private final long limit;
  private @Nullable Entry oldest;
  private @Nullable Entry newest;
  private volatile long bytes;

  /**
   * @param limitBytes bytes of batches to keep, at least 0
   */
  public TailMemory(long limitBytes) {
    this.limit = limitBytes;
  }

  /** Bytes of all cached batches. */
  public long bytes() {
    return bytes;
  }

  /** Makes the entry the newest, then evicts from the oldest on until the limit holds. */
  void add(Entry entry) {
    Entry before = newest;
    entry.older = before;
    if (before == null) {
      oldest = entry;
    } else {
      before.newer = entry;
    }
    newest = entry;
    setBytes(bytes + entry.bytes());
    while (bytes > limit && oldest != null) {
      oldest.cache.evictOldest();
    }
  }

  void remove(Entry entry) {
    Entry older = entry.older;
    Entry newer = entry.newer;
    if (older == null) {
      oldest = newer;
    } else {
      older.newer = newer;
    }
    if (newer == null) {
      newest = older;
    } else {
      newer.older = older;
    }
    setBytes(bytes - entry.bytes());
  }

  /** One writer, the loop, so that a plain volatile write is enough. */
  private void setBytes(long now) {
    bytes = now;
  }
}
