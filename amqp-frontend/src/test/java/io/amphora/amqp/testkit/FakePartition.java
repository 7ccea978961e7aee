package io.amphora.amqp.testkit;

import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.partition.AppendRequest;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.partition.BodyRequest;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.partition.PartitionStatus;
import io.amphora.core.partition.ReadRequest;
import io.amphora.core.partition.ReadSlice;
import io.amphora.wal.LogRecord;
import io.amphora.wal.LogState;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.SpooledBody;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  /** Bodies of records that are not whole, by offset. */
  private final Map<Long, FakeSpool.Body> bodies = new HashMap<>();

  /** Pieces of bodies that were asked for. */
  public final List<BodyRequest> bodyReads = new ArrayList<>();

  /** When true reads of bodies are answered by {@link #releaseBodies}. */
  public boolean holdBodies;

  /** What reads of bodies come to instead of success. */
  public Optional<ErrorCode> bodyFailure = Optional.empty();

  private final List<Runnable> heldBodies = new ArrayList<>();

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
      batch.spooled().ifPresent(body -> bodies.put(batch.baseOffset(), (FakeSpool.Body) body));
      batch.spooled().ifPresent(SpooledBody::erase);
      batch.forEach(records::add);
      result = new AppendResult.Appended(batch.baseOffset());
      broker.onAppended(topic);
    }
    if (result instanceof AppendResult.Refused) {
      request.records().discard();
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
    int end = records.size();
    LogState log = new LogState(0, end, end, 1, 0, 1);
    PartitionStatus status = new PartitionStatus(number, "leader", 1, end, log, List.of(), 0);
    owner.execute(() -> done.accept(Reply.ok(status)));
  }

  @Override
  public void offsetForTime(long millis, Loop owner, Consumer<Reply<Long>> done) {
    throw new UnsupportedOperationException();
  }

  /** The whole body of a record that is not whole. */
  public byte[] bodyOf(long offset) {
    return bodies.get(offset).content().clone();
  }

  @Override
  public void readBody(BodyRequest request, Loop owner, Consumer<Reply<byte[]>> done) {
    broker
        .home()
        .execute(
            () -> {
              bodyReads.add(request);
              Runnable answer = () -> done.accept(piece(request));
              if (holdBodies) {
                heldBodies.add(() -> owner.execute(answer));
              } else {
                owner.execute(answer);
              }
            });
  }

  /** Answers all reads of bodies from now on. */
  public void releaseBodies() {
    holdBodies = false;
    heldBodies.forEach(Runnable::run);
    heldBodies.clear();
  }

  private Reply<byte[]> piece(BodyRequest request) {
    if (bodyFailure.isPresent()) {
      return Reply.failed(bodyFailure.get(), "injected");
    }
    FakeSpool.Body body = bodies.get(request.offset());
    if (body == null) {
      return Reply.failed(ErrorCode.NOT_FOUND, "offset " + request.offset() + " is gone");
    }
    int from = (int) request.from();
    int to = Math.min(body.size(), from + request.length());
    return Reply.ok(Arrays.copyOfRange(body.content(), from, to));
  }

  @Override
  public void read(ReadRequest request, Loop owner, Consumer<Reply<ReadSlice>> done) {
    owner.execute(() -> done.accept(Reply.ok(new ReadSlice(List.of(), 0, records.size()))));
  }
}
