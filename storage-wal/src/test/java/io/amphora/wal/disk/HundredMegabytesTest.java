package io.amphora.wal.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.wal.RecordBatch;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import io.amphora.wal.Spool;
import io.amphora.wal.WalLog;
import io.amphora.wal.WalOptions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A message of 100 MiB on a real disk, spooled, appended, read, and recovered: no step of it takes
 * more than a mebibyte at once, and what is left of it in memory is its head.
 */
class HundredMegabytesTest {

  private static final int PIECE = 1 << 20;
  private static final int PIECES = 100;

  @TempDir Path data;
  private final MeteredFiles files = new MeteredFiles();
  private final LogOwner owner = new LogOwner();

  @Test
  void shouldPassThroughWithoutBeingInMemory() {
    CRC32C sent = new CRC32C();
    try (DiskWal wal = DiskWal.open(files, data, DiskOptions.DEFAULT.withReserve(0))) {
      owner.open(wal, Batches.name(0), WalOptions.DEFAULT);
      Spool spool = spool(wal, sent);
      RecordBatchBuilder builder =
          new RecordBatchBuilder(0)
              .addSpooled(RecordFields.NONE, Batches.NONE, Batches.NONE.duplicate(), spool);
      assertThat(builder.sizeInBytes()).isGreaterThan(PIECES * PIECE);
      assertThat(builder.heldBytes()).isLessThan(1000);
      RecordBatch batch = builder.seal(0, 1, 1000);
      assertThat(batch.array().length).isLessThan(1000);
      owner.appendDurably(batch);
      check(sent);
    }
    assertThat(files.largest()).isLessThanOrEqualTo(PIECE);
  }

  @Test
  void shouldBeRecoveredWithoutBeingInMemory() {
    CRC32C sent = new CRC32C();
    DiskWal killed = DiskWal.open(files, data, DiskOptions.DEFAULT.withReserve(0));
    owner.open(killed, Batches.name(0), WalOptions.DEFAULT);
    owner.appendDurably(
        new RecordBatchBuilder(0)
            .addSpooled(
                RecordFields.NONE, Batches.NONE, Batches.NONE.duplicate(), spool(killed, sent))
            .seal(0, 1, 1000));
    killed.close();
    MeteredFiles again = new MeteredFiles();
    forgetThatItWasClosed(again);
    try (DiskWal wal = DiskWal.open(again, data, DiskOptions.DEFAULT.withReserve(0))) {
      owner.open(wal, Batches.name(0), WalOptions.DEFAULT);
      assertThat(owner.opened.unclean()).isTrue();
      assertThat(owner.state.writtenEnd()).isEqualTo(1);
      check(sent);
    }
    assertThat(again.largest()).isLessThanOrEqualTo(PIECE);
  }

  /** So that the start scans the whole segment. */
  private void forgetThatItWasClosed(MeteredFiles again) {
    PartitionFolder folder =
        new PartitionFolder(
            again, data.resolve("logs").resolve(PartitionFolder.nameOf(Batches.name(0))));
    try {
      again.delete(data.resolve("clean-shutdown"));
      folder.deleteIndex(0);
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  private Spool spool(DiskWal wal, CRC32C sent) {
    Spool spool = wal.openSpool(owner::post).orThrow();
    byte[] piece = new byte[PIECE];
    for (int i = 0; i < PIECES; i++) {
      Arrays.fill(piece, (byte) (i + 1));
      sent.update(piece);
      owner.<Long>await(done -> spool.write(piece, 0, PIECE, done));
    }
    return spool;
  }

  private void check(CRC32C sent) {
    RecordBatch batch = owner.read(0).get(0);
    assertThat(batch.isHeadOnly()).isTrue();
    assertThat(batch.array().length).isLessThan(1000);
    CRC32C read = new CRC32C();
    for (int i = 0; i < PIECES; i++) {
      long from = (long) i * PIECE;
      byte[] piece =
          owner.await(done -> owner.log.readBody(0, from, WalLog.MAX_BODY_READ_BYTES, done));
      assertThat(piece).hasSize(PIECE);
      read.update(piece);
    }
    assertThat(read.getValue()).isEqualTo(sent.getValue());
  }
}
