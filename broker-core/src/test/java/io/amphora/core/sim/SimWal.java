package io.amphora.core.sim;

import io.amphora.wal.LogName;
import io.amphora.wal.OpenRequest;
import io.amphora.wal.OpenedLog;
import io.amphora.wal.Spool;
import io.amphora.wal.Wal;
import io.amphora.wal.WalException;
import io.amphora.wal.WalResult;
import io.amphora.wal.WalStats;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * A {@link Wal} on a {@link SimDisk}. Commands run on a loop of their own, the "disk thread", which
 * a test can hold still to delay completions.
 */
public final class SimWal implements Wal {

  final SimDisk disk;
  final Random random;
  final SimLoop thread;
  final SimLoop reader;
  private final List<LogName> existing;
  private final List<SimWalLog> open = new ArrayList<>();
  private final List<Consumer<Boolean>> lowListeners = new ArrayList<>();
  private boolean low;

  /** Spools that were opened and not erased. */
  final Set<SimSpool> spools = new HashSet<>();

  public SimWal(SimDisk disk, SimScheduler scheduler) {
    this.disk = disk;
    this.random = scheduler.random();
    this.thread = scheduler.loop("disk");
    this.reader = scheduler.loop("cold-reads");
    this.existing = List.copyOf(disk.logs.keySet());
  }

  /** The disk thread, to hold it still. */
  public SimLoop thread() {
    return thread;
  }

  /** How many spools there are. */
  public int openSpools() {
    return spools.size();
  }

  @Override
  public WalResult<Spool> openSpool(Executor owner) {
    if (low) {
      return failed(WalException.Kind.DISK_FULL, "below the reserve");
    }
    SimSpool spool = new SimSpool(this, owner);
    spools.add(spool);
    return new WalResult.Ok<>(spool);
  }

  /** The thread for cold reads, to hold it still. */
  public SimLoop reader() {
    return reader;
  }

  /** The process died. */
  public void die() {
    thread.die();
    reader.die();
  }

  /** Free space fell below the reserve, or is back. */
  public void diskLow(boolean isLow) {
    low = isLow;
    lowListeners.forEach(l -> l.accept(isLow));
  }

  /** Forces what was only written, for logs whose flush policy leaves it open. */
  public void forceAll() {
    thread.execute(() -> open.forEach(SimWalLog::force));
  }

  @Override
  public List<LogName> existing() {
    return existing;
  }

  @Override
  public void open(OpenRequest request, Consumer<WalResult<OpenedLog>> done) {
    thread.execute(
        () -> {
          WalResult<OpenedLog> result = openNow(request);
          request.owner().execute(() -> done.accept(result));
        });
  }

  private WalResult<OpenedLog> openNow(OpenRequest request) {
    SimLogFile file = disk.logs.get(request.name());
    boolean isNew = file == null;
    if (isNew && disk.full) {
      return failed(WalException.Kind.DISK_FULL, "no space");
    }
    if (file == null) {
      file = new SimLogFile(request.newMeta());
      disk.logs.put(request.name(), file);
    }
    if (file.corrupt) {
      return failed(
          WalException.Kind.CORRUPT, request.name() + "/0.log is damaged at offset " + file.end);
    }
    boolean unclean = !file.clean;
    file.durableEnd = file.end;
    SimWalLog log = new SimWalLog(this, request, file);
    open.add(log);
    return new WalResult.Ok<>(
        new OpenedLog(log, file.state(), isNew ? new byte[0] : file.meta.clone(), unclean));
  }

  static <T> WalResult<T> failed(WalException.Kind kind, String message) {
    return new WalResult.Failed<>(new WalException(kind, message));
  }

  @Override
  public void delete(LogName name, Executor owner, Consumer<WalResult<LogName>> done) {
    thread.execute(
        () -> {
          open.stream().filter(l -> l.name().equals(name)).forEach(SimWalLog::markClosed);
          open.removeIf(l -> l.name().equals(name));
          disk.logs.remove(name);
          owner.execute(() -> done.accept(new WalResult.Ok<>(name)));
        });
  }

  @Override
  public void writeDocument(
      String name, byte[] content, Executor owner, Consumer<WalResult<String>> done) {
    byte[] copy = content.clone();
    thread.execute(
        () -> {
          WalResult<String> result = writeNow(name, copy);
          owner.execute(() -> done.accept(result));
        });
  }

  private WalResult<String> writeNow(String name, byte[] content) {
    if (disk.failNextWrite) {
      disk.failNextWrite = false;
      return failed(WalException.Kind.IO, "force of " + name + " failed");
    }
    if (disk.full) {
      return failed(WalException.Kind.DISK_FULL, "no space");
    }
    disk.documentWrites++;
    disk.documents.put(name, content);
    return new WalResult.Ok<>(name);
  }

  @Override
  public void readDocument(String name, Executor owner, Consumer<WalResult<byte[]>> done) {
    thread.execute(
        () -> {
          byte[] content = disk.document(name).clone();
          owner.execute(() -> done.accept(new WalResult.Ok<>(content)));
        });
  }

  @Override
  public void onDiskLow(Executor owner, Consumer<Boolean> listener) {
    lowListeners.add(isLow -> owner.execute(() -> listener.accept(isLow)));
    if (low) {
      owner.execute(() -> listener.accept(true));
    }
  }

  @Override
  public WalStats stats() {
    return new WalStats(thread.queued(), 0, 0, 0, 0, low ? 0 : 1L << 40, low);
  }

  /** Forces everything, marks it clean and stops. */
  @Override
  public void close() {
    for (SimLogFile file : disk.logs.values()) {
      file.durableEnd = file.end;
      file.clean = true;
    }
    die();
  }
}
