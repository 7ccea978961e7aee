package io.amphora.wal.disk;

import io.amphora.wal.LogName;
import io.amphora.wal.OpenRequest;
import io.amphora.wal.OpenedLog;
import io.amphora.wal.Spool;
import io.amphora.wal.Wal;
import io.amphora.wal.WalException;
import io.amphora.wal.WalResult;
import io.amphora.wal.WalStats;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log on files: one disk thread, one read thread, one locked data directory. */
public final class DiskWal implements Wal {

  private static final Logger LOG = LoggerFactory.getLogger(DiskWal.class);
  private static final int STAGING_BYTES = 1 << 20;
  private static final int ZERO_BYTES = 256 << 10;

  private final Closeable lock;
  private final DiskMeter meter;
  private final DiskThread disk;
  private final ReadThread reads;
  private final LogStore store;
  private final SpoolFolder spools;
  private final List<LogName> existing;

  private DiskWal(Files files, Path data, DiskOptions options, Closeable lock) throws IOException {
    this.lock = lock;
    this.meter = new DiskMeter(files, data, options.reserveBytes());
    DiskTools tools =
        new DiskTools(
            files,
            meter,
            new OpenFiles(options.maxOpenFiles()),
            new SpoolFolder(data, files, meter),
            ByteBuffer.allocateDirect(STAGING_BYTES),
            ByteBuffer.allocateDirect(ZERO_BYTES),
            options.onFault());
    this.store = new LogStore(data, tools);
    this.existing = store.start();
    this.spools = tools.spools();
    spools.start();
    this.reads = new ReadThread(files, options.maxOpenFiles());
    this.disk = new DiskThread(options, tools, store);
    disk.start();
  }

  /**
   * Opens a data directory, creating it when it does not exist.
   *
   * @throws WalException {@code LOCKED} when another store uses it, {@code DISK_FULL} or {@code IO}
   *     when it cannot be written; the message is one sentence for the operator
   */
  public static DiskWal open(Path dataDir, DiskOptions options) {
    return open(new SystemFiles(), dataDir, options);
  }

  /** The same on another file system. */
  public static DiskWal open(Files files, Path dataDir, DiskOptions options) {
    try {
      files.createDirectories(dataDir);
      return locked(files, dataDir, options, files.lock(dataDir.resolve("lock")));
    } catch (Files.LockedException e) {
      throw new WalException(
          WalException.Kind.LOCKED,
          "data directory " + dataDir + " is in use by another broker; stop it, or choose another",
          e);
    } catch (Files.DiskFullException e) {
      throw new WalException(
          WalException.Kind.DISK_FULL,
          "data directory " + dataDir + " cannot be opened: no space is left on its disk",
          e);
    } catch (IOException e) {
      throw new WalException(
          WalException.Kind.IO,
          "data directory " + dataDir + " cannot be used, check that it is writable: " + e,
          e);
    }
  }

  private static DiskWal locked(Files files, Path data, DiskOptions options, Closeable lock)
      throws IOException {
    try {
      return new DiskWal(files, data, options, lock);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  @Override
  public List<LogName> existing() {
    return existing;
  }

  @Override
  public void open(OpenRequest request, Consumer<WalResult<OpenedLog>> done) {
    disk.request(
        new Owner(request.owner()),
        () -> store.open(request, log -> new LogHandle(log, disk, reads)),
        done);
  }

  @Override
  public void delete(LogName name, Executor owner, Consumer<WalResult<LogName>> done) {
    disk.request(
        new Owner(owner),
        () -> {
          LogName deleted = store.delete(name);
          reads.forget(store.folderOf(name), Long.MAX_VALUE);
          return deleted;
        },
        done);
  }

  @Override
  public void writeDocument(
      String name, byte[] content, Executor owner, Consumer<WalResult<String>> done) {
    disk.request(new Owner(owner), () -> store.writeDocument(name, content), done);
  }

  @Override
  public void readDocument(String name, Executor owner, Consumer<WalResult<byte[]>> done) {
    disk.request(new Owner(owner), () -> store.readDocument(name), done);
  }

  @Override
  public WalResult<Spool> openSpool(Executor owner) {
    if (disk.isStopped()) {
      return new WalResult.Failed<>(disk.whyNot());
    }
    try {
      return new WalResult.Ok<>(new DiskSpool(spools.create(), disk, new Owner(owner)));
    } catch (WalException e) {
      return new WalResult.Failed<>(e);
    }
  }

  @Override
  public void onDiskLow(Executor owner, Consumer<Boolean> listener) {
    Owner watcher = new Owner(owner);
    disk.submit(watcher, () -> meter.watch(watcher, listener), result -> {});
  }

  @Override
  public WalStats stats() {
    return meter.stats(disk.queue());
  }

  @Override
  public void close() {
    disk.close();
    reads.close();
    try {
      lock.close();
    } catch (IOException e) {
      LOG.warn("the lock of the data directory could not be released", e);
    }
  }
}
