package io.amphora.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.AppendRequest;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.partition.AppendResult.Appended;
import io.amphora.core.partition.AppendResult.Refused;
import io.amphora.core.partition.BodyRequest;
import io.amphora.core.topology.TopicConfig;
import io.amphora.wal.LogRecord;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import io.amphora.wal.Spool;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A body in a spool, through a partition: whatever becomes of the append, no spool is left. */
class LargeMessageTest {

  private static final int SIZE = 200_000;

  private final NodeHarness node = new NodeHarness(7);
  private final List<AppendResult> results = new ArrayList<>();

  @BeforeEach
  void start() {
    node.disk.largeBytes = 1000;
    node.start();
    node.create("orders");
  }

  private RecordBatchBuilder spooled(int size) {
    Spool spool = node.broker.openSpool(node.client).orThrow();
    byte[] body = new byte[size];
    body[size - 1] = 7;
    spool.write(body, 0, size, result -> {});
    node.scheduler.runUntilIdle();
    ByteBuffer none = ByteBuffer.allocate(0);
    return new RecordBatchBuilder(0).addSpooled(RecordFields.NONE, none, none, spool);
  }

  private void appendLater(RecordBatchBuilder records) {
    node.partition("orders", 0)
        .append(
            new AppendRequest(records, Acks.ALL, node.client, (r, result) -> results.add(result)));
  }

  private AppendResult append(RecordBatchBuilder records) {
    results.clear();
    appendLater(records);
    node.scheduler.runUntilIdle();
    assertThat(results).hasSize(1);
    return results.get(0);
  }

  private Reply<byte[]> body(long offset, long from, int length) {
    return node.ask(
        (Consumer<Reply<byte[]>> done) ->
            node.partition("orders", 0)
                .readBody(new BodyRequest(offset, from, length), node.client, done));
  }

  private static ErrorCode code(Reply<byte[]> reply) {
    return ((Reply.Failed<byte[]>) reply).error().code();
  }

  private void assertRefusedWithoutLeftovers(AppendResult result, ErrorCode code) {
    assertThat(result).isInstanceOf(Refused.class);
    assertThat(((Refused) result).error().code()).isEqualTo(code);
    node.scheduler.runUntilIdle();
    assertThat(node.wal.openSpools()).isZero();
  }

  @Test
  void shouldBeStoredAndReadInPieces() {
    assertThat(append(spooled(SIZE))).isEqualTo(new Appended(1));
    assertThat(node.wal.openSpools()).isZero();
    RecordBatch batch = node.read("orders", 0, 1).batches().get(0);
    LogRecord record = batch.iterator().next();
    assertThat(record.isWhole()).isFalse();
    assertThat(record.bodyLength()).isEqualTo(SIZE);
    assertThat(body(1, SIZE - 3, 100).orThrow()).containsExactly(0, 0, 7);
    assertThat(code(body(2, 0, 1))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(code(body(1, SIZE + 1, 1))).isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void shouldNotBeReadableBeforeItIsCommitted() {
    RecordBatchBuilder records = spooled(SIZE);
    node.wal.thread().hold(true);
    appendLater(records);
    node.scheduler.runUntilIdle();
    assertThat(results).isEmpty();
    assertThat(node.status("orders", 0).pendingBytes()).as("full size").isGreaterThan(SIZE);
    assertThat(code(body(1, 0, 1))).isEqualTo(ErrorCode.NOT_FOUND);
    node.wal.thread().hold(false);
    node.scheduler.runUntilIdle();
    assertThat(results).containsExactly(new Appended(1));
    assertThat(node.status("orders", 0).pendingBytes()).isZero();
    assertThat(body(1, 0, 1).orThrow()).hasSize(1);
  }

  @Test
  void shouldBeFollowedByMessagesFromMemory() {
    node.append("orders", 0, "a");
    assertThat(append(spooled(SIZE))).isEqualTo(new Appended(2));
    node.append("orders", 0, "b");
    node.wal.reader().hold(true);
    assertThat(node.read("orders", 0, 3).batches()).as("from the tail cache").hasSize(1);
    node.wal.reader().hold(false);
    assertThat(node.read("orders", 0, 0).batches()).hasSize(4);
  }

  @Test
  void shouldGiveBackWhatItTookOfTheBudget() {
    for (int i = 0; i < 200; i++) {
      assertThat(append(spooled(2000))).isInstanceOf(Appended.class);
    }
    assertThat(append(spooled(2000))).isInstanceOf(Appended.class);
    assertThat(node.status("orders", 0).pendingBytes()).isZero();
  }

  @Test
  void shouldLeaveNothingWhenTheDiskIsFull() {
    RecordBatchBuilder records = spooled(SIZE);
    node.disk.full = true;
    assertRefusedWithoutLeftovers(append(records), ErrorCode.RESOURCE_LIMIT);
    node.disk.full = false;
    assertThat(append(spooled(SIZE))).isEqualTo(new Appended(1));
  }

  @Test
  void shouldLeaveNothingWhenTheDiskIsLow() {
    RecordBatchBuilder records = spooled(SIZE);
    node.wal.diskLow(true);
    node.scheduler.runUntilIdle();
    assertRefusedWithoutLeftovers(append(records), ErrorCode.RESOURCE_LIMIT);
    assertThat(node.broker.openSpool(node.client)).isInstanceOf(Reply.Failed.class);
  }

  @Test
  void shouldLeaveNothingWhenTheQueueIsFull() {
    RecordBatchBuilder records = spooled(SIZE);
    node.disk.queueFull = true;
    assertRefusedWithoutLeftovers(append(records), ErrorCode.RESOURCE_LIMIT);
  }

  @Test
  void shouldLeaveNothingWhenItIsLargerThanTheTopicAllows() {
    TopicConfig d = TopicConfig.DEFAULT;
    node.delete("orders").orThrow();
    node.create(
        "orders",
        new TopicConfig(
            1,
            d.retention(),
            d.segmentBytes(),
            d.segmentMillis(),
            d.flush(),
            d.flushIntervalMillis(),
            d.partitioner(),
            SIZE,
            d.maxAttempts()));
    assertThat(append(spooled(SIZE))).isEqualTo(new Appended(1));
    assertRefusedWithoutLeftovers(append(spooled(SIZE + 1)), ErrorCode.MESSAGE_TOO_LARGE);
  }

  @Test
  void shouldLeaveNothingWhenTheTopicIsDeleted() {
    RecordBatchBuilder records = spooled(SIZE);
    var partition = node.partition("orders", 0);
    node.delete("orders").orThrow();
    partition.append(
        new AppendRequest(records, Acks.ALL, node.client, (r, result) -> results.add(result)));
    node.scheduler.runUntilIdle();
    assertRefusedWithoutLeftovers(results.get(0), ErrorCode.RESOURCE_DELETED);
  }
}
