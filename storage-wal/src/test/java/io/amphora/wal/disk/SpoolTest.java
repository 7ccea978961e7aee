package io.amphora.wal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.wal.LogName;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.Spool;
import io.amphora.wal.SpooledBody;
import io.amphora.wal.Wal;
import io.amphora.wal.WalException;
import io.amphora.wal.WalOptions;
import io.amphora.wal.WalResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A spool from its first byte to its end, whichever end that is. */
class SpoolTest {

  private static final Path DATA = Path.of("/data");

  private final SimulatedFiles files = new SimulatedFiles();
  private final LogOwner owner = new LogOwner();
  private final List<Throwable> faults = new ArrayList<>();
  private DiskWal wal;

  @BeforeEach
  void open() {
    wal = DiskWal.open(files, DATA, DiskOptions.DEFAULT.withReserve(0).withFaults(faults::add));
    owner.open(wal, Batches.name(0), WalOptions.DEFAULT);
  }

  @AfterEach
  void close() {
    wal.close();
    assertThat(faults).isEmpty();
    assertThat(files.openWithoutName()).isZero();
  }

  private List<Path> spools() {
    return Spooled.files(files, DATA);
  }

  /** Waits until the disk thread has done what was asked so far. */
  private void settle() {
    owner.<byte[]>await(done -> wal.readDocument("none", owner::post, done));
    owner.runPosted();
  }

  private WalException.Kind refusal(Spool spool, byte[] bytes) {
    List<WalResult<Long>> results = new ArrayList<>();
    spool.write(bytes, 0, bytes.length, results::add);
    owner.runUntil(() -> !results.isEmpty());
    return ((WalResult.Failed<Long>) results.get(0)).error().kind();
  }

  @Test
  void shouldCountAndCheckWhatIsWritten() {
    byte[] body = Spooled.body(1, 700_000);
    Spool spool = Spooled.spool(wal, owner, body);
    assertThat(spool.size()).isEqualTo(700_000);
    SpooledBody finished = spool.finish();
    CRC32C crc = new CRC32C();
    crc.update(body);
    assertThat(finished.checksum()).isEqualTo((int) crc.getValue());
    assertThat(finished.size()).isEqualTo(700_000);
    assertThat(files.content(spools().get(0))).isEqualTo(body);
    spool.discard();
    settle();
    assertThat(spools()).as("it is the batch's now").hasSize(1);
    finished.erase();
    finished.erase();
    settle();
    assertThat(spools()).isEmpty();
  }

  @Test
  void shouldMakeItsFileWithTheFirstWriteAndEraseItOnce() {
    Spool spool = wal.openSpool(owner::post).orThrow();
    settle();
    assertThat(spools()).isEmpty();
    owner.<Long>await(done -> spool.write(new byte[10], 2, 5, done));
    assertThat(spools()).hasSize(1);
    spool.discard();
    spool.discard();
    settle();
    assertThat(spools()).isEmpty();
    assertThat(refusal(spool, new byte[1])).isEqualTo(WalException.Kind.CLOSED);
    assertThatThrownBy(spool::finish).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldAnswerAWriteThatWasOnItsWayWhenItWasDiscarded() {
    Spool spool = wal.openSpool(owner::post).orThrow();
    List<WalResult<Long>> results = new ArrayList<>();
    spool.write(new byte[10], 0, 10, results::add);
    spool.discard();
    owner.runUntil(() -> !results.isEmpty());
    settle();
    assertThat(spools()).isEmpty();
  }

  @Test
  void shouldNotBeFinishedWhileAWriteIsOnItsWay() {
    Spool spool = wal.openSpool(owner::post).orThrow();
    List<WalResult<Long>> results = new ArrayList<>();
    spool.write(new byte[10], 0, 10, results::add);
    assertThatThrownBy(spool::finish).isInstanceOf(IllegalStateException.class);
    owner.runUntil(() -> !results.isEmpty());
    assertThat(spool.finish().size()).isEqualTo(10);
  }

  @Test
  void shouldHaveABoundAndGiveRoomBack() {
    List<Spool> all = new ArrayList<>();
    for (int i = 0; i < Wal.MAX_SPOOLS; i++) {
      all.add(wal.openSpool(owner::post).orThrow());
    }
    assertThatThrownBy(() -> wal.openSpool(owner::post).orThrow())
        .isInstanceOfSatisfying(
            WalException.class, e -> assertThat(e.kind()).isEqualTo(WalException.Kind.BUSY));
    all.get(3).discard();
    settle();
    wal.openSpool(owner::post).orThrow();
  }

  @Test
  void shouldEraseWhatIsLeftWhenTheStoreIsClosed() {
    Spool spool = Spooled.spool(wal, owner, Spooled.body(2, 1000));
    wal.close();
    assertThat(spools()).isEmpty();
    assertThat(files.openWithoutName()).isZero();
    assertThat(refusal(spool, new byte[1])).isEqualTo(WalException.Kind.CLOSED);
    assertThatThrownBy(() -> wal.openSpool(owner::post).orThrow())
        .isInstanceOfSatisfying(
            WalException.class, e -> assertThat(e.kind()).isEqualTo(WalException.Kind.CLOSED));
  }

  @Test
  void shouldEraseWhatAKillLeftWhenTheDirectoryIsOpened() {
    Spooled.spool(wal, owner, Spooled.body(3, 1000));
    SimulatedFiles left = files.afterKill();
    assertThat(Spooled.files(left, DATA)).hasSize(1);
    DiskWal.open(left, DATA, DiskOptions.DEFAULT).close();
    assertThat(Spooled.files(left, DATA)).isEmpty();
  }

  @Test
  void shouldGiveUpOnAFullDiskAndLeaveNothing() {
    Spool spool = Spooled.spool(wal, owner, Spooled.body(4, 1000));
    files.setCapacity(files.used() + 100);
    assertThat(refusal(spool, new byte[1000])).isEqualTo(WalException.Kind.DISK_FULL);
    assertThat(spools()).isEmpty();
    assertThatThrownBy(spool::finish).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> wal.openSpool(owner::post).orThrow())
        .as("until the disk was looked at again")
        .isInstanceOfSatisfying(
            WalException.class, e -> assertThat(e.kind()).isEqualTo(WalException.Kind.DISK_FULL));
    List<Boolean> low = new ArrayList<>();
    wal.onDiskLow(owner::post, low::add);
    files.setCapacity(Long.MAX_VALUE / 4);
    owner.runUntil(() -> low.contains(false));
    owner.appendDurably(Spooled.batch(wal, owner, 0, Spooled.body(5, 1000)));
    assertThat(owner.state.durableEnd()).isEqualTo(1);
  }

