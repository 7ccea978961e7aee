package io.amphora.core.partition;

import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import io.amphora.wal.EpochStart;
import io.amphora.wal.ReadResult;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import io.amphora.wal.WalResult;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The committed part of the log of a {@link Leader}: from memory when it is there, else from disk.
 * Owned by the partition loop.
 */
final class LeaderLog implements CommittedLog {

  /** Most that one read returns, but for a single larger batch; bytes. */
  private static final int MAX_READ_BYTES = 4 << 20;

  /** Tries when retention moves the log start between question and answer. */
  private static final int TRIES = 3;

  private static final long RETRY_NANOS = 1_000_000L;

  private final PartitionSetup setup;
  private final Leader leader;

  LeaderLog(PartitionSetup setup, Leader leader) {
    this.setup = setup;
    this.leader = leader;
  }

  @Override
  public String topic() {
    return setup.topic().name();
  }

  @Override
  public UUID topicId() {
    return setup.topic().id();
  }

  @Override
  public int partition() {
    return setup.number();
  }

  @Override
  public int epoch() {
    return leader.epoch();
  }

  @Override
  public long logStart() {
    return leader.log().state.logStart();
  }

  @Override
  public long highWatermark() {
    return leader.highWatermark();
  }

  @Override
  public List<EpochStart> epochs() {
    return leader.log().history.starts();
  }

  @Override
  public void read(ReadRequest request, Consumer<Reply<ReadSlice>> done) {
    int maxBytes = Math.max(1, Math.min(request.maxBytes(), MAX_READ_BYTES));
    read(new ReadRequest(request.offset(), maxBytes), TRIES, done);
  }

  private void read(ReadRequest request, int tries, Consumer<Reply<ReadSlice>> done) {
    if (!leader.isOpen()) {
      done.accept(notLeading());
      return;
    }
    long offset = Math.max(request.offset(), logStart());
    if (offset >= highWatermark()) {
      done.accept(slice(List.of()));
    } else if (leader.tail().holds(offset)) {
      leader.resources().metrics().readsFromTail.inc();
      done.accept(slice(leader.tail().read(offset, highWatermark(), request.maxBytes())));
    } else {
      readCold(new ReadRequest(offset, request.maxBytes()), tries, done);
    }
  }

  private void readCold(ReadRequest request, int tries, Consumer<Reply<ReadSlice>> done) {
    leader.resources().metrics().readsFromDisk.inc();
    boolean queued =
        leader
            .resources()
            .coldReads()
            .submit(
                finished ->
                    leader
                        .log()
                        .log
                        .read(
                            request.offset(),
                            highWatermark(),
                            request.maxBytes(),
                            result -> {
                              finished.run();
                              onRead(request, tries, result, done);
                            }));
    if (!queued) {
      done.accept(Reply.failed(ErrorCode.RESOURCE_LIMIT, "too many reads wait for the disk"));
    }
  }

  private void onRead(
      ReadRequest request,
      int tries,
      WalResult<ReadResult> result,
      Consumer<Reply<ReadSlice>> done) {
    if (!leader.isOpen()) {
      done.accept(notLeading());
    } else if (result instanceof WalResult.Ok<ReadResult> ok) {
      done.accept(slice(committed(ok.value().batches())));
    } else {
      onReadFailed(request, tries, ((WalResult.Failed<ReadResult>) result).error(), done);
    }
  }

  private void onReadFailed(
      ReadRequest request, int tries, WalException error, Consumer<Reply<ReadSlice>> done) {
    boolean again =
        error.kind() == WalException.Kind.OUT_OF_RANGE || error.kind() == WalException.Kind.BUSY;
    if (again && tries > 1) {
      leader.resources().loop().schedule(RETRY_NANOS, () -> read(request, tries - 1, done));
    } else {
      done.accept(new Reply.Failed<>(WalErrors.toBroker(setup + " cannot be read", error)));
    }
  }

  private List<RecordBatch> committed(List<RecordBatch> batches) {
    long limit = highWatermark();
    return batches.stream().filter(b -> b.endOffset() <= limit).toList();
  }

  /** Always from disk: the high watermark does not pass what is written. */
  @Override
  public void readBody(BodyRequest request, Consumer<Reply<byte[]>> done) {
    if (!leader.isOpen()) {
      done.accept(notLeading());
    } else if (request.offset() >= highWatermark()) {
      done.accept(
          Reply.failed(
              ErrorCode.NOT_FOUND,
              "offset " + request.offset() + " of " + setup + " is not there"));
    } else if (!leader.resources().coldReads().submit(end -> readPiece(request, end, done))) {
      done.accept(Reply.failed(ErrorCode.RESOURCE_LIMIT, "too many reads wait for the disk"));
    }
  }

  private void readPiece(BodyRequest request, Runnable finished, Consumer<Reply<byte[]>> done) {
    leader.resources().metrics().readsFromDisk.inc();
    leader
        .log()
        .log
        .readBody(
            request.offset(),
            request.from(),
            request.length(),
            result -> {
              finished.run();
              done.accept(onPiece(result));
            });
  }

  private Reply<byte[]> onPiece(WalResult<byte[]> result) {
    if (result instanceof WalResult.Ok<byte[]> ok) {
      return leader.isOpen() ? Reply.ok(ok.value()) : notLeading();
    }
    WalException error = ((WalResult.Failed<byte[]>) result).error();
    return new Reply.Failed<>(WalErrors.toBroker("a body in " + setup + " cannot be read", error));
  }

  @Override
  public void offsetForTime(long timestampMillis, Consumer<Reply<Long>> done) {
    if (!leader.isOpen()) {
      done.accept(notLeading());
      return;
    }
    leader.log().log.offsetForTime(timestampMillis, result -> done.accept(onOffset(result)));
  }

  private Reply<Long> onOffset(WalResult<Long> result) {
    if (result instanceof WalResult.Ok<Long> ok) {
      return leader.isOpen()
          ? Reply.ok(Math.max(logStart(), Math.min(ok.value(), highWatermark())))
          : notLeading();
    }
    WalException error = ((WalResult.Failed<Long>) result).error();
    return new Reply.Failed<>(WalErrors.toBroker(setup + " cannot be searched", error));
  }

  @Override
  public void truncateBefore(long offset) {
    leader.truncateBefore(offset);
  }

  private Reply<ReadSlice> slice(List<RecordBatch> batches) {
    return Reply.ok(new ReadSlice(batches, logStart(), highWatermark()));
  }

  private <T> Reply<T> notLeading() {
    return Reply.failed(ErrorCode.NOT_LEADER, setup + " is not led here any more");
  }
}
