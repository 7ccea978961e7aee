package io.amphora.wal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.wal.FlushPolicy;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import io.amphora.wal.WalOptions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Faults that other brokers had in restart, damage and retention, one test each. */
class FieldBugsTest {

  private static final Path DATA = Path.of("/data");
  private static final long NEVER = Long.MIN_VALUE;

  /** A new segment whenever the timestamp advances by 1,000. */
  private static final WalOptions ROLLING = new WalOptions(1 << 20, 1000, FlushPolicy.COMMIT, 10);

  private final SimulatedFiles files = new SimulatedFiles();
  private final LogOwner owner = new LogOwner();

  private static Path folder() {
    return DATA.resolve("logs").resolve(PartitionFolder.nameOf(Batches.name(0)));
  }

  private static Path log(int base) {
    return new PartitionFolder(new SimulatedFiles(), folder()).logFile(base);
  }

  private DiskWal openOn(SimulatedFiles disk) {
    DiskWal wal = DiskWal.open(disk, DATA, DiskOptions.DEFAULT);
    try {
      owner.open(wal, Batches.name(0), ROLLING);
      return wal;
    } catch (RuntimeException e) {
      wal.close();
      throw e;
    }
  }

  /** Three segments of ten batches: offsets 0, 10, 20. */
  private void fill() {
    for (int i = 0; i < 30; i++) {
      owner.append(Batches.batch(i, 1, 1 + i / 15, 10_000 + 1000L * (i / 10), 400));
    }
    owner.awaitDurable(30);
  }

  private SimulatedFiles filled(boolean clean) {
    DiskWal wal = openOn(files);
    fill();
    if (clean) {
      wal.close();
      return files.afterKill();
    }
    SimulatedFiles killed = files.afterKill();
    wal.close();
    return killed;
  }

  private static void damage(SimulatedFiles disk, Path file, UnaryOperator<byte[]> change) {
    disk.setContent(file, change.apply(disk.content(file)));
  }

  private static UnaryOperator<byte[]> flip(int at) {
    return bytes -> {
      bytes[at] ^= 0x10;
      return bytes;
    };
  }

  private static WalException failureOf(ThrowingCallable call) {
    WalException[] found = new WalException[1];
    assertThatThrownBy(call).isInstanceOfSatisfying(WalException.class, e -> found[0] = e);
    return found[0];
  }

  @Test
  void b121ShouldReportAFlippedByteInAClosedSegmentAndReadTheRest() {
    int size = Batches.batch(0, 1, 1, 0, 400).size();
    SimulatedFiles clean = filled(true);
    for (int at : new int[] {3 * size + 200, 3 * size + 2}) { // in the body, in the length
      SimulatedFiles disk = clean.afterKill();
      damage(disk, log(0), flip(at));
      try (DiskWal wal = openOn(disk)) {
        assertThat(owner.read(0)).hasSize(3);
        WalException error = failureOf(() -> owner.read(3));
        assertThat(error.kind()).isEqualTo(WalException.Kind.CORRUPT);
        assertThat(error).hasMessageContaining(log(0) + " is damaged at position " + 3 * size);
        for (long i = 4; i < 30; i++) {
          assertThat(owner.read(i).get(0).baseOffset()).isEqualTo(i);
        }
        assertThat(owner.<Long>await(done -> owner.log.offsetForTime(11_000, done))).isEqualTo(10);
      }
    }
  }

  @Test
  void b121ShouldRefuseToOpenWhenTheNewestSegmentIsDamagedBeforeItsTail() {
    SimulatedFiles disk = filled(false);
    damage(disk, log(20), flip(300));
    byte[] before = disk.content(log(20));
    WalException error = failureOf(() -> openOn(disk).close());
    assertThat(error.kind()).isEqualTo(WalException.Kind.CORRUPT);
    assertThat(error).hasMessageContaining(log(20).toString()).hasMessageContaining("offset 20");
    assertThat(disk.content(log(20))).isEqualTo(before);
  }

  @Test
  void b122ShouldRefuseALogWithDamagedMetadataAndDeleteNothing() {
    for (UnaryOperator<byte[]> change :
        List.<UnaryOperator<byte[]>>of(flip(20), bytes -> Arrays.copyOf(bytes, 9))) {
      SimulatedFiles disk = new SimulatedFiles();
      DiskWal first = openOn(disk);
      fill();
      first.close();
      Path meta = folder().resolve(PartitionFolder.META);
      damage(disk, meta, change);
      List<Path> paths = disk.paths();
      for (int i = 0; i < 3; i++) {
        WalException error = failureOf(() -> openOn(disk).close());
        assertThat(error.kind()).isEqualTo(WalException.Kind.CORRUPT);
        assertThat(error).hasMessageContaining(meta.toString());
      }
      assertThat(disk.paths())
          .containsAll(paths.stream().filter(p -> p.startsWith(folder())).toList());
    }
  }

