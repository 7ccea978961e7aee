package io.amphora.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.partition.AppendResult.Appended;
import io.amphora.core.partition.AppendResult.Indeterminate;
import io.amphora.core.partition.AppendResult.Refused;
import io.amphora.core.partition.PartitionStatus;
import io.amphora.core.partition.ReadSlice;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicInfo;
import io.amphora.wal.EpochStart;
import io.amphora.wal.FlushPolicy;
import io.amphora.wal.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AppendTest {

  private final NodeHarness node = new NodeHarness(4);
  private final List<AppendResult> results = new ArrayList<>();

  @BeforeEach
  void start() {
    node.start();
    node.create("orders");
  }

  private void appendLater(String... bodies) {
    node.appendLater(node.partition("orders", 0), Acks.ALL, results::add, bodies);
  }

  private static ErrorCode code(AppendResult result) {
    assertThat(result).isInstanceOf(Refused.class);
    return ((Refused) result).error().code();
  }

  @Test
  void shouldAnswerOnlyWhatIsForced() {
    node.wal.thread().hold(true);
    appendLater("a");
    node.scheduler.runUntilIdle();
    assertThat(results).isEmpty();
    assertThat(node.status("orders", 0).pendingBytes()).isPositive();
    assertThat(node.status("orders", 0).highWatermark()).isEqualTo(1);
    assertThat(node.messages("orders", 0)).as("uncommitted is not visible").isEmpty();
    node.wal.thread().hold(false);
    node.scheduler.runUntilIdle();
    assertThat(results).containsExactly(new Appended(1));
    assertThat(node.status("orders", 0).pendingBytes()).isZero();
  }

  @Test
  void shouldCountTheEpochStartAsNoMessage() {
    node.append("orders", 0, "a", "b");
    PartitionStatus status = node.status("orders", 0);
    assertThat(status.role()).isEqualTo("leader");
    assertThat(status.epochs()).containsExactly(new EpochStart(1, 0));
    assertThat(status.messagesFrom(0)).isEqualTo(2);
    List<RecordBatch> batches = node.read("orders", 0, 0).batches();
    assertThat(batches).extracting(RecordBatch::isControl).containsExactly(true, false);
  }

  @Test
  void shouldTellDispatchersOfProgress() {
    node.append("orders", 0, "a");
    node.append("orders", 0, "b", "c");
    assertThat(node.quiet.events)
        .containsSubsequence("leading orders-0 1", "progress orders-0 2", "progress orders-0 4");
  }

  @Test
  void shouldNotLeadBeforeTheEpochStartIsCommitted() {
    node.append("orders", 0, "a");
    node.crash();
    NodeHarness.Answer<RunningBroker> answer = new NodeHarness.Answer<>();
    node.beginStart(answer);
    while (node.quiet.events.isEmpty()) {
      assertThat(answer.isThere()).isFalse();
      assertThat(node.scheduler.step()).isTrue();
    }
    node.scheduler.runUntilIdle();
    assertThat(answer.get()).isInstanceOf(Reply.Ok.class);
    assertThat(node.quiet.events).contains("leading orders-0 2");
  }

  @Test
  void shouldRefuseWhenTheDiskIsFullAndRecover() {
    node.append("orders", 0, "a");
    node.disk.full = true;
    appendLater("b");
    appendLater("c");
    node.scheduler.runUntilIdle();
    assertThat(results).hasSize(2);
    assertThat(code(results.get(0))).isEqualTo(ErrorCode.RESOURCE_LIMIT);
    assertThat(code(results.get(1))).isEqualTo(ErrorCode.RESOURCE_LIMIT);
    node.disk.full = false;
    assertThat(node.append("orders", 0, "d")).isEqualTo(new Appended(2));
    assertThat(node.messages("orders", 0)).containsExactly("a", "d");
    assertThat(node.faults.faults).isEmpty();
  }

  @Test
  void shouldHoldProducersWhileFreeSpaceIsLow() {
    node.wal.diskLow(true);
    node.scheduler.runUntilIdle();
    assertThat(node.broker.status().blocked()).isTrue();
    assertThat(node.broker.status().alarms()).containsExactly("disk low");
    assertThat(code(node.append("orders", 0, "a"))).isEqualTo(ErrorCode.RESOURCE_LIMIT);
    assertThat(node.append("__positions", 0, "p")).isInstanceOf(Appended.class);
    node.wal.diskLow(false);
    node.scheduler.runUntilIdle();
    assertThat(node.broker.status().blocked()).isFalse();
    assertThat(node.append("orders", 0, "a")).isEqualTo(new Appended(1));
  }

  @Test
  void shouldWriteTheEpochStartWhenSpaceIsBack() {
    node.append("orders", 0, "a");
    node.stop();
    NodeHarness.Answer<RunningBroker> answer = new NodeHarness.Answer<>();
    node.disk.queueFull = true;
    node.beginStart(answer);
    node.scheduler.advanceMillis(1000);
    assertThat(answer.isThere()).isFalse();
    node.disk.queueFull = false;
    node.scheduler.advanceMillis(1000);
    node.broker = answer.get().orThrow();
    assertThat(node.messages("orders", 0)).containsExactly("a");
  }

  @Test
  void shouldFailTheStartWhenNoEpochStartCanBeWritten() {
    node.stop();
    NodeHarness.Answer<RunningBroker> answer = new NodeHarness.Answer<>();
    node.disk.queueFull = true;
    node.beginStart(answer);
    node.scheduler.advanceMillis(31_000);
    assertThat(answer.get()).isInstanceOf(Reply.Failed.class);
  }

  @Test
  void shouldRefuseWhenTheQueueOfTheDiskIsFull() {
    node.disk.queueFull = true;
    assertThat(code(node.append("orders", 0, "a"))).isEqualTo(ErrorCode.RESOURCE_LIMIT);
    node.disk.queueFull = false;
    assertThat(node.append("orders", 0, "a")).isEqualTo(new Appended(1));
  }

  @Test
  void shouldBoundWhatIsInFlight() {
    node.wal.thread().hold(true);
    String big = "x".repeat(300_000);
    for (int i = 0; i < 6; i++) {
      appendLater(big);
    }
    node.scheduler.runUntilIdle();
    assertThat(results).as("refusals wait behind what is pending").isEmpty();
    node.wal.thread().hold(false);
    node.scheduler.runUntilIdle();
    assertThat(results.subList(0, 3)).allMatch(Appended.class::isInstance);
    assertThat(results.subList(3, 6)).allMatch(r -> code(r) == ErrorCode.RESOURCE_LIMIT);
    assertThat(node.append("orders", 0, big)).isInstanceOf(Appended.class);
  }

  @Test
  void shouldRefuseTooLargeMessagesOnly() {
    TopicConfig d = TopicConfig.DEFAULT;
    TopicConfig small = d.withMaxMessageBytes(10);
    node.create("small", small);
    assertThat(code(node.append("small", 0, "12345678901"))).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
    assertThat(code(node.append("small", 0, "1", "12345678901")))
        .isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
    assertThat(node.append("small", 0, "1234567890", "1234567890")).isEqualTo(new Appended(1));
  }

  @Test
  void shouldStopAcknowledgingWhenAForceFails() {
    node.disk.failNextWrite = true;
    assertThat(node.append("orders", 0, "a")).isInstanceOf(Indeterminate.class);
    assertThat(node.faults.faults).hasSize(1).first().asString().contains("orders-0");
    assertThat(node.append("orders", 0, "b")).isInstanceOf(Refused.class);
    assertThat(node.quiet.events).contains("stopped orders-0 INTERNAL");
    assertThat(node.broker.status().ready()).isFalse();
  }

  @Test
  void shouldAcknowledgeAtTheWrittenEndWhenTheTopicSaysSo() {
    TopicConfig d = TopicConfig.DEFAULT;
    node.create("loose", d.withFlush(FlushPolicy.OS));
    assertThat(node.append("loose", 0, "a")).isEqualTo(new Appended(1));
    assertThat(node.status("loose", 0).log().durableEnd()).isZero();
    assertThat(node.messages("loose", 0)).containsExactly("a");
  }

  @Test
  void shouldNotLetTimeGoBack() {
    node.append("orders", 0, "a");
    long first = last().maxTimestamp();
    node.scheduler.shiftWallClock(-3_600_000);
    node.append("orders", 0, "b");
    assertThat(last().maxTimestamp()).isEqualTo(first);
    node.crash();
    node.start();
    node.append("orders", 0, "c");
    assertThat(last().maxTimestamp()).isEqualTo(first);
    long found =
        node.ask(
                (Consumer<Reply<Long>> d) ->
                    node.partition("orders", 0).offsetForTime(first + 1, node.client, d))
            .orThrow();
    assertThat(found).isEqualTo(node.status("orders", 0).highWatermark());
  }

  /** An append time of the far future would keep the log from retention until then. */
  @Test
  void shouldNotStayInTheFuture() {
    long tenYears = 10L * 365 * 24 * 3600 * 1000;
    node.append("orders", 0, "a");
    long now = last().maxTimestamp();
    node.scheduler.shiftWallClock(tenYears);
    node.append("orders", 0, "b");
    node.scheduler.shiftWallClock(-tenYears);
    node.append("orders", 0, "c");
    assertThat(last().maxTimestamp()).isEqualTo(now);
    node.scheduler.shiftWallClock(tenYears);
    node.append("orders", 0, "d");
    node.scheduler.shiftWallClock(-tenYears);
    node.crash();
    node.start();
    node.append("orders", 0, "e");
    assertThat(last().maxTimestamp()).isEqualTo(now);
  }

  private RecordBatch last() {
    long end = node.status("orders", 0).highWatermark();
    return node.read("orders", 0, end - 1).batches().get(0);
  }

  @Test
  void shouldReadOldRecordsFromDisk() {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      all.add("m" + i);
      node.append("orders", 0, "m" + i);
    }
    assertThat(node.messages("orders", 0)).isEqualTo(all);
    ReadSlice end = node.read("orders", 0, 1000);
    assertThat(end.batches()).isEmpty();
    assertThat(end.highWatermark()).isEqualTo(51);
  }

  @Test
  void shouldApplyRetentionBelowTheHighWatermark() {
    TopicConfig oneDay =
        TopicConfig.DEFAULT.withRetention(
            new TopicConfig.Retention(24L * 3600 * 1000, Long.MAX_VALUE));
    node.create("daily", oneDay);
    node.append("daily", 0, "old");
    node.append("__positions", 0, "p");
    node.scheduler.advanceMillis(2L * 24 * 3600 * 1000);
    node.append("daily", 0, "new");
    node.scheduler.advanceMillis(61_000);
    assertThat(node.messages("daily", 0)).containsExactly("new");
    assertThat(node.status("daily", 0).log().logStart()).isEqualTo(2);
    assertThat(node.status("daily", 0).messagesFrom(0)).isEqualTo(1);
    assertThat(node.status("__positions", 0).log().logStart()).isZero();
  }

  @Test
  void shouldRefuseAppendsWhileStopping() {
    node.broker.stop(() -> {});
    node.scheduler.runUntilIdle();
    assertThat(code(node.append("orders", 0, "a"))).isEqualTo(ErrorCode.SHUTTING_DOWN);
    Reply<TopicInfo> created =
        node.ask(d -> node.broker.createTopic("x", TopicConfig.DEFAULT, node.client, d));
    assertThat(created).isInstanceOf(Reply.Failed.class);
  }
}
