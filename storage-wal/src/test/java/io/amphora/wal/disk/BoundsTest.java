package io.amphora.wal.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.wal.FlushPolicy;
import io.amphora.wal.WalOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files, queues and answers at their bounds. */
class BoundsTest {

  private static final Path DATA = Path.of("/data");
  private static final int FILES = 4;
  private static final int LOGS = 40;

  private final SimulatedFiles files = new SimulatedFiles();

  /** One batch to each log at once, again and again: whatever the policy, few files are open. */
  @ParameterizedTest
  @EnumSource(FlushPolicy.class)
  void shouldBoundTheOpenFiles(FlushPolicy flush) {
    DiskOptions options = new DiskOptions(0, 1 << 20, 1000, FILES, 2, fault -> {});
    WalOptions log = new WalOptions(1 << 20, 1000, flush, 3_600_000);
    List<LogOwner> owners = new ArrayList<>();
    try (DiskWal wal = DiskWal.open(files, DATA, options)) {
      for (int i = 0; i < LOGS; i++) {
        LogOwner owner = new LogOwner();
        owner.open(wal, Batches.name(i), log);
        owners.add(owner);
      }
      for (long offset = 0; offset < 3; offset++) {
        long end = offset + 1;
        owners.forEach(owner -> owner.append(Batches.batch(end - 1)));
        owners.forEach(owner -> owner.runUntil(() -> owner.state.writtenEnd() == end));
      }
      assertThat(files.mostOpen()).isLessThanOrEqualTo(2 * FILES + 3);
      assertThat(owners).allMatch(owner -> owner.failures.isEmpty());
      owners.forEach(owner -> assertThat(owner.readAll()).hasSize(3));
    }
  }

  @Test
  void shouldAnswerWhatIsQueuedBehindTheStop() throws InterruptedException {
    DiskWal wal = DiskWal.open(files, DATA, DiskOptions.DEFAULT);
    CountDownLatch hold = new CountDownLatch(1);
    AtomicInteger answers = new AtomicInteger();
    wal.readDocument("doc", task -> awaitQuietly(hold), result -> {});
    Thread closing = new Thread(wal::close);
    closing.start();
    while (wal.stats().queuedCommands() < 2) {
      Thread.onSpinWait(); // until the stop waits behind the document
    }
    int asked = 20_000;
    for (int i = 0; i < asked; i++) {
      wal.readDocument("doc", Runnable::run, result -> answers.incrementAndGet());
    }
    hold.countDown();
    closing.join();
    assertThat(answers).hasValue(asked);
  }

  /** A stop of thousands of logs must not take minutes: what is forced already costs nothing. */
  @Test
  void shouldCloseForcedLogsWithoutAForce() {
    List<LogOwner> owners = new ArrayList<>();
    try (DiskWal wal = DiskWal.open(files, DATA, DiskOptions.DEFAULT)) {
      for (int i = 0; i < LOGS; i++) {
        LogOwner owner = new LogOwner();
        owner.open(wal, Batches.name(i), WalOptions.DEFAULT);
        owner.appendDurably(Batches.batch(0));
        owners.add(owner);
      }
      long before = files.changes();
      owners.forEach(LogOwner::close);
      assertThat(files.changes()).isEqualTo(before);
    }
    try (DiskWal wal = DiskWal.open(files.afterKill(), DATA, DiskOptions.DEFAULT)) {
      LogOwner owner = new LogOwner();
      owner.open(wal, Batches.name(7), WalOptions.DEFAULT);
      assertThat(owner.opened.unclean()).isFalse();
      assertThat(owner.readAll()).hasSize(1);
      assertThat(owner.state.lastEpoch()).isEqualTo(1);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
