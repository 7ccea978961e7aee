package io.amphora.core.partition;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.amphora.core.BrokerException;
import io.amphora.core.CoreMetrics;
import io.amphora.core.ErrorCode;
import io.amphora.core.sim.SimLoop;
import io.amphora.core.sim.SimScheduler;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PendingAcksTest {

  private static final BrokerException NO = new BrokerException(ErrorCode.RESOURCE_LIMIT, "no");

  private final SimScheduler scheduler = new SimScheduler(1);
  private final SimLoop one = scheduler.loop("one");
  private final SimLoop two = scheduler.loop("two");
  private final AppendBudget budget = new AppendBudget(1 << 20);
  private final PendingAcks acks = new PendingAcks(budget, new CoreMetrics(new MetricRegistry()));
  private final List<String> answers = new ArrayList<>();

  private AppendRequest request(String name, SimLoop owner, Acks mode) {
    ByteBuffer none = ByteBuffer.allocate(0);
    RecordBatchBuilder records = new RecordBatchBuilder(1);
    records.add(RecordFields.NONE, none, none, none);
    return new AppendRequest(
        records, mode, owner, (r, result) -> answers.add(name + ":" + kind(result)));
  }

  private static String kind(AppendResult result) {
    if (result instanceof AppendResult.Appended appended) {
      return "at" + appended.baseOffset();
    }
    return result instanceof AppendResult.Refused ? "refused" : "doubt";
  }

  private void add(String name, SimLoop owner, Acks mode, long offset) {
    AppendRequest request = request(name, owner, mode);
    assertThat(budget.tryReserve(request.records().sizeInBytes())).isTrue();
    acks.add(request, new PendingAcks.Sealed(offset, offset + 1, 0));
  }

  private void reached(long highWatermark, long leaderEnd) {
    acks.onReached(new PendingAcks.Reached(highWatermark, leaderEnd, 1));
  }

  @Test
  void shouldPostOncePerOwnerForAllThatIsAnswered() {
    for (int i = 0; i < 10; i++) {
      add("a" + i, i < 5 ? one : two, Acks.ALL, i);
    }
    reached(10, 10);
    assertThat(one.queued()).isEqualTo(1);
    assertThat(two.queued()).isEqualTo(1);
    scheduler.runUntilIdle();
    assertThat(answers).hasSize(10);
    assertThat(acks.isEmpty()).isTrue();
    assertThat(budget.used()).isZero();
    assertThat(acks.bytes()).isZero();
  }

  @Test
  void shouldAnswerAtTheEndThatTheAcksAskFor() {
    add("all", one, Acks.ALL, 0);
    add("leader", two, Acks.LEADER, 1);
    add("none", two, Acks.NONE, 2);
    reached(0, 3);
    scheduler.runUntilIdle();
    assertThat(answers).containsExactly("leader:at1");
    reached(3, 3);
    scheduler.runUntilIdle();
    assertThat(answers).containsExactly("leader:at1", "all:at0");
    assertThat(budget.used()).isZero();
  }

  @Test
  void shouldKeepTheOrderOfAnOwner() {
    add("first", one, Acks.ALL, 0);
    acks.refuse(request("second", one, Acks.ALL), NO);
    acks.refuse(request("other", two, Acks.ALL), NO);
    scheduler.runUntilIdle();
    assertThat(answers).containsExactly("other:refused");
    reached(1, 1);
    scheduler.runUntilIdle();
    assertThat(answers).containsExactly("other:refused", "first:at0", "second:refused");
  }

  @Test
  void shouldRefuseOnlyWhatWasNotWritten() {
    add("kept", one, Acks.ALL, 0);
    add("lost", one, Acks.ALL, 1);
    add("silent", one, Acks.NONE, 2);
    acks.onRejected(1, NO);
    reached(1, 1);
    add("again", one, Acks.ALL, 1);
    reached(2, 2);
    scheduler.runUntilIdle();
    assertThat(answers).containsExactly("kept:at0", "lost:refused", "silent:refused", "again:at1");
    assertThat(budget.used()).isZero();
  }

  @Test
  void shouldClaimNothingAboutWhatIsLost() {
    add("a", one, Acks.ALL, 0);
    add("b", one, Acks.NONE, 1);
    acks.onLost("gone");
    scheduler.runUntilIdle();
    assertThat(answers).containsExactly("a:doubt");
    assertThat(budget.used()).isZero();
  }

  @Test
  void shouldBoundBytesInFlightButTakeOneLargeBatch() {
    AppendBudget small = new AppendBudget(100);
    assertThat(small.tryReserve(500)).isTrue();
    assertThat(small.tryReserve(1)).isFalse();
    small.release(500);
    assertThat(small.tryReserve(60)).isTrue();
    assertThat(small.tryReserve(60)).isFalse();
    assertThat(small.tryReserve(40)).isTrue();
    assertThat(small.used()).isEqualTo(100);
  }

  @Test
  void shouldBoundColdReads() {
    ColdReads reads = new ColdReads(2, 1);
    List<Runnable> running = new ArrayList<>();
    assertThat(reads.submit(running::add)).isTrue();
    assertThat(reads.submit(running::add)).isTrue();
    assertThat(reads.submit(running::add)).as("waits").isTrue();
    assertThat(reads.submit(running::add)).as("too many").isFalse();
    assertThat(running).hasSize(2);
    running.get(0).run();
    assertThat(running).hasSize(3);
  }
}