  @Test
  void shouldTakeNothingWhileFreeSpaceIsBelowTheReserve() {
    wal.close();
    files.setCapacity(100 << 20);
    wal = DiskWal.open(files, DATA, DiskOptions.DEFAULT.withReserve(4 << 20));
    Spool spool = Spooled.spool(wal, owner, Spooled.body(6, 1000));
    List<Boolean> low = new ArrayList<>();
    wal.onDiskLow(owner::post, low::add);
    files.setContent(Path.of("/other"), new byte[97 << 20]);
    owner.runUntil(() -> low.contains(true));
    assertThat(refusal(spool, new byte[10])).isEqualTo(WalException.Kind.DISK_FULL);
    assertThat(spools()).isEmpty();
  }

  @Test
  void shouldRefuseWhatTheQueueHasNoRoomForAndTakeItLater() {
    wal.close();
    wal = DiskWal.open(files, DATA, new DiskOptions(0, 1 << 20, 64, 4, 1, faults::add));
    Spool spool = wal.openSpool(owner::post).orThrow();
    byte[] piece = new byte[1 << 20];
    List<WalResult<Long>> results = new ArrayList<>();
    int sent = 0;
    while (results.stream().noneMatch(r -> r instanceof WalResult.Failed)) {
      spool.write(piece, 0, piece.length, results::add);
      sent++;
      owner.runPosted();
      assertThat(sent).isLessThan(1000);
    }
    int all = sent;
    owner.runUntil(() -> results.size() == all);
    long taken = results.stream().filter(r -> r instanceof WalResult.Ok).count();
    assertThat(spool.size()).isEqualTo(taken << 20);
    // Answers come before the end of the turn, which gives the room back: the second question is
    // asked in that turn at the earliest, and so answered in a later one.
    settle();
    settle();
    owner.<Long>await(done -> spool.write(piece, 0, 7, done));
    assertThat(spool.finish().size()).isEqualTo((taken << 20) + 7);
  }

  @Test
  void shouldBeErasedWhenItsBatchIsInTheLog() {
    RecordBatch batch = Spooled.batch(wal, owner, 0, Spooled.body(7, 5000));
    assertThat(spools()).hasSize(1);
    owner.appendDurably(batch);
    settle();
    assertThat(spools()).isEmpty();
  }

  @Test
  void shouldBeErasedWhenItsBatchFollowsARejectedOne() {
    owner.appendDurably(Batches.batch(0));
    RecordBatch batch = Spooled.batch(wal, owner, 2, Spooled.body(8, 5000));
    files.setCapacity(files.used() + 10);
    owner.append(Batches.batch(1));
    owner.append(batch);
    owner.runUntil(() -> !owner.rejected.isEmpty());
    settle();
    assertThat(spools()).isEmpty();
    assertThat(owner.rejected.get(0)).isEqualTo(1);
  }

  @Test
  void shouldBeErasedWhenItsLogIsDeletedUnderIt() {
    RecordBatch batch = Spooled.batch(wal, owner, 0, Spooled.body(9, 9 << 20));
    owner.append(batch);
    owner.<LogName>await(done -> wal.delete(Batches.name(0), owner::post, done));
    owner.append(Spooled.batch(wal, owner, 1, Spooled.body(10, 5000)));
    settle();
    assertThat(spools()).isEmpty();
  }
}
