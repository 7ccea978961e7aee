package io.amphora.wal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.wal.FlushPolicy;
import io.amphora.wal.LogRecord;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import io.amphora.wal.WalOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Large records: in through a spool, out head first and then piece by piece. */
class LargeRecordTest {

  private static final Path DATA = Path.of("/data");
  private static final WalOptions OPTIONS =
      new WalOptions(16 << 20, 1_000_000, FlushPolicy.COMMIT, 10);
  private static final int LARGE = 3_000_000;
  private static final Path FOLDER =
      DATA.resolve("logs").resolve(PartitionFolder.nameOf(Batches.name(0)));

  private SimulatedFiles files = new SimulatedFiles();
  private LogOwner owner = new LogOwner();
  private DiskWal wal = open(OPTIONS);

  private DiskWal open(WalOptions options) {
    DiskWal opened = DiskWal.open(files, DATA, DiskOptions.DEFAULT.withReserve(0));
    owner = new LogOwner();
    owner.open(opened, Batches.name(0), options);
    return opened;
  }

  @AfterEach
  void close() {
    wal.close();
    assertThat(Spooled.files(files, DATA)).isEmpty();
  }

  private byte[] append(int length) {
    byte[] body = Spooled.body(owner.state.writtenEnd(), length);
    owner.appendDurably(Spooled.batch(wal, owner, owner.state.writtenEnd(), body));
    return body;
  }

  private void settle() {
    owner.<byte[]>await(done -> wal.readDocument("none", owner::post, done));
    owner.runPosted();
  }

  private static Path log(long base) {
    return new PartitionFolder(new SimulatedFiles(), FOLDER).logFile(base);
  }

