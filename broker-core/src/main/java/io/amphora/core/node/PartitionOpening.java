package io.amphora.core.node;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import io.amphora.core.partition.LocalPartition;
import io.amphora.core.partition.PartitionSetup;
import io.amphora.core.partition.WalErrors;
import io.amphora.core.replication.PartitionMeta;
import io.amphora.wal.LogState;
import io.amphora.wal.OpenRequest;
import io.amphora.wal.OpenedLog;
import io.amphora.wal.ReadResult;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.Wal;
import io.amphora.wal.WalException;
import io.amphora.wal.WalResult;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Opens the log of one partition: checks that it is the copy the topology means (safety rule 1) and
 * finds the time of its last record, below which no new one may be. Owned by the partition loop.
 */
final class PartitionOpening {

  private final LocalPartition partition;
  private final PartitionSetup setup;
  private final Wal wal;

  PartitionOpening(LocalPartition partition, Wal wal) {
    this.partition = partition;
    this.setup = partition.target().setup();
    this.wal = wal;
  }

  /**
   * Starts, on any loop.
   *
   * @param done called on the partition loop
   */
  void start(Consumer<Reply<OpenedPartition>> done) {
    Optional<String> unreadable = setup.topic().config().compression().problem();
    if (unreadable.isPresent()) {
      String why = setup + " cannot be opened: " + unreadable.get();
      partition.loop().execute(() -> done.accept(Reply.failed(ErrorCode.INTERNAL, why)));
      return;
    }
    byte[] meta =
        new PartitionMeta(setup.topic().name(), setup.number(), setup.self().incarnation())
            .encode();
    OpenRequest request =
        new OpenRequest(
            setup.logName(), setup.walOptions(), meta, partition.loop(), partition.target());
    wal.open(request, result -> onOpened(result, done));
  }

  private void onOpened(WalResult<OpenedLog> result, Consumer<Reply<OpenedPartition>> done) {
    if (result instanceof WalResult.Failed<OpenedLog> failed) {
      done.accept(new Reply.Failed<>(explain(failed.error())));
      return;
    }
    OpenedLog opened = ((WalResult.Ok<OpenedLog>) result).value();
    if (opened.meta().length > 0 && !isOurs(opened.meta())) {
      done.accept(
          Reply.failed(
              ErrorCode.CORRUPT,
              "the log of "
                  + setup
                  + " is another copy than the topology knows; restore the folder that belongs"
                  + " here"));
      return;
    }
    readLast(opened, done);
  }

  private boolean isOurs(byte[] bytes) {
    try {
      PartitionMeta meta = PartitionMeta.decode(bytes);
      return meta.topic().equals(setup.topic().name())
          && meta.partition() == setup.number()
          && meta.incarnation().equals(setup.self().incarnation());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void readLast(OpenedLog opened, Consumer<Reply<OpenedPartition>> done) {
    LogState state = opened.state();
    if (state.writtenEnd() <= state.logStart()) {
      finish(opened, 0, done);
      return;
    }
    long last = state.writtenEnd() - 1;
    opened.log().read(last, state.writtenEnd(), 1, result -> onLast(opened, result, done));
  }

  private void onLast(
      OpenedLog opened, WalResult<ReadResult> result, Consumer<Reply<OpenedPartition>> done) {
    if (result instanceof WalResult.Failed<ReadResult> failed) {
      done.accept(new Reply.Failed<>(explain(failed.error())));
      return;
    }
    List<RecordBatch> batches = ((WalResult.Ok<ReadResult>) result).value().batches();
    finish(opened, batches.isEmpty() ? 0 : batches.get(0).maxTimestamp(), done);
  }

  private void finish(OpenedLog opened, long lastTime, Consumer<Reply<OpenedPartition>> done) {
    partition.target().onOpened(opened, lastTime);
    done.accept(Reply.ok(new OpenedPartition(partition, opened.state().lastEpoch())));
  }

  private BrokerException explain(WalException error) {
    BrokerException plain = WalErrors.toBroker("the log of " + setup + " cannot be opened", error);
    return error.kind() == WalException.Kind.CORRUPT
        ? new BrokerException(
            ErrorCode.CORRUPT,
            plain.getMessage()
                + ". Nothing was changed. Restore this partition's folder from a backup, or move"
                + " it away to keep it for repair, then start again",
            error)
        : plain;
  }
}
