package io.amphora.wal.disk;

import io.amphora.wal.LogName;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Looks into the logs of a data directory that no broker uses, and changes nothing. It holds the
 * directory's lock, so that none starts meanwhile. Memory is bounded by the largest batch. One
 * owner thread; its methods block.
 */
public final class LogInspector implements Closeable {

  private static final int CHUNK = 1 << 20;

  /** Gets the batches of a log in order, and what is no batch. */
  public interface Visitor {

    /**
     * A valid batch with its records at hand.
     *
     * @return false to end the walk
     */
    boolean onBatch(RecordBatch batch, Path file, long position) throws IOException;

    /** Bytes that are no valid batch; the walk goes on behind them. */
    void onDamage(String text);
  }

  private final Files files;
  private final Path data;
  private final Closeable lock;
  private final CleanMarker marker;

  LogInspector(Files files, Path data, Closeable lock) throws IOException {
    this.files = files;
    this.data = data;
    this.lock = lock;
    this.marker = new CleanMarker(files, data);
    marker.load();
  }

  /**
   * Opens a data directory.
   *
   * @throws WalException {@code LOCKED} when a broker runs on it, {@code IO} when it is none or
   *     cannot be read; the message is one sentence for the operator
   */
  public static LogInspector open(Path dataDir) {
    if (!java.nio.file.Files.isDirectory(dataDir.resolve("logs"))) {
      throw new WalException(
          WalException.Kind.IO, dataDir + " is no data directory: it has no folder logs");
    }
    try {
      Closeable lock = SystemFiles.lockShared(dataDir.resolve("lock"));
      try {
        return new LogInspector(new SystemFiles(), dataDir, lock);
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (Files.LockedException e) {
      throw new WalException(
          WalException.Kind.LOCKED,
          "data directory " + dataDir + " is in use by a broker; stop it first",
          e);
    } catch (IOException e) {
      throw new WalException(
          WalException.Kind.IO, "data directory " + dataDir + " cannot be read: " + e, e);
    }
  }

  /** All logs, by topic and partition. */
  public List<LogName> logs() throws IOException {
    List<LogName> names = new ArrayList<>();
    for (String folder : files.list(data.resolve("logs"))) {
      if (!folder.endsWith(LogStore.NEW)) { // else its creation was never acknowledged
        nameIn(folder).ifPresent(names::add);
      }
    }
    names.sort(Comparator.comparing(LogName::topic).thenComparing(LogName::partition));
    return names;
  }

  /** A folder whose {@code partition.meta} is damaged goes by its own name. */
  private Optional<LogName> nameIn(String folder) throws IOException {
    try {
      return Optional.of(folder(folder).readMeta().name());
    } catch (WalException e) {
      return PartitionFolder.nameFrom(folder);
    }
  }

  private PartitionFolder folder(String name) {
    return new PartitionFolder(files, data.resolve("logs").resolve(name));
  }

  /** Checks everything that belongs to a log. */
  public LogReport verify(LogName name) throws IOException {
    String folder = PartitionFolder.nameOf(name);
    return new LogAudit(name, folder(folder), marker.get(folder)).run();
  }

  /**
   * Walks the batches of a log.
   *
   * @param from the first batch is the one that holds this offset, or the next
   */
  public void walk(LogName name, long from, Visitor visitor) throws IOException {
    PartitionFolder folder = folder(PartitionFolder.nameOf(name));
    List<Long> bases = folder.listBases();
    for (int i = 0; i < bases.size(); i++) {
      long end = i + 1 < bases.size() ? bases.get(i + 1) : Long.MAX_VALUE;
      if (end > from && !walk(folder.logFile(bases.get(i)), end, from, visitor)) {
        return;
      }
    }
  }

  private boolean walk(Path file, long end, long from, Visitor visitor) throws IOException {
    try (Files.Handle handle = files.open(file, Files.Mode.READ)) {
      BatchScanner scanner = new BatchScanner(file, handle, handle.size(), CHUNK);
      long next = 0;
      while (true) {
        long at = scanner.position();
        try {
          Optional<RecordBatch> batch = scanner.next();
          if (batch.isEmpty()) {
            return true;
          }
          next = batch.get().endOffset();
          if (next > from && !visitor.onBatch(opened(scanner, batch.get(), at), file, at)) {
            return false;
          }
        } catch (WalException e) {
          if (!passOver(scanner, at, new Damaged(next, end, e), visitor)) {
            return true;
          }
        }
      }
    }
  }

  private record Damaged(long offset, long end, WalException error) {}

  /** Reports damage and goes behind it; false when nothing follows. */
  private static boolean passOver(BatchScanner scanner, long at, Damaged damaged, Visitor visitor)
      throws IOException {
    if (damaged.error().kind() != WalException.Kind.CORRUPT) {
      throw damaged.error();
    }
    if (scanner.position() > at) {
      visitor.onDamage(String.valueOf(damaged.error().getMessage()));
      return true; // a whole batch whose content is damaged
    }
    boolean newest = damaged.end() == Long.MAX_VALUE;
    if (newest && scanner.isZeroFrom(at)) {
      return false; // preallocated
    }
    visitor.onDamage(String.valueOf(damaged.error().getMessage()));
    scanner.seek(at);
    return scanner.skipDamage(damaged.offset() + 1, damaged.end());
  }

  /** The batch with its records; what is wrong with them is told with the position. */
  static RecordBatch opened(BatchScanner scanner, RecordBatch batch, long at) {
    try {
      return batch.opened();
    } catch (WalException e) {
      throw e.kind() == WalException.Kind.CORRUPT
          ? scanner.corrupt(String.valueOf(e.getMessage()), at)
          : e;
    }
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
