package io.amphora.core.delivery;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.partition.BodyRequest;
import io.amphora.core.partition.CommittedLog;
import io.amphora.core.partition.LeadershipListener;
import io.amphora.core.partition.ReadRequest;
import io.amphora.core.partition.ReadSlice;
import io.amphora.core.topology.TopicInfo;
import io.amphora.wal.EpochStart;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** A partition's committed records in memory; what it holds outlives a crash of the node. */
final class FakeLog implements CommittedLog {
  final TopicInfo topic;
  final int partition;
  final List<RecordBatch> batches = new ArrayList<>();
  final List<EpochStart> epochs = new ArrayList<>();
  Optional<LeadershipListener> listener = Optional.empty();
  Loop loop;
  long logStart;
  long end;
  boolean cold;
  int reads;
  int askedBytes;

  /** Next reads fail with this. */
  Optional<ErrorCode> failure = Optional.empty();

  FakeLog(TopicInfo topic, int partition, Loop loop) {
    this.topic = topic;
    this.partition = partition;
    this.loop = loop;
  }

  void lead(LeadershipListener led) {
    listener = Optional.of(led);
    epochs.add(new EpochStart(epochs.size() + 1, end));
    seal(
        new RecordBatchBuilder(16)
            .control()
            .add(RecordFields.NONE, bytes(""), bytes(""), bytes("epoch")));
    loop.execute(() -> led.onLeading(this));
  }

  /** Appends {@code number} messages as one batch and tells the listener. */
  void append(int number) {
    RecordBatchBuilder builder = new RecordBatchBuilder(64);
    for (int i = 0; i < number; i++) {
      builder.add(RecordFields.NONE, bytes(""), bytes(""), bytes("m" + (end + i)));
    }
    append(builder);
  }

  long append(RecordBatchBuilder builder) {
    long base = seal(builder);
    listener.ifPresent(l -> loop.execute(l::onProgress));
    return base;
  }

  private long seal(RecordBatchBuilder builder) {
    RecordBatch batch = builder.seal(end, Math.max(1, epochs.size()), loop.nowMillis());
    batches.add(batch);
    long base = end;
    end = batch.endOffset();
    return base;
  }

  void retainFrom(long offset) {
    logStart = offset;
    batches.removeIf(batch -> batch.endOffset() <= offset);
    listener.ifPresent(l -> loop.execute(l::onProgress));
  }

  void stop(ErrorCode code) {
    LeadershipListener led = listener.orElseThrow();
    listener = Optional.empty();
    loop.execute(
        () -> led.onStopped(new BrokerException(code, "leadership of " + this + " ended")));
  }

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  @Override
  public String topic() {
    return topic.name();
  }

  @Override
  public UUID topicId() {
    return topic.id();
  }

  @Override
  public int partition() {
    return partition;
  }

  @Override
  public int epoch() {
    return epochs.size();
  }

  @Override
  public long logStart() {
    return logStart;
  }

  @Override
  public long highWatermark() {
    return end;
  }

  @Override
  public List<EpochStart> epochs() {
    return epochs;
  }

  @Override
  public void read(ReadRequest request, Consumer<Reply<ReadSlice>> done) {
    reads++;
    askedBytes = request.maxBytes();
    Reply<ReadSlice> reply = slice(request);
    if (cold) {
      loop.execute(() -> done.accept(reply));
    } else {
      done.accept(reply);
    }
  }

  @Override
  public void readBody(BodyRequest request, Consumer<Reply<byte[]>> done) {
    throw new UnsupportedOperationException("dispatchers do not read bodies");
  }

  private Reply<ReadSlice> slice(ReadRequest request) {
    if (failure.isPresent()) {
      return Reply.failed(failure.get(), "injected");
    }
    List<RecordBatch> found = new ArrayList<>();
    int size = 0;
    for (RecordBatch batch : batches) {
      if (!found.isEmpty() && size + batch.size() > request.maxBytes()) {
        break;
      }
      if (batch.endOffset() > request.offset()) {
        found.add(batch);
        size += batch.size();
      }
    }
    return Reply.ok(new ReadSlice(found, logStart, end));
  }

  @Override
  public void offsetForTime(long timestampMillis, Consumer<Reply<Long>> done) {
    long found =
        batches.stream()
            .filter(batch -> batch.maxTimestamp() >= timestampMillis)
            .findFirst()
            .map(RecordBatch::baseOffset)
            .orElse(end);
    loop.execute(() -> done.accept(Reply.ok(found)));
  }

  @Override
  public String toString() {
    return topic.name() + "-" + partition;
  }

  @Override
  public void truncateBefore(long offset) {
    throw new UnsupportedOperationException();
  }
}
