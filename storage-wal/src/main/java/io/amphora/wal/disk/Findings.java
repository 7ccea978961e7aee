package io.amphora.wal.disk;

import io.amphora.wal.BatchFormat;
import io.amphora.wal.EpochStart;
import io.amphora.wal.RecordBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Collects what a {@link LogAudit} finds, a bounded number of damages. One owner thread. */
final class Findings {

  private final List<LogReport.Damage> damages = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private final List<EpochStart> epochs = new ArrayList<>();
  private int moreDamages;
  private long batches;
  private long records;
  private long bytes;
  private long plainBytes;

  void damage(Path file, long position, String text) {
    if (damages.size() < LogReport.MOST_DAMAGES) {
      damages.add(new LogReport.Damage(file, position, text));
    } else {
      moreDamages++;
    }
  }

  void remark(String text) {
    remarks.add(text);
  }

  boolean isHealthy() {
    return damages.isEmpty();
  }

  void count(RecordBatch batch) {
    batches++;
    records += batch.count();
    bytes += batch.size();
    plainBytes += BatchFormat.HEADER_SIZE + batch.plainSize();
    if (batch.epoch() > lastEpoch()) {
      epochs.add(new EpochStart(batch.epoch(), batch.baseOffset()));
    }
  }

  /** Epoch of the last batch, 0 before the first. */
  int lastEpoch() {
    return epochs.isEmpty() ? 0 : epochs.get(epochs.size() - 1).epoch();
  }

  /** First batch of each epoch. */
  List<EpochStart> epochs() {
    return epochs;
  }

  LogReport.Contents contents(long first, long end) {
    return new LogReport.Contents(first, end, batches, records, bytes, plainBytes);
  }

  List<LogReport.Damage> damages() {
    return List.copyOf(damages);
  }

  int moreDamages() {
    return moreDamages;
  }

  List<String> remarks() {
    return List.copyOf(remarks);
  }
}