  private static void assertKind(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, WalException.Kind kind) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(WalException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  @Test
  void shouldStoreTheSameBytesAsABatchInMemory() {
    byte[] body = append(LARGE);
    RecordBatch whole = Spooled.whole(0, 1, 1000, body);
    byte[] stored = files.content(log(0));
    assertThat(stored).startsWith(bytes(whole));
  }

  private static byte[] bytes(RecordBatch batch) {
    byte[] copy = new byte[batch.size()];
    batch.bytes().get(copy);
    return copy;
  }

  @Test
  void shouldReadALargeRecordHeadOnlyAndItsBodyInPieces() {
    owner.appendDurably(Batches.batch(0));
    byte[] body = append(LARGE);
    owner.appendDurably(Batches.batch(2));
    List<RecordBatch> read = owner.read(0);
    assertThat(read).as("a large batch ends a read").hasSize(2);
    RecordBatch batch = read.get(1);
    RecordBatch whole = Spooled.whole(1, 1, 1001, body);
    assertThat(batch.isHeadOnly()).isTrue();
    assertThat(batch.size()).isEqualTo(whole.size());
    assertThat(batch.heldBytes()).isLessThan(200);
    assertThat(batch.array()).hasSize(batch.heldBytes());
    assertThat(batch.spooled()).isEmpty();
    LogRecord record = batch.iterator().next();
    assertThat(record.isWhole()).isFalse();
    assertThat(record.bodyLength()).isEqualTo(LARGE);
    assertThat(record.payloadSize()).isEqualTo(whole.iterator().next().payloadSize());
    assertThat(record.heldSize()).isEqualTo(record.payloadSize() - LARGE);
    assertThat(record.key()).isEqualTo(whole.iterator().next().key());
    assertThat(record.header()).isEqualTo(whole.iterator().next().header());
    assertThat(record.annotations()).isEqualTo(whole.iterator().next().annotations());
    assertThatThrownBy(record::body).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(record::bodyStart).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(batch::bytes).isInstanceOf(IllegalStateException.class);
    assertThat(Spooled.bodyOf(owner, batch)).isEqualTo(body);
    assertThat(owner.readAll()).hasSize(3);
    assertThat(owner.read(2)).hasSize(1);
  }

  @Test
  void shouldReadASpooledRecordThatIsNotLargeAsAWhole() {
    byte[] body = append(1_500_000);
    RecordBatch batch = owner.read(0).get(0);
    assertThat(batch.isHeadOnly()).isFalse();
    assertThat(batch.bytes()).isEqualTo(Spooled.whole(0, 1, 1000, body).bytes());
  }

  @Test
  void shouldReadALargeBatchOfSeveralRecordsAsAWhole() {
    RecordBatch batch = Batches.batch(0, 3, 1, 1000, 1 << 20);
    owner.appendDurably(batch);
    assertThat(owner.read(0).get(0).bytes()).isEqualTo(batch.bytes());
    assertThat(Spooled.piece(owner, 1, 5, 10)).hasSize(10);
  }

  @Test
  void shouldGiveThePieceAskedForAndNothingElse() {
    byte[] body = append(LARGE);
    assertThat(Spooled.piece(owner, 0, 17, 3)).containsExactly(body[17], body[18], body[19]);
    assertThat(Spooled.piece(owner, 0, LARGE - 2, 100)).hasSize(2);
    assertThat(Spooled.piece(owner, 0, LARGE, 100)).isEmpty();
    assertKind(() -> Spooled.piece(owner, 0, LARGE + 1, 1), WalException.Kind.OUT_OF_RANGE);
    assertKind(() -> Spooled.piece(owner, 1, 0, 1), WalException.Kind.OUT_OF_RANGE);
    assertKind(() -> Spooled.piece(owner, -1, 0, 1), WalException.Kind.OUT_OF_RANGE);
  }

  @Test
  void shouldRollForARecordThatDoesNotFitInTheSegment() {
    wal.close();
    wal = open(new WalOptions(4 << 20, 1_000_000, FlushPolicy.COMMIT, 10));
    append(LARGE);
    append(LARGE);
    assertThat(owner.state.segments()).isEqualTo(2);
    assertThat(files.content(log(0)).length).isLessThan(4 << 20);
  }

  @Test
  void shouldMakeALargerSegmentForARecordThatIsLargerThanOne() {
    wal.close();
    wal = open(new WalOptions(1 << 20, 1_000_000, FlushPolicy.COMMIT, 10));
    owner.appendDurably(Batches.batch(0));
    byte[] body = append(LARGE);
    owner.appendDurably(Batches.batch(2));
    assertThat(owner.state.segments()).isEqualTo(3);
    assertThat(files.content(log(1)).length).isGreaterThan(LARGE);
    wal.close();
    files = files.afterKill();
    wal = open(OPTIONS);
    assertThat(owner.readAll()).hasSize(3);
    assertThat(Spooled.bodyOf(owner, owner.read(1).get(0))).isEqualTo(body);
  }

  @Test
  void shouldKeepTheOrderOfWhatIsAppendedBehindACopy() {
    byte[] body = Spooled.body(1, 9 << 20);
    owner.append(Batches.batch(0));
    owner.append(Spooled.batch(wal, owner, 1, body));
    for (int i = 2; i < 200; i++) {
      owner.append(Batches.batch(i));
    }
    owner.awaitDurable(200);
    List<Long> bases = owner.readAll().stream().map(RecordBatch::baseOffset).toList();
    assertThat(bases).hasSize(200).isSorted();
    assertThat(Spooled.bodyOf(owner, owner.read(1).get(0))).isEqualTo(body);
    assertThat(owner.state.durableEnd()).isEqualTo(200);
  }

  @Test
  void shouldLetOtherLogsAppendWhileALargeRecordIsCopied() {
    LogOwner other = new LogOwner();
    other.open(wal, Batches.name(1), OPTIONS);
    List<String> order = new ArrayList<>();
    RecordBatch large = Spooled.batch(wal, owner, 0, Spooled.body(1, 24 << 20));
    owner.append(large);
    other.append(Batches.batch(0));
    other.awaitDurable(1);
    long copied = wal.stats().bytesWritten();
    order.add("small");
    owner.awaitDurable(1);
    assertThat(copied).as("bytes copied when the small one was durable").isLessThan(large.size());
  }

  @Test
  void shouldFinishACopyBeforeTheLogIsTruncatedOrClosed() {
    byte[] body = Spooled.body(1, 9 << 20);
    owner.append(Batches.batch(0));
    owner.append(Spooled.batch(wal, owner, 1, body));
    owner.close();
    assertThat(owner.state.durableEnd()).isEqualTo(2);
    owner.open(wal, Batches.name(0), OPTIONS);
    owner.append(Spooled.batch(wal, owner, 2, body));
    owner.truncateTo(2);
    assertThat(owner.state.writtenEnd()).isEqualTo(2);
    assertThat(Spooled.bodyOf(owner, owner.read(1).get(0))).isEqualTo(body);
  }

  @Test
  void shouldFinishACopyWhenTheStoreIsClosed() {
    byte[] body = Spooled.body(1, 9 << 20);
    owner.append(Spooled.batch(wal, owner, 0, body));
    owner.append(Batches.batch(1));
    wal.close();
    wal = open(OPTIONS);
    assertThat(owner.state.writtenEnd()).isEqualTo(2);
    assertThat(owner.opened.unclean()).isFalse();
  }

  @Test
  void shouldReportAFlippedByteAndNeverDeliverIt() {
    owner.appendDurably(Batches.batch(0));
    append(LARGE);
    owner.appendDurably(Batches.batch(2));
    byte[] bytes = files.content(log(0));
    bytes[LARGE / 2] ^= 1;
    files.setContent(log(0), bytes);
    assertThat(owner.read(0)).as("what lies before it").hasSize(1);
    assertKind(() -> owner.read(1), WalException.Kind.CORRUPT);
    assertKind(() -> Spooled.piece(owner, 1, 0, 10), WalException.Kind.CORRUPT);
    assertThat(owner.read(2)).as("what lies behind it").hasSize(1);
    bytes[LARGE / 2] ^= 1;
    bytes[800] ^= 1; // in the body's beginning
    files.setContent(log(0), bytes);
    assertKind(() -> owner.read(1), WalException.Kind.CORRUPT);
  }

  @Test
  void shouldSayThatRetentionTookARecordWhileItWasRead() {
    wal.close();
    wal = open(new WalOptions(1 << 20, 1_000_000, FlushPolicy.COMMIT, 10));
    append(LARGE);
    append(LARGE);
    assertThat(Spooled.piece(owner, 0, 0, 100)).hasSize(100);
    owner.retain(1, Long.MIN_VALUE, LARGE + 1000);
    assertThat(owner.state.logStart()).isEqualTo(1);
    assertKind(() -> Spooled.piece(owner, 0, 100, 100), WalException.Kind.OUT_OF_RANGE);
    assertThat(Spooled.piece(owner, 1, 0, 100)).hasSize(100);
  }

  @Test
  void shouldLeaveNothingWhenTheDiskFillsUpWhileCopying() {
    owner.appendDurably(Batches.batch(0));
    byte[] body = Spooled.body(1, 6 << 20);
    RecordBatch batch = Spooled.batch(wal, owner, 1, body);
    files.setCapacity(files.used() + (5 << 20));
    owner.append(batch);
    owner.runUntil(() -> !owner.rejected.isEmpty());
    assertThat(owner.rejected).containsExactly(1L);
    settle();
    assertThat(Spooled.files(files, DATA)).isEmpty();
    assertThat(files.used()).as("the partial copy is cut").isLessThan(1 << 20);
    files.setCapacity(Long.MAX_VALUE / 4);
    List<Boolean> low = new ArrayList<>();
    wal.onDiskLow(owner::post, low::add);
    owner.runUntil(() -> low.contains(false));
    owner.appendDurably(Spooled.batch(wal, owner, 1, body));
    assertThat(Spooled.bodyOf(owner, owner.read(1).get(0))).isEqualTo(body);
    assertThat(owner.failures).isEmpty();
  }

  @Test
  void shouldRefuseARecordWhoseSpoolChangedOnTheDisk() {
    RecordBatch batch = Spooled.batch(wal, owner, 0, Spooled.body(1, LARGE));
    Path spool = Spooled.files(files, DATA).get(0);
    byte[] bytes = files.content(spool);
    bytes[1_000_000] ^= 1;
    files.setContent(spool, bytes);
    owner.append(batch);
    owner.runUntil(() -> !owner.rejected.isEmpty());
    settle();
    assertThat(owner.state.writtenEnd()).isZero();
    assertThat(owner.failures).isEmpty();
    assertThat(Spooled.files(files, DATA)).isEmpty();
    append(LARGE);
    assertThat(owner.state.durableEnd()).isEqualTo(1);
  }
}
