package io.amphora.wal.disk;

import io.amphora.wal.Wal;
import io.amphora.wal.WalException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where spools lie, and how many there are. Its files are the disk thread's; the two counters are
 * any thread's. Nothing in it is durable, and nothing outlives the store.
 */
final class SpoolFolder {

  private static final Logger LOG = LoggerFactory.getLogger(SpoolFolder.class);

  private final Path path;
  private final Files files;
  private final DiskMeter meter;
  private final Set<SpoolFile> written = new HashSet<>();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong names = new AtomicLong();

  SpoolFolder(Path data, Files files, DiskMeter meter) {
    this.path = data.resolve("spool");
    this.files = files;
    this.meter = meter;
  }

  /** Erases what a process that died left behind. */
  void start() throws IOException {
    files.createDirectories(path);
    eraseAll();
  }

  private void eraseAll() throws IOException {
    for (String left : files.list(path)) {
      files.delete(path.resolve(left));
    }
  }

  /** The store is closed: whatever is left belongs to nobody. */
  void close() {
    List.copyOf(written).forEach(SpoolFile::erase);
    try {
      eraseAll();
    } catch (IOException e) {
      LOG.warn("{} could not be emptied, the next start does it: {}", path, e.toString());
    }
  }

  /** A new spool, or why there is none. Any thread. */
  SpoolFile create() {
    if (meter.isLow()) {
      throw new WalException(
          WalException.Kind.DISK_FULL, "free disk space is below the reserve, nothing is spooled");
    }
    if (open.incrementAndGet() > Wal.MAX_SPOOLS) {
      open.decrementAndGet();
      throw new WalException(
          WalException.Kind.BUSY, Wal.MAX_SPOOLS + " large messages are on their way already");
    }
    return new SpoolFile(this, path.resolve(Long.toString(names.incrementAndGet())));
  }

  Files files() {
    return files;
  }

  /** Why nothing may be written now; empty when it may. */
  Optional<WalException> refusal() {
    return meter.isLow()
        ? Optional.of(
            new WalException(WalException.Kind.DISK_FULL, "free disk space is below the reserve"))
        : Optional.empty();
  }

  void onDiskFull() {
    meter.onDiskFull();
  }

  /** A spool has a file now. */
  void onMade(SpoolFile file) {
    written.add(file);
  }

  void onErased(SpoolFile file) {
    written.remove(file);
    open.decrementAndGet();
  }
}
