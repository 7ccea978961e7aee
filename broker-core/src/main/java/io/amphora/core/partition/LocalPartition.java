package io.amphora.core.partition;

import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.wal.RecordBatchBuilder;
import java.util.UUID;
import java.util.function.Consumer;

/** A partition hosted here, for callers on any loop: every call is posted to its owner. */
public final class LocalPartition implements PartitionRef {

  private final Partition partition;
  private final LoopResources resources;

  public LocalPartition(Partition partition, LoopResources resources) {
    this.partition = partition;
    this.resources = resources;
  }

  @Override
  public UUID topicId() {
    return partition.setup().topic().id();
  }

  @Override
  public int partition() {
    return partition.setup().number();
  }

  /** The partition itself; its methods are to be called on {@link #loop} only. */
  public Partition target() {
    return partition;
  }

  public Loop loop() {
    return resources.loop();
  }

  @Override
  public void append(AppendRequest request) {
    boolean reserved = reserve(request.records());
    loop().execute(() -> partition.onAppend(request, reserved));
  }

  /**
   * Taken here and not on the loop, so that the loop's queue is bounded by the budget, too. What a
   * transaction brings is promised already (safety rule 13): its memory is bounded where it waits.
   */
  private boolean reserve(RecordBatchBuilder records) {
    int bytes = AppendBudget.costOf(records);
    if (partition.setup().topic().isInternal() || records.isTransactional()) {
      resources.budget().reserve(bytes);
      return true;
    }
    return resources.budget().tryReserve(bytes);
  }

  @Override
  public void status(Loop owner, Consumer<Reply<PartitionStatus>> done) {
    loop().execute(() -> answer(owner, done, partition.status()));
  }

  @Override
  public void offsetForTime(long timestampMillis, Loop owner, Consumer<Reply<Long>> done) {
    Consumer<Reply<Long>> back = reply -> answer(owner, done, reply);
    loop()
        .execute(
            () -> partition.withCommitted(log -> log.offsetForTime(timestampMillis, back), back));
  }

  @Override
  public void read(ReadRequest request, Loop owner, Consumer<Reply<ReadSlice>> done) {
    Consumer<Reply<ReadSlice>> back = reply -> answer(owner, done, reply);
    loop().execute(() -> partition.withCommitted(log -> log.read(request, back), back));
  }

  @Override
  public void readBody(BodyRequest request, Loop owner, Consumer<Reply<byte[]>> done) {
    Consumer<Reply<byte[]>> back = reply -> answer(owner, done, reply);
    loop().execute(() -> partition.withCommitted(log -> log.readBody(request, back), back));
  }

  private static <T> void answer(Loop owner, Consumer<Reply<T>> done, Reply<T> reply) {
    owner.execute(() -> done.accept(reply));
  }
}
