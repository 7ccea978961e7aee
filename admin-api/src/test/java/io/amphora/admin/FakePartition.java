package io.amphora.admin;

import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.partition.AppendRequest;
import io.amphora.core.partition.BodyRequest;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.partition.PartitionStatus;
import io.amphora.core.partition.ReadRequest;
import io.amphora.core.partition.ReadSlice;
import io.amphora.wal.EpochStart;
import io.amphora.wal.LogState;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** A partition in memory: one epoch start, then the messages that the test puts in. */
final class FakePartition implements PartitionRef {
  private final UUID topicId;
  private final int partition;
  private final List<RecordBatch> batches = new ArrayList<>();
  private long logStart;

  FakePartition(UUID topicId, int partition) {
    this.topicId = topicId;
    this.partition = partition;
    RecordBatchBuilder epochStart = new RecordBatchBuilder(0).control();
    batches.add(add(epochStart, "", "epoch").seal(0, 1, 1000));
  }

  private static RecordBatchBuilder add(RecordBatchBuilder builder, String key, String body) {
    RecordFields fields =
        key.isEmpty()
            ? RecordFields.NONE
            : RecordFields.keyed(key.getBytes(StandardCharsets.UTF_8), 7);
    ByteBuffer empty = ByteBuffer.allocate(0);
    return builder.add(
        fields, empty, empty.duplicate(), ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)));
  }

  /** Appends one batch of messages at a time in milliseconds. */
  FakePartition append(long millis, String key, String... bodies) {
    RecordBatchBuilder builder = new RecordBatchBuilder(0);
    for (String body : bodies) {
      add(builder, key, body);
    }
    batches.add(builder.seal(end(), 1, millis));
    return this;
  }

  FakePartition startAt(long offset) {
    logStart = offset;
    return this;
  }

  private long end() {
    return batches.get(batches.size() - 1).endOffset();
  }

  @Override
  public UUID topicId() {
    return topicId;
  }

  @Override
  public int partition() {
    return partition;
  }

  @Override
  public void append(AppendRequest request) {
    throw new AssertionError("the admin API does not append");
  }

  @Override
  public void status(Loop owner, Consumer<Reply<PartitionStatus>> done) {
    LogState log = new LogState(logStart, end(), end(), 1, 4096, 1);
    PartitionStatus status =
        new PartitionStatus(partition, "leader", 1, end(), log, List.of(new EpochStart(1, 0)), 0);
    owner.execute(() -> done.accept(Reply.ok(status)));
  }

  @Override
  public void offsetForTime(long timestampMillis, Loop owner, Consumer<Reply<Long>> done) {
    throw new AssertionError("not asked");
  }

  @Override
  public void readBody(BodyRequest request, Loop owner, Consumer<Reply<byte[]>> done) {
    throw new AssertionError("not asked");
  }

  /** One batch at a time, so that callers have to come again. */
  @Override
  public void read(ReadRequest request, Loop owner, Consumer<Reply<ReadSlice>> done) {
    long from = Math.max(request.offset(), logStart);
    List<RecordBatch> found =
        batches.stream().filter(batch -> batch.endOffset() > from).limit(1).toList();
    owner.execute(() -> done.accept(Reply.ok(new ReadSlice(found, logStart, end()))));
  }
}
