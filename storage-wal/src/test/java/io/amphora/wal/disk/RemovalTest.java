package io.amphora.wal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.wal.EpochStart;
import io.amphora.wal.FlushPolicy;
import io.amphora.wal.LogName;
import io.amphora.wal.ReadResult;
import io.amphora.wal.WalException;
import io.amphora.wal.WalOptions;
import io.amphora.wal.WalResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What readers and a crash see while segments and logs go away. */
class RemovalTest {

  private static final Path DATA = Path.of("/data");
  private static final WalOptions ROLLING = new WalOptions(1 << 20, 1000, FlushPolicy.COMMIT, 10);

  private final SimulatedFiles files = new SimulatedFiles();
  private LogOwner owner = new LogOwner();

  private DiskWal open(SimulatedFiles disk, LogName name) {
    DiskWal wal = DiskWal.open(disk, DATA, DiskOptions.DEFAULT);
    owner = new LogOwner();
    owner.open(wal, name, ROLLING);
    return wal;
  }

  /** Three segments of ten batches: offsets 0, 10, 20. */
  private void fill() {
    for (int i = 0; i < 30; i++) {
      owner.append(Batches.batch(i, 1, 1, 10_000 + 1000L * (i / 10), 400));
    }
    owner.awaitDurable(30);
  }

  @Test
  void shouldLetGoOfErasedSegmentsThatWereRead() {
    try (DiskWal wal = open(files, Batches.name(0))) {
      fill();
      owner.readAll();
      owner.retain(30, 12_000, Long.MAX_VALUE);
      assertThat(owner.state.logStart()).isEqualTo(20);
      assertThat(owner.read(25)).isNotEmpty();
      assertThat(files.openWithoutName()).isZero();
    }
  }

  @Test
  void shouldLetGoOfADeletedLogThatWasRead() {
    try (DiskWal wal = open(files, Batches.name(0))) {
      fill();
      owner.readAll();
      owner.<LogName>await(done -> wal.delete(Batches.name(0), owner::post, done));
      assertThatThrownBy(() -> owner.read(0)).isInstanceOf(WalException.class);
      assertThat(files.openWithoutName()).isZero();
    }
  }

  /** The files go one by one; a read in between is told that its offset is gone, never an error. */
  @Test
  void shouldTellReadersThatRetentionWasFaster() {
    List<WalResult<ReadResult>> results = new ArrayList<>();
    try (DiskWal wal = open(files, Batches.name(0))) {
      fill();
      files.onDelete(
          path -> {
            if (path.toString().endsWith(".log")) {
              CompletableFuture<WalResult<ReadResult>> answer = new CompletableFuture<>();
              owner.log.read(0, 30, 1000, answer::complete);
              results.add(answer.join());
            }
          });
      owner.retain(30, 12_000, Long.MAX_VALUE);
      files.onDelete(path -> {});
    }
    assertThat(results).isNotEmpty();
    for (WalResult<ReadResult> result : results) {
      assertThat(result)
          .isInstanceOfSatisfying(
              WalResult.Failed.class,
              f -> assertThat(f.error().kind()).isEqualTo(WalException.Kind.OUT_OF_RANGE));
    }
  }

  @Test
  void shouldKnowTheEpochsWhereverThePowerGoesOffInATruncation() {
    for (long at = 0; at < 20; at++) {
      SimulatedFiles disk = new SimulatedFiles();
      DiskWal wal = open(disk, Batches.name(0));
      for (int i = 0; i < 20; i++) {
        owner.append(Batches.batch(i, 1, 1 + i / 10, i < 5 ? 10_000 : 11_000, 900));
      }
      owner.awaitDurable(20);
      disk.crashAfter(at);
      try {
        owner.truncateTo(17);
      } catch (WalException e) {
        assertThat(disk.isOff()).isTrue();
      }
      disk.powerOff();
      wal.close();
      for (int seed = 0; seed < 4; seed++) {
        DiskWal again = open(disk.afterPowerLoss(SectorLoss.coins(at, seed)), Batches.name(0));
        assertThat(owner.log.epochs())
            .as("change %d seed %d", at, seed)
            .containsExactly(new EpochStart(1, 0), new EpochStart(2, 10));
        again.close();
      }
    }
  }
}
