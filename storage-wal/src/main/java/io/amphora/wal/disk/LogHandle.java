package io.amphora.wal.disk;

import io.amphora.wal.EpochStart;
import io.amphora.wal.LogName;
import io.amphora.wal.LogState;
import io.amphora.wal.ReadResult;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import io.amphora.wal.WalLog;
import io.amphora.wal.WalOptions;
import io.amphora.wal.WalResult;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** The owner's side of a log: turns calls into commands. Holds no state of its own. */
final class LogHandle implements WalLog {

  private interface Change {
    void apply() throws IOException;
  }

  private final SegmentedLog log;
  private final LogTrimmer trimmer;
  private final DiskThread disk;
  private final ReadThread reads;

  LogHandle(SegmentedLog log, DiskThread disk, ReadThread reads) {
    this.log = log;
    this.trimmer = new LogTrimmer(log);
    this.disk = disk;
    this.reads = reads;
  }

  @Override
  public LogName name() {
    return log.name();
  }

  @Override
  public boolean append(RecordBatch batch) {
    return disk.append(log, batch);
  }

  @Override
  public void read(
      long fromOffset, long limitOffset, int maxBytes, Consumer<WalResult<ReadResult>> done) {
    ColdReader.Range range = new ColdReader.Range(fromOffset, limitOffset, maxBytes);
    reads.submit(log, reader -> reader.read(log, range), done);
  }

  @Override
  public void readBody(long offset, long from, int length, Consumer<WalResult<byte[]>> done) {
    if (from < 0 || length < 1 || length > MAX_BODY_READ_BYTES) {
      throw new IllegalArgumentException(length + " bytes from " + from);
    }
    ColdReader.Piece piece = new ColdReader.Piece(offset, from, length);
    reads.submit(log, reader -> reader.readBody(log, piece), done);
  }

  @Override
  public void offsetForTime(long timestampMillis, Consumer<WalResult<Long>> done) {
    reads.submit(log, reader -> reader.offsetForTime(log, timestampMillis), done);
  }

  @Override
  public List<EpochStart> epochs() {
    return log.view().epochs();
  }

  @Override
  public void truncateTo(long offset, Consumer<WalResult<LogState>> done) {
    change(() -> trimmer.truncateTo(offset), done);
  }

  @Override
  public void truncateBefore(long offset, Consumer<WalResult<LogState>> done) {
    change(() -> trimmer.truncateBefore(offset), done);
  }

  @Override
  public void retain(
      long limitOffset, long olderThanMillis, long maxBytes, Consumer<WalResult<LogState>> done) {
    Retention.Wish wish = new Retention.Wish(limitOffset, olderThanMillis, maxBytes);
    change(() -> trimmer.retain(wish), done);
  }

  @Override
  public void configure(WalOptions options) {
    disk.submit(
        log.owner(),
        () -> {
          log.configure(options);
          disk.reconsider(log);
        },
        result -> {});
  }

  @Override
  public void close(Consumer<WalResult<LogState>> done) {
    disk.request(
        log.owner(),
        () -> {
          disk.store().close(log);
          reads.forget(log.folder(), Long.MAX_VALUE);
          return log.view().state();
        },
        done);
  }

  private void change(Change change, Consumer<WalResult<LogState>> done) {
    disk.request(
        log.owner(),
        () -> {
          checkUsable(log);
          long before = log.view().generation();
          applyOrFail(change);
          log.report();
          if (log.view().generation() != before) {
            reads.forget(log.folder(), log.view().generation());
          }
          return log.view().state();
        },
        done);
  }

  /** A step that ran out of space is tried again later; any other error ends the log. */
  private void applyOrFail(Change change) throws IOException {
    try {
      change.apply();
    } catch (Files.DiskFullException e) {
      throw e;
    } catch (IOException e) {
      log.fail(e);
      throw e;
    }
  }

  static void checkUsable(SegmentedLog log) {
    SegmentedLog.Status status = log.status();
    if (status == SegmentedLog.Status.FAILED) {
      throw new WalException(WalException.Kind.IO, "log " + log.name() + " failed before");
    }
    if (status == SegmentedLog.Status.CLOSED) {
      throw new WalException(WalException.Kind.CLOSED, "log " + log.name() + " is closed");
    }
  }
}
