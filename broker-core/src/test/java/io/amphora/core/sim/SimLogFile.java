package io.amphora.core.sim;

import io.amphora.wal.EpochStart;
import io.amphora.wal.LogState;
import io.amphora.wal.RecordBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** The batches of one log; each batch counts as a segment of its own for retention. */
final class SimLogFile {

  final byte[] meta;
  final List<RecordBatch> batches = new ArrayList<>();
  final List<EpochStart> epochs = new ArrayList<>();
  long logStart;
  long end;
  long durableEnd;
  boolean corrupt;
  boolean clean = true;

  SimLogFile(byte[] meta) {
    this.meta = meta.clone();
  }

  void add(RecordBatch batch) {
    if (batch.baseOffset() != end) {
      throw new IllegalStateException("gap: log ends at " + end + ", got " + batch);
    }
    if (batch.epoch() < lastEpoch()) {
      throw new IllegalStateException("epoch fell from " + lastEpoch() + " to " + batch.epoch());
    }
    if (batch.epoch() > lastEpoch()) {
      epochs.add(new EpochStart(batch.epoch(), batch.baseOffset()));
    }
    batches.add(whole(batch));
    end = batch.endOffset();
    clean = false;
  }

  private static RecordBatch whole(RecordBatch batch) {
    if (!batch.isHeadOnly()) {
      return batch;
    }
    byte[] body = ((SimSpool.Body) batch.spooled().orElseThrow()).content();
    byte[] all = Arrays.copyOf(batch.array(), batch.size());
    System.arraycopy(body, 0, all, batch.heldBytes(), body.length);
    return RecordBatch.parse(all, 0, all.length);
  }

  int lastEpoch() {
    return epochs.isEmpty() ? 0 : epochs.get(epochs.size() - 1).epoch();
  }

  LogState state() {
    long bytes = batches.stream().mapToLong(RecordBatch::size).sum();
    return new LogState(logStart, end, durableEnd, lastEpoch(), bytes, Math.max(1, batches.size()));
  }

  void truncateTo(long offset) {
    while (end > offset && !batches.isEmpty()) {
      end = batches.remove(batches.size() - 1).baseOffset();
    }
    durableEnd = Math.min(durableEnd, end);
    epochs.removeIf(e -> e.offset() >= end);
  }

  void truncateBefore(long offset) {
    logStart = Math.max(logStart, Math.min(offset, end));
    while (!batches.isEmpty() && batches.get(0).endOffset() <= logStart) {
      batches.remove(0);
    }
  }

  void retain(long limit, long olderThanMillis, long maxBytes) {
    long bytes = state().bytes();
    while (batches.size() > 1) {
      RecordBatch oldest = batches.get(0);
      boolean expired = oldest.maxTimestamp() < olderThanMillis || bytes > maxBytes;
      if (!expired || oldest.endOffset() > Math.min(limit, durableEnd)) {
        return;
      }
      bytes -= oldest.size();
      batches.remove(0);
      logStart = oldest.endOffset();
    }
  }

  void crash(Random random) {
    int unforced = 0;
    for (RecordBatch batch : batches) {
      if (batch.baseOffset() >= durableEnd) {
        unforced++;
      }
    }
    int lost = unforced == 0 ? 0 : random.nextInt(unforced + 1);
    for (int i = 0; i < lost; i++) {
      truncateTo(batches.get(batches.size() - 1).baseOffset());
    }
    durableEnd = end;
  }
}
