package io.amphora.wal.disk;

import io.amphora.wal.WalStats;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what the disk thread does and watches free space. The disk thread alone writes; the
 * figures are volatile so that any thread may read them.
 */
final class DiskMeter {

  private static final Logger LOG = LoggerFactory.getLogger(DiskMeter.class);

  private record Watcher(Owner owner, Consumer<Boolean> listener) {}

  private final Files files;
  private final Path directory;
  private final long reserve;
  private final List<Watcher> watchers = new ArrayList<>();
  private volatile long forces;
  private volatile long forceNanos;
  private volatile long bytesWritten;
  private volatile long freeBytes;
  private volatile boolean low;

  DiskMeter(Files files, Path directory, long reserveBytes) throws IOException {
    this.files = files;
    this.directory = directory;
    this.reserve = Math.min(reserveBytes, files.totalBytes(directory) / 20);
    this.freeBytes = files.freeBytes(directory);
    this.low = freeBytes < reserve;
  }

  void onForces(int count, long nanos) {
    setForces(forces + count, forceNanos + nanos);
  }

  private void setForces(long count, long nanos) {
    forces = count;
    forceNanos = nanos;
  }

  void onWritten(long bytes) {
    long sum = bytesWritten + bytes;
    bytesWritten = sum;
  }

  /** Looks at the disk and tells the watchers when the answer changed. */
  void checkSpace() {
    try {
      freeBytes = files.freeBytes(directory);
    } catch (IOException e) {
      LOG.warn("free space of {} is unknown: {}", directory, e.toString());
      return;
    }
    set(freeBytes < reserve);
  }

  /** A write found no room, whatever the free space says (a quota, for instance). */
  void onDiskFull() {
    set(true);
  }

  private void set(boolean nowLow) {
    if (nowLow == low) {
      return;
    }
    low = nowLow;
    if (nowLow) {
      LOG.warn("disk of {} is low: {} bytes free, reserve {}", directory, freeBytes, reserve);
    } else {
      LOG.info("disk of {} has room again: {} bytes free", directory, freeBytes);
    }
    watchers.forEach(watcher -> tell(watcher, nowLow));
  }

  void watch(Owner owner, Consumer<Boolean> listener) {
    Watcher watcher = new Watcher(owner, listener);
    watchers.add(watcher);
    if (low) {
      tell(watcher, true);
    }
  }

  private static void tell(Watcher watcher, boolean nowLow) {
    watcher.owner().post(() -> watcher.listener().accept(nowLow));
  }

  boolean isLow() {
    return low;
  }

  WalStats stats(CommandQueue queue) {
    return new WalStats(
        queue.queuedCommands(),
        queue.queuedBytes(),
        forces,
        forceNanos,
        bytesWritten,
        freeBytes,
        low);
  }
}
