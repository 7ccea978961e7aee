package io.amphora.wal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.wal.BatchFormat;
import io.amphora.wal.FlushPolicy;
import io.amphora.wal.LogRecord;
import io.amphora.wal.ReadResult;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import io.amphora.wal.WalException;
import io.amphora.wal.WalOptions;
import io.amphora.wal.codec.Compression;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** A log in which compressed and plain batches follow each other. */
class CompressedLogTest {

  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER =
      DATA.resolve("logs").resolve(PartitionFolder.nameOf(Batches.name(0)));
  private static final WalOptions LARGE = new WalOptions(64 << 20, 1000, FlushPolicy.COMMIT, 10);

  private final SimulatedFiles disk = new SimulatedFiles();
  private LogOwner owner = new LogOwner();

  private DiskWal open(SimulatedFiles files) {
    DiskWal wal = DiskWal.open(files, DATA, DiskOptions.DEFAULT);
    owner = new LogOwner();
    owner.open(wal, Batches.name(0), LARGE);
    return wal;
  }

  /** Thirty batches of four records; every third is plain; each second batch a later time. */
  private List<RecordBatch> fill() {
    List<RecordBatch> batches = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      Compression how = Compression.values()[i % 3];
      RecordBatch batch = Batches.packed(how, i * 4L, 4, 1, 10_000 + 10L * (i / 2));
      assertThat(batch.compression()).isEqualTo(how);
      batches.add(batch);
      owner.append(batch);
    }
    owner.awaitDurable(120);
    return batches;
  }

  private static String text(LogRecord record) {
    return StandardCharsets.UTF_8.decode(record.body()).toString();
  }

  @Test
  void shouldReadFromEveryOffsetAlsoAfterARestart() {
    DiskWal first = open(disk);
    List<RecordBatch> written = fill();
    SimulatedFiles killed = disk.afterKill();
    first.close();
    try (DiskWal wal = open(killed)) {
      assertThat(owner.state.writtenEnd()).isEqualTo(120);
      for (long offset = 0; offset < 120; offset++) {
        RecordBatch found = owner.read(offset).get(0);
        assertThat(found.bytes()).isEqualTo(written.get((int) offset / 4).bytes());
        List<String> texts = new ArrayList<>();
        for (LogRecord record : found) {
          texts.add(text(record));
          assertThat(record.timestamp()).isEqualTo(found.firstTimestamp());
        }
        assertThat(texts).hasSize(4);
        assertThat(texts.get((int) offset % 4))
            .startsWith("message " + offset / 4 * 4 + "/" + offset % 4);
      }
    }
  }

  @Test
  void shouldFindTimesCutAndRetain() {
    try (DiskWal wal = open(disk)) {
      fill();
      long found = owner.<Long>await(done -> owner.log.offsetForTime(10_055, done));
      assertThat(found).isEqualTo(48);
      owner.truncateTo(82);
      assertThat(owner.state.writtenEnd()).as("whole batches go").isEqualTo(80);
      owner.appendDurably(Batches.packed(Compression.ZSTD, 80, 4, 2, 12_000));
      owner.truncateBefore(42);
      assertThat(owner.read(42).get(0).baseOffset()).isEqualTo(40);
      owner.retain(84, 13_000, Long.MAX_VALUE);
      assertThat(owner.state.logStart()).isEqualTo(84);
    }
  }

  /** A few bytes on disk may be many in memory: those are what a read is bounded by. */
  @Test
  void shouldBoundAReadByWhatItTakesInMemory() {
    try (DiskWal wal = open(disk)) {
      fill();
      int plain = owner.read(0).get(0).plainSize() + BatchFormat.HEADER_SIZE;
      List<RecordBatch> read =
          owner.<ReadResult>await(d -> owner.log.read(0, Long.MAX_VALUE, 5 * plain, d)).batches();
      assertThat(read).hasSizeBetween(4, 5);
    }
  }

  /**
   * Large also in its compressed form: it is read as a whole, not as the head of a large record.
   */
  @Test
  void shouldReadALargeCompressedRecord() {
    byte[] body = new byte[4_000_000];
    new Random(1).nextBytes(body);
    Arrays.fill(body, 0, 1_500_000, (byte) 7);
    RecordBatch batch =
        new RecordBatchBuilder(64)
            .add(RecordFields.NONE, Batches.NONE, Batches.NONE, ByteBuffer.wrap(body))
            .compress(Compression.LZ4)
            .seal(0, 1, 1);
    assertThat(batch.compression()).isEqualTo(Compression.LZ4);
    assertThat(batch.size()).isGreaterThan(RecordBatch.LARGE_BYTES);
    DiskWal first = open(disk);
    owner.appendDurably(batch);
    SimulatedFiles killed = disk.afterKill();
    first.close();
    try (DiskWal wal = open(killed)) {
      LogRecord record = owner.read(0).get(0).iterator().next();
      assertThat(record.isWhole()).isTrue();
      assertThat(record.body()).isEqualTo(ByteBuffer.wrap(body));
    }
  }

  /** The checksum fits, the compressed bytes do not: told like any damage, and not handed out. */
  @Test
  void shouldNameDamageBehindACorrectChecksum() {
    DiskWal first = open(disk);
    List<RecordBatch> written = fill();
    int position = written.subList(0, 10).stream().mapToInt(RecordBatch::size).sum();
    SimulatedFiles killed = disk.afterKill();
    first.close();
    Path file = new PartitionFolder(killed, FOLDER).logFile(0);
    byte[] bytes = killed.content(file);
    bytes[position + BatchFormat.PACKED + 2] ^= 0x55;
    fixChecksum(bytes, position, written.get(10).size());
    killed.setContent(file, bytes);
    try (DiskWal wal = open(killed)) {
      assertThat(owner.read(36)).as("up to the damage").hasSize(1);
      assertThatThrownBy(() -> owner.read(41))
          .isInstanceOfSatisfying(
              WalException.class, e -> assertThat(e.kind()).isEqualTo(WalException.Kind.CORRUPT))
          .hasMessageContaining(file.toString())
          .hasMessageContaining("position " + position + ":");
      assertThat(owner.read(44).get(0).baseOffset()).isEqualTo(44);
    }
  }

  static void fixChecksum(byte[] bytes, int position, int size) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, position + BatchFormat.MAGIC_BYTE, size - BatchFormat.MAGIC_BYTE);
    ByteBuffer.wrap(bytes).putInt(position + BatchFormat.CRC, (int) crc.getValue());
  }
}
