package io.amphora.wal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.wal.FlushPolicy;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import io.amphora.wal.WalOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A disk that fills up, and one that fails. */
class DiskFullTest {

  private static final Path DATA = Path.of("/data");
  private final SimulatedFiles files = new SimulatedFiles();
  private final LogOwner owner = new LogOwner();
  private final List<Throwable> faults = new ArrayList<>();

  private DiskWal open(WalOptions options) {
    DiskWal wal =
        DiskWal.open(files, DATA, DiskOptions.DEFAULT.withReserve(0).withFaults(faults::add));
    owner.open(wal, Batches.name(0), options);
    return wal;
  }

  @Test
  void shouldRefuseWhatDoesNotFitAndGoOnWhenThereIsRoom() {
    List<Boolean> low = new ArrayList<>();
    try (DiskWal wal = open(WalOptions.DEFAULT)) {
      wal.onDiskLow(owner::post, low::add);
      owner.appendDurably(Batches.batch(0));
      files.setCapacity(files.used() + 150);
      owner.append(Batches.batch(1));
      owner.append(Batches.batch(2));
      owner.runUntil(() -> !owner.rejected.isEmpty());
      assertThat(owner.rejected).containsExactly(1L);
      assertThat(owner.readAll()).hasSize(1);
      owner.runUntil(() -> low.contains(true));
      files.setCapacity(Long.MAX_VALUE / 4);
      RecordBatch again = Batches.batch(1, 1, 2, 5000, 200);
      owner.appendDurably(again);
      assertThat(owner.state.durableEnd()).isEqualTo(2);
      assertThat(owner.readAll().get(1).bytes()).isEqualTo(again.bytes());
      owner.runUntil(() -> low.size() == 2 && !low.get(1));
      assertThat(owner.failures).isEmpty();
    }
    try (DiskWal wal = open(WalOptions.DEFAULT)) {
      assertThat(owner.state.writtenEnd()).isEqualTo(2);
      assertThat(owner.state.lastEpoch()).isEqualTo(2);
    }
  }

  @Test
  void shouldMakeRoomByRetentionOnAFullDisk() {
    try (DiskWal wal = open(new WalOptions(1 << 20, 1, FlushPolicy.COMMIT, 10))) {
      for (int i = 0; i < 5; i++) {
        owner.appendDurably(Batches.batch(i, 1, 1, 1000L * i, 400));
      }
      files.setCapacity(files.used());
      owner.retain(5, 2500, Long.MAX_VALUE);
      assertThat(owner.state.logStart()).isEqualTo(3);
      owner.appendDurably(Batches.batch(5, 1, 1, 4000, 100));
      assertThat(owner.state.durableEnd()).isEqualTo(6);
    }
  }

  @Test
  void shouldFailTheLogOnceWhenAForceFailsAndNeverForceAgain() {
    try (DiskWal wal = open(WalOptions.DEFAULT)) {
      owner.appendDurably(Batches.batch(0));
      files.failForces(path -> path.toString().endsWith(".log"));
      owner.append(Batches.batch(1));
      owner.runUntil(() -> !owner.failures.isEmpty());
      files.failForces(path -> false);
      assertThat(owner.state.durableEnd()).isEqualTo(1);
      owner.append(Batches.batch(2));
      assertThatThrownBy(() -> owner.truncateTo(0))
          .isInstanceOfSatisfying(
              WalException.class, e -> assertThat(e.kind()).isEqualTo(WalException.Kind.IO));
      assertThat(owner.failures).hasSize(1);
      assertThat(faults).hasSize(1);
    }
    assertThat(files.forcesAfterFailure()).isZero();
  }

  @Test
  void shouldMoveTheDurableEndByTheFlushPolicy() {
    try (DiskWal wal = open(new WalOptions(1 << 20, 1000, FlushPolicy.INTERVAL, 20))) {
      owner.append(Batches.batch(0));
      owner.runUntil(() -> owner.state.writtenEnd() == 1);
      owner.runUntil(() -> owner.state.durableEnd() == 1);
      owner.log.configure(new WalOptions(1 << 20, 1000, FlushPolicy.OS, 20));
      owner.append(Batches.batch(1));
      owner.runUntil(() -> owner.state.writtenEnd() == 2);
      assertThat(owner.state.durableEnd()).isEqualTo(1);
      assertThat(owner.close().durableEnd()).isEqualTo(2);
    }
  }

  @Test
  void shouldAnswerFullWhenTheQueueIs() {
    DiskOptions tight = new DiskOptions(0, 10, 4, 4, 1, faults::add);
    CommandQueue queue = new CommandQueue(tight.maxQueuedCommands(), tight.maxQueuedBytes());
    try (DiskWal wal = open(WalOptions.DEFAULT)) {
      RecordBatch batch = Batches.batch(0);
      assertThat(queue.offer(new CommandQueue.Command.Append(null, batch))).isTrue();
      assertThat(queue.offer(new CommandQueue.Command.Append(null, batch))).isFalse();
      assertThat(queue.queuedBytes()).isEqualTo(batch.size());
      queue.release(1, batch.size());
      assertThat(queue.offer(new CommandQueue.Command.Append(null, batch))).isTrue();
    }
  }
}