  @Test
  void b124ShouldRebuildTheEpochsWhenTheirFileIsDamagedOrMissing() {
    for (boolean clean : new boolean[] {true, false}) {
      SimulatedFiles disk = new SimulatedFiles();
      DiskWal first = openOn(disk);
      fill();
      SimulatedFiles killed = disk.afterKill();
      first.close();
      SimulatedFiles next = clean ? disk.afterKill() : killed;
      next.setContent(folder().resolve("epochs"), new byte[] {1, 2, 3});
      try (DiskWal wal = openOn(next)) {
        assertThat(owner.log.epochs())
            .extracting(e -> e.epoch() + "@" + e.offset())
            .containsExactly("1@0", "2@15");
        owner.truncateTo(15);
        assertThat(owner.state.lastEpoch()).isEqualTo(1);
      }
      try (DiskWal wal = openOn(next)) {
        assertThat(owner.log.epochs()).extracting(e -> e.epoch()).containsExactly(1);
        owner.truncateBefore(15);
        assertThat(owner.state.lastEpoch()).as("survives retention").isEqualTo(1);
      }
      try (DiskWal wal = openOn(next)) {
        assertThat(owner.state.lastEpoch()).isEqualTo(1);
        assertThat(owner.state.logStart()).isEqualTo(15);
      }
    }
  }

  @Test
  void b125ShouldScanAgainAfterAKillRightAfterACleanStart() {
    SimulatedFiles disk = filled(true);
    DiskWal wal = DiskWal.open(disk, DATA, DiskOptions.DEFAULT);
    SimulatedFiles killed = disk.afterKill();
    wal.close();
    damage(killed, log(20), bytes -> Arrays.copyOf(bytes, bytes.length - 50));
    try (DiskWal again = openOn(killed)) {
      assertThat(owner.opened.unclean()).isTrue();
      assertThat(owner.state.writtenEnd()).isEqualTo(29);
    }
  }

  @Test
  void b127ShouldRebuildDamagedIndexesAndCutATornTail() {
    SimulatedFiles disk = filled(false);
    PartitionFolder folder = new PartitionFolder(disk, folder());
    damage(disk, folder.indexFile(0), flip(4));
    damage(disk, folder.timeIndexFile(10), bytes -> new byte[1000]);
    damage(disk, log(20), bytes -> Arrays.copyOf(bytes, bytes.length - 7));
    try (DiskWal wal = openOn(disk)) {
      assertThat(owner.opened.unclean()).isTrue();
      assertThat(owner.state.writtenEnd()).isEqualTo(29);
      assertThat(owner.readAll()).hasSize(29);
      owner.appendDurably(Batches.batch(29, 1, 2, 12_500, 10));
    }
    try (DiskWal wal = openOn(disk)) {
      assertThat(owner.opened.unclean()).isFalse();
      assertThat(owner.readAll()).hasSize(30);
    }
  }

  @Test
  void b133ShouldComeDownToASizeBelowTheSegmentSize() {
    try (DiskWal wal = openOn(files)) {
      long next = 0;
      long size = Batches.batch(0, 1, 1, 10_000, 400).size();
      for (int turn = 0; turn < 10; turn++) {
        for (int i = 0; i < 5; i++) {
          owner.appendDurably(Batches.batch(next++, 1, 1, 10_000, 400));
        }
        owner.retain(next, NEVER, size * 8);
        assertThat(owner.state.bytes()).isLessThanOrEqualTo(size * 13);
      }
      assertThat(owner.state.logStart()).isPositive();
      assertThat(owner.readAll()).isNotEmpty();
    }
  }

  @Test
  void b134ShouldDeleteByAppendTimeWhateverAClockOnceSaid() {
    try (DiskWal wal = openOn(files)) {
      owner.appendDurably(Batches.batch(0, 1, 1, Long.MAX_VALUE, 400));
      owner.appendDurably(Batches.batch(1, 1, 1, 20_000, 400));
      owner.log.configure(new WalOptions(1 << 20, 1, FlushPolicy.COMMIT, 10));
      owner.appendDurably(Batches.batch(2, 1, 1, 30_000, 400));
      owner.appendDurably(Batches.batch(3, 1, 1, 40_000, 400));
      owner.retain(4, 35_000, Long.MAX_VALUE);
      assertThat(owner.state.logStart()).isEqualTo(3);
    }
  }

  @Test
  void shouldStopAtStaleBytesThatLookValid() {
    SimulatedFiles disk = filled(false);
    byte[] stale = bytesOf(Batches.batch(25, 1, 2, 12_000, 400));
    byte[] oldEpoch = bytesOf(Batches.batch(30, 1, 1, 12_000, 400));
    for (byte[] tail : List.of(stale, oldEpoch)) {
      SimulatedFiles copy = disk.afterKill();
      damage(copy, log(20), bytes -> concat(bytes, tail));
      try (DiskWal wal = openOn(copy)) {
        assertThat(owner.state.writtenEnd()).isEqualTo(30);
        assertThat(owner.readAll()).hasSize(30);
      }
    }
  }

  private static byte[] bytesOf(RecordBatch batch) {
    return Arrays.copyOfRange(batch.array(), batch.arrayStart(), batch.arrayStart() + batch.size());
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
