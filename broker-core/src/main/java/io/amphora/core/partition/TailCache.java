package io.amphora.core.partition;

import io.amphora.wal.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The newest batches of one partition without a gap, committed or not, in memory bounded by {@link
 * TailMemory}. A ring, searched by offset. Owned by the partition loop.
 */
final class TailCache {

  private final TailMemory memory;
  private @Nullable TailMemory.Entry[] ring = new TailMemory.Entry[16];
  private int head;
  private int size;

  TailCache(TailMemory memory) {
    this.memory = memory;
  }

  /**
   * Adds the batch that follows the last one. One whose body is not in memory is not kept: the
   * cache starts afresh behind it, and it is read from disk.
   */
  void add(RecordBatch batch) {
    if (batch.isHeadOnly()) {
      clear();
      return;
    }
    if (size > 0 && at(size - 1).batch.endOffset() != batch.baseOffset()) {
      throw new IllegalStateException(batch + " does not follow " + at(size - 1).batch);
    }
    if (size == ring.length) {
      grow();
    }
    TailMemory.Entry entry = new TailMemory.Entry(this, batch);
    ring[(head + size) % ring.length] = entry;
    size++;
    memory.add(entry);
  }

  /** Called by the memory: this cache holds the oldest batch of all. */
  void evictOldest() {
    TailMemory.Entry entry = at(0);
    ring[head] = null;
    head = (head + 1) % ring.length;
    size--;
    memory.remove(entry);
  }

  /** Drops batches that end above {@code offset}. */
  void truncateTo(long offset) {
    while (size > 0 && at(size - 1).batch.endOffset() > offset) {
      TailMemory.Entry entry = at(size - 1);
      ring[(head + size - 1) % ring.length] = null;
      size--;
      memory.remove(entry);
    }
  }

  /** Drops everything. */
  void clear() {
    truncateTo(Long.MIN_VALUE);
  }

  /** Whether the batch that holds this offset is here. */
  boolean holds(long offset) {
    return size > 0
        && at(0).batch.baseOffset() <= offset
        && offset < at(size - 1).batch.endOffset();
  }

  /**
   * Batches from the one that holds {@code offset} on, none that ends above {@code limit}; at least
   * one when there is one, else less than {@code maxBytes}.
   */
  List<RecordBatch> read(long offset, long limit, int maxBytes) {
    List<RecordBatch> found = new ArrayList<>();
    long bytes = 0;
    for (int i = indexOf(offset); i < size; i++) {
      RecordBatch batch = at(i).batch;
      bytes += batch.size();
      if (batch.endOffset() > limit || (bytes > maxBytes && !found.isEmpty())) {
        break;
      }
      found.add(batch);
    }
    return found;
  }

  private int indexOf(long offset) {
    int low = 0;
    int high = size - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (at(middle).batch.endOffset() > offset) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private TailMemory.Entry at(int index) {
    TailMemory.Entry entry = ring[(head + index) % ring.length];
    if (entry == null) {
      throw new IllegalStateException("no entry " + index + " of " + size);
    }
    return entry;
  }

  private void grow() {
    @Nullable TailMemory.Entry[] larger = new TailMemory.Entry[ring.length * 2];
    for (int i = 0; i < size; i++) {
      larger[i] = at(i);
    }
    ring = larger;
    head = 0;
  }
}
