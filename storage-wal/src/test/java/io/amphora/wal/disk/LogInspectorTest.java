package io.amphora.wal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.wal.BatchFormat;
import io.amphora.wal.FlushPolicy;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import io.amphora.wal.WalOptions;
import io.amphora.wal.codec.Compression;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything that was damaged on purpose is named, with file and position, and nothing else. */
class LogInspectorTest {

  private static final Path DATA = Path.of("/data");
  private static final WalOptions OPTIONS = new WalOptions(64 << 20, 1000, FlushPolicy.COMMIT, 10);
  private static final Path FOLDER =
      DATA.resolve("logs").resolve(PartitionFolder.nameOf(Batches.name(0)));
  private static final int SIZE = Batches.batch(0).size();

  private final List<RecordBatch> written = new ArrayList<>();

  /** Three segments of ten batches: offsets 0, 10, 20, of epochs 1, 2, 2. */
  private SimulatedFiles disk(boolean closedProperly) {
    SimulatedFiles disk = new SimulatedFiles();
    try (DiskWal wal = DiskWal.open(disk, DATA, DiskOptions.DEFAULT)) {
      LogOwner owner = new LogOwner();
      owner.open(wal, Batches.name(0), OPTIONS);
      for (int i = 0; i < 30; i++) {
        long time = 10_000 + 2000L * (i / 10);
        RecordBatch batch =
            i % 10 == 5
                ? Batches.packed(Compression.ZSTD, i, 1, i < 5 ? 1 : 2, time)
                : Batches.batch(i, 1, i < 5 ? 1 : 2, time, 400);
        written.add(batch);
        owner.append(batch);
      }
      owner.awaitDurable(30);
      if (!closedProperly) {
        return disk.afterKill();
      }
    }
    return disk.afterKill();
  }

  private static LogReport verify(SimulatedFiles disk) throws IOException {
    try (LogInspector inspector = new LogInspector(disk, DATA, () -> {})) {
      assertThat(inspector.logs()).containsExactly(Batches.name(0));
      return inspector.verify(Batches.name(0));
    }
  }

  private static Path log(long base) {
    return new PartitionFolder(new SimulatedFiles(), FOLDER).logFile(base);
  }

  /** Where a batch starts in its segment. */
  private int position(int batch) {
    return written.subList(batch / 10 * 10, batch).stream().mapToInt(RecordBatch::size).sum();
  }

  private static void flip(SimulatedFiles disk, Path file, int at) {
    byte[] bytes = disk.content(file);
    bytes[at] ^= 1;
    disk.setContent(file, bytes);
  }

  @Test
  void shouldFindNothingWrongAfterAProperStop() throws Exception {
    LogReport report = verify(disk(true));
    assertThat(report.damages()).isEmpty();
    assertThat(report.remarks()).isEmpty();
    assertThat(report.segments()).isEqualTo(3);
    long bytes = written.stream().mapToLong(RecordBatch::size).sum();
    long plain = written.stream().mapToLong(b -> b.plainSize() + BatchFormat.HEADER_SIZE).sum();
    assertThat(report.contents()).isEqualTo(new LogReport.Contents(0, 30, 30, 30, bytes, plain));
    assertThat(plain).isGreaterThan(bytes);
  }

  @Test
  void shouldFindNothingWrongAfterAKillAndChangeNothing() throws Exception {
    SimulatedFiles disk = disk(false);
    long before = disk.changes();
    LogReport report = verify(disk);
    assertThat(report.damages()).isEmpty();
    assertThat(report.contents().endOffset()).isEqualTo(30);
    assertThat(disk.changes()).isEqualTo(before);
  }

