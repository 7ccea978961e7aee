package io.amphora.core.sim;

import io.amphora.wal.EpochStart;
import io.amphora.wal.FlushPolicy;
import io.amphora.wal.LogName;
import io.amphora.wal.LogRecord;
import io.amphora.wal.LogState;
import io.amphora.wal.OpenRequest;
import io.amphora.wal.ReadResult;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.SpooledBody;
import io.amphora.wal.WalException;
import io.amphora.wal.WalLog;
import io.amphora.wal.WalOptions;
import io.amphora.wal.WalResult;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One open log of a {@link SimWal}. */
final class SimWalLog implements WalLog {

  private final SimWal wal;
  private final OpenRequest request;
  private final SimLogFile file;
  private FlushPolicy flush;
  private boolean rejecting;
  private boolean closed;
  private boolean forceQueued;

  SimWalLog(SimWal wal, OpenRequest request, SimLogFile file) {
    this.wal = wal;
    this.request = request;
    this.file = file;
    this.flush = request.options().flush();
  }

  void markClosed() {
    closed = true;
  }

  @Override
  public LogName name() {
    return request.name();
  }

  @Override
  public boolean append(RecordBatch batch) {
    if (wal.disk.queueFull) {
      return false;
    }
    wal.thread.execute(() -> write(batch));
    return true;
  }

  private void write(RecordBatch batch) {
    writeNow(batch);
    batch.spooled().ifPresent(SpooledBody::erase);
  }

  private void writeNow(RecordBatch batch) {
    if (closed || (rejecting && batch.baseOffset() != file.end)) {
      return;
    }
    if (wal.disk.full) {
      rejecting = true;
      WalException error = new WalException(WalException.Kind.DISK_FULL, "no space");
      long from = file.end;
      post(() -> request.listener().onRejected(from, error));
      return;
    }
    rejecting = false;
    file.add(batch);
    if (flush != FlushPolicy.COMMIT || wal.random.nextBoolean()) {
      progress();
    }
    if (flush == FlushPolicy.COMMIT && !forceQueued) {
      forceQueued = true;
      wal.thread.execute(this::force);
    }
  }

  /** One force serves all that was written meanwhile. */
  void force() {
    forceQueued = false;
    if (closed || file.durableEnd == file.end) {
      return;
    }
    if (wal.disk.failNextWrite) {
      wal.disk.failNextWrite = false;
      closed = true;
      WalException error = new WalException(WalException.Kind.IO, "force failed");
      post(() -> request.listener().onFailure(error));
      return;
    }
    file.durableEnd = file.end;
    progress();
  }

  private void progress() {
    LogState state = file.state();
    post(() -> request.listener().onProgress(state));
  }

  private void post(Runnable task) {
    request.owner().execute(task);
  }

  @Override
  public void read(
      long fromOffset, long limitOffset, int maxBytes, Consumer<WalResult<ReadResult>> done) {
    wal.reader.execute(
        () -> {
          WalResult<ReadResult> result = readNow(fromOffset, limitOffset, maxBytes);
          post(() -> done.accept(result));
        });
  }

  private WalResult<ReadResult> readNow(long from, long limit, int maxBytes) {
    if (closed) {
      return SimWal.failed(WalException.Kind.CLOSED, name() + " is closed");
    }
    if (from < file.logStart || from > file.end) {
      return SimWal.failed(WalException.Kind.OUT_OF_RANGE, "offset " + from);
    }
    List<RecordBatch> found = new ArrayList<>();
    int bytes = 0;
    for (RecordBatch batch : file.batches) {
      boolean inRange = batch.endOffset() > from && batch.baseOffset() < limit;
      RecordBatch read = inRange ? copyOf(batch) : batch;
      if (inRange && (found.isEmpty() || bytes + read.openedBytes() <= maxBytes)) {
        bytes += read.openedBytes();
        found.add(read);
      } else if (inRange) {
        break;
      }
    }
    return new WalResult.Ok<>(new ReadResult(found));
  }

  private RecordBatch copyOf(RecordBatch batch) {
    byte[] copy = new byte[batch.size()];
    batch.bytes().get(copy);
    OptionalInt head = RecordBatch.headSize(ByteBuffer.wrap(copy));
    return batch.size() > wal.disk.largeBytes && head.isPresent()
        ? RecordBatch.parseHead(Arrays.copyOf(copy, head.getAsInt()))
        : RecordBatch.parse(copy, 0, copy.length).opened();
  }

  @Override
  public void readBody(long offset, long from, int length, Consumer<WalResult<byte[]>> done) {
    wal.reader.execute(
        () -> {
          WalResult<byte[]> result = bodyNow(offset, from, length);
          post(() -> done.accept(result));
        });
  }

  private WalResult<byte[]> bodyNow(long offset, long from, int length) {
    for (RecordBatch batch : file.batches) {
      for (LogRecord record : batch) {
        if (record.offset() == offset && offset >= file.logStart && from <= record.bodyLength()) {
          byte[] bytes = new byte[(int) Math.min(length, record.bodyLength() - from)];
          record.body().get((int) from, bytes);
          return new WalResult.Ok<>(bytes);
        }
      }
    }
    return SimWal.failed(WalException.Kind.OUT_OF_RANGE, "offset " + offset);
  }

  @Override
  public void offsetForTime(long timestampMillis, Consumer<WalResult<Long>> done) {
    onDisk(
        done,
        () ->
            file.batches.stream()
                .filter(b -> b.maxTimestamp() >= timestampMillis)
                .map(RecordBatch::baseOffset)
                .findFirst()
                .orElse(file.end));
  }

  @Override
  public List<EpochStart> epochs() {
    return List.copyOf(file.epochs);
  }

  @Override
  public void truncateTo(long offset, Consumer<WalResult<LogState>> done) {
    onDisk(
        done,
        () -> {
          file.truncateTo(offset);
          return file.state();
        });
  }

  @Override
  public void truncateBefore(long offset, Consumer<WalResult<LogState>> done) {
    onDisk(
        done,
        () -> {
          file.truncateBefore(offset);
          progress();
          return file.state();
        });
  }

  @Override
  public void retain(
      long limitOffset, long olderThanMillis, long maxBytes, Consumer<WalResult<LogState>> done) {
    onDisk(
        done,
        () -> {
          long before = file.logStart;
          file.retain(limitOffset, olderThanMillis, maxBytes);
          if (file.logStart != before) {
            progress();
          }
          return file.state();
        });
  }

  @Override
  public void configure(WalOptions options) {
    wal.thread.execute(() -> flush = options.flush());
  }

  @Override
  public void close(Consumer<WalResult<LogState>> done) {
    onDisk(
        done,
        () -> {
          file.durableEnd = file.end;
          file.clean = true;
          closed = true;
          return file.state();
        });
  }

  private <T> void onDisk(Consumer<WalResult<T>> done, Supplier<T> work) {
    wal.thread.execute(
        () -> {
          WalResult<T> result =
              closed
                  ? SimWal.failed(WalException.Kind.CLOSED, name() + " is closed")
                  : new WalResult.Ok<>(work.get());
          post(() -> done.accept(result));
        });
  }
}
