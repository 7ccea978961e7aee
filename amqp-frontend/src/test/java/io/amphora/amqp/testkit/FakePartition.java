package io.amphora.amqp.testkit;

import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.partition.AppendRequest;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.partition.PartitionStatus;
import io.amphora.core.partition.ReadRequest;
import io.amphora.core.partition.ReadSlice;
import io.amphora.wal.LogRecord;
import io.amphora.wal.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** A partition in memory; lives on the fake broker's loop. */
public final class FakePartition implements PartitionRef {

  private final FakeBroker broker;
  private final String topic;
  private final UUID topicId;
  private final int number;
  final List<LogRecord> records = new ArrayList<>();
  public final List<AppendRequest> appends = new ArrayList<>();

  /** What the next appends come to instead of success. */
  public Optional<AppendResult> forced = Optional.empty();

  /** When true nothing is answered. */
  public boolean silent;

  FakePartition(FakeBroker broker, String topic, UUID topicId, int number) {
    this.broker = broker;
    this.topic = topic;
    this.topicId = topicId;
    this.number = number;
  }

  @Override
  public UUID topicId() {
    return topicId;
  }

  @Override
  public int partition() {
    return number;
  }

  @Override
  public void append(AppendRequest request) {
    broker.home().execute(() -> onAppend(request));
  }

  private void onAppend(AppendRequest request) {
    appends.add(request);
    AppendResult result = forced.orElse(null);
    if (result == null) {
      RecordBatch batch = request.records().seal(records.size(), 1, broker.home().nowMillis());
      batch.forEach(records::add);
      result = new AppendResult.Appended(batch.baseOffset());
      broker.onAppended(topic);
    }
    AppendResult answer = result;
    if (!silent) {
      request.owner().execute(() -> request.done().accept(request, answer));
    }
  }

  public List<LogRecord> records() {
    return records;
  }

  @Override
  public void status(Loop owner, Consumer<Reply<PartitionStatus>> done) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void offsetForTime(long millis, Loop owner, Consumer<Reply<Long>> done) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void read(ReadRequest request, Loop owner, Consumer<Reply<ReadSlice>> done) {
    throw new UnsupportedOperationException();
  }
}