  @Test
  void shouldNameDamageInAClosedSegmentAndGoOnBehindIt() throws Exception {
    SimulatedFiles disk = disk(true);
    flip(disk, log(10), position(13) + 100);
    flip(disk, log(10), position(17) + 100);
    LogReport report = verify(disk);
    assertThat(report.damages())
        .extracting(LogReport.Damage::file, LogReport.Damage::position)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(log(10), (long) position(13)),
            org.assertj.core.groups.Tuple.tuple(log(10), (long) position(17)));
    assertThat(report.damages().get(0).text())
        .contains(log(10) + " is damaged at position " + position(13), "checksum", "offset 13");
    assertThat(report.contents().batches()).isEqualTo(28);
    assertThat(report.contents().endOffset()).isEqualTo(30);
  }

  @Test
  void shouldNameCompressedRecordsThatCannotBeReadBehindAGoodChecksum() throws Exception {
    SimulatedFiles disk = disk(true);
    byte[] bytes = disk.content(log(10));
    bytes[position(15) + BatchFormat.PACKED + 1] ^= 0x55;
    CompressedLogTest.fixChecksum(bytes, position(15), written.get(15).size());
    disk.setContent(log(10), bytes);
    assertThat(verify(disk).damages())
        .singleElement()
        .satisfies(
            damage -> {
              assertThat(damage.position()).isEqualTo(position(15));
              assertThat(damage.text()).contains("compressed records", "offset 15");
            });
  }

  @Test
  void shouldNameWhatIsMissing() throws Exception {
    SimulatedFiles disk = disk(true);
    byte[] bytes = disk.content(log(10));
    disk.setContent(log(10), Arrays.copyOf(bytes, position(18)));
    new PartitionFolder(disk, FOLDER).deleteIndex(10);
    LogReport report = verify(disk);
    assertThat(report.damages())
        .singleElement()
        .satisfies(d -> assertThat(d.text()).contains("offsets from 18 to 20 are missing"));
    assertThat(report.remarks()).singleElement().asString().contains("no usable index");
  }

  @Test
  void shouldNameALostSegment() throws Exception {
    SimulatedFiles disk = disk(true);
    new PartitionFolder(disk, FOLDER).deleteSegment(10);
    assertThat(verify(disk).damages())
        .anySatisfy(d -> assertThat(d.text()).contains("offsets from 10 to 20 are missing"));
  }

  @Test
  void shouldTellATornEndFromDamage() throws Exception {
    SimulatedFiles torn = disk(false);
    byte[] bytes = torn.content(log(20));
    torn.setContent(log(20), Arrays.copyOf(bytes, position(29) + 100));
    LogReport report = verify(torn);
    assertThat(report.damages()).isEmpty();
    assertThat(report.contents().endOffset()).isEqualTo(29);
    assertThat(report.remarks())
        .singleElement()
        .asString()
        .contains("torn write at position " + position(29));

    SimulatedFiles closed = disk(true);
    closed.setContent(log(20), Arrays.copyOf(closed.content(log(20)), position(29) + 100));
    assertThat(verify(closed).damages())
        .anySatisfy(d -> assertThat(d.text()).contains("lost bytes since the log was closed"));

    SimulatedFiles damaged = disk(false);
    flip(damaged, log(20), position(24) + 100);
    assertThat(verify(damaged).damages())
        .singleElement()
        .satisfies(d -> assertThat(d.position()).isEqualTo(position(24)));
  }

  @Test
  void shouldCompareIndexesEpochsAndTheSmallFiles() throws Exception {
    SimulatedFiles disk = disk(true);
    PartitionFolder folder = new PartitionFolder(disk, FOLDER);
    IndexFiles.Loaded good = IndexFiles.load(disk, folder, 0).orElseThrow();
    SegmentIndex wrong = new SegmentIndex(2);
    wrong.add(0, 0, Long.MIN_VALUE);
    wrong.add(3, 2 * SIZE, 10_000);
    IndexFiles.store(
        disk,
        folder,
        0,
        new IndexFiles.Loaded(
            wrong,
            new IndexFiles.Summary(
                2,
                good.summary().covered(),
                good.summary().endOffset(),
                good.summary().firstTime(),
                good.summary().maxTime())));
    assertThat(verify(disk).damages())
        .isNotEmpty()
        .allSatisfy(d -> assertThat(d.file()).isEqualTo(folder.indexFile(0)));
    IndexFiles.store(disk, folder, 0, good);
    assertThat(verify(disk).damages()).isEmpty();

    flip(disk, folder.timeIndexFile(10), 5);
    assertThat(verify(disk).damages())
        .singleElement()
        .satisfies(d -> assertThat(d.text()).contains("cannot be used; it is rebuilt"));
    flip(disk, folder.timeIndexFile(10), 5);

    folder.writeEpochs(EpochHistory.EMPTY.with(1, 0).with(2, 7));
    assertThat(verify(disk).damages())
        .extracting(d -> d.text())
        .anySatisfy(t -> assertThat(t).contains("lacks epoch 2 from offset 5"))
        .anySatisfy(t -> assertThat(t).contains("has epoch 2 at offset 7"));
    folder.writeEpochs(EpochHistory.EMPTY.with(1, 0).with(2, 5));
    assertThat(verify(disk).damages()).isEmpty();

    disk.setContent(FOLDER.resolve(PartitionFolder.META), new byte[] {1, 2, 3});
    assertThat(verifyAny(disk).damages())
        .singleElement()
        .satisfies(d -> assertThat(d.file()).isEqualTo(FOLDER.resolve(PartitionFolder.META)));
  }

  /** Without its metadata a log goes by the name of its folder. */
  private static LogReport verifyAny(SimulatedFiles disk) throws IOException {
    try (LogInspector inspector = new LogInspector(disk, DATA, () -> {})) {
      return inspector.verify(inspector.logs().get(0));
    }
  }

  @Test
  void shouldWalkFromAnOffsetPastDamage() throws Exception {
    SimulatedFiles disk = disk(true);
    flip(disk, log(10), position(13) + 100);
    List<String> seen = new ArrayList<>();
    try (LogInspector inspector = new LogInspector(disk, DATA, () -> {})) {
      inspector.walk(
          Batches.name(0),
          8,
          new LogInspector.Visitor() {
            @Override
            public boolean onBatch(RecordBatch batch, Path file, long position) {
              seen.add(batch.baseOffset() + "@" + position);
              batch.forEach(record -> assertThat(record.offset()).isEqualTo(batch.baseOffset()));
              return batch.baseOffset() < 15;
            }

            @Override
            public void onDamage(String text) {
              seen.add(text.replaceAll(".* at (position \\d+):.*", "$1"));
            }
          });
    }
    assertThat(seen)
        .containsExactly(
            "8@" + position(8),
            "9@" + position(9),
            "10@0",
            "11@" + position(11),
            "12@" + position(12),
            "position " + position(13),
            "14@" + position(14),
            "15@" + position(15));
  }

  @Test
  void shouldRefuseADirectoryThatABrokerUsesOrThatIsNone(@TempDir Path dir) throws Exception {
    assertThatThrownBy(() -> LogInspector.open(dir))
        .isInstanceOfSatisfying(
            WalException.class, e -> assertThat(e.kind()).isEqualTo(WalException.Kind.IO));
    DiskWal wal = DiskWal.open(dir, DiskOptions.DEFAULT);
    assertThatThrownBy(() -> LogInspector.open(dir))
        .isInstanceOfSatisfying(
            WalException.class, e -> assertThat(e.kind()).isEqualTo(WalException.Kind.LOCKED));
    wal.close();
    try (LogInspector inspector = LogInspector.open(dir)) {
      assertThat(inspector.logs()).isEmpty();
      assertThatThrownBy(() -> DiskWal.open(dir, DiskOptions.DEFAULT))
          .as("nobody starts meanwhile")
          .isInstanceOf(WalException.class);
    }
    DiskWal.open(dir, DiskOptions.DEFAULT).close();
  }
}
