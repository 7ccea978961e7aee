package io.amphora.wal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.wal.FlushPolicy;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import io.amphora.wal.WalException;
import io.amphora.wal.WalOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Damage that must be named, again at every start, and never repaired by forgetting. */
class DamageTest {

  private static final Path DATA = Path.of("/data");
  private static final WalOptions LARGE = new WalOptions(64 << 20, 1000, FlushPolicy.COMMIT, 10);
  private static final Path FOLDER =
      DATA.resolve("logs").resolve(PartitionFolder.nameOf(Batches.name(0)));

  private LogOwner owner = new LogOwner();

  private DiskWal open(SimulatedFiles disk) {
    DiskWal wal = DiskWal.open(disk, DATA, DiskOptions.DEFAULT);
    owner = new LogOwner();
    try {
      owner.open(wal, Batches.name(0), LARGE);
      return wal;
    } catch (RuntimeException e) {
      wal.close();
      throw e;
    }
  }

  /** Three segments of ten batches: offsets 0, 10, 20; closed properly. */
  private SimulatedFiles closedProperly() {
    SimulatedFiles disk = new SimulatedFiles();
    try (DiskWal wal = open(disk)) {
      for (int i = 0; i < 30; i++) {
        owner.append(Batches.batch(i, 1, 1, 10_000 + 1000L * (i / 10), 400));
      }
      owner.awaitDurable(30);
    }
    return disk.afterKill();
  }

  private void assertRefusedAtEveryStart(SimulatedFiles disk) {
    for (int start = 0; start < 3; start++) {
      assertThatThrownBy(() -> open(disk).close())
          .isInstanceOfSatisfying(
              WalException.class, e -> assertThat(e.kind()).isEqualTo(WalException.Kind.CORRUPT));
    }
  }

  private static Path log(long base) {
    return new PartitionFolder(new SimulatedFiles(), FOLDER).logFile(base);
  }

  @Test
  void shouldRefuseADamagedTailAfterAProperStopAtEveryStart() throws Exception {
    SimulatedFiles disk = closedProperly();
    PartitionFolder folder = new PartitionFolder(disk, FOLDER);
    folder.deleteIndex(20);
    byte[] bytes = disk.content(log(20));
    bytes[bytes.length - 10] ^= 1;
    disk.setContent(log(20), bytes);
    assertRefusedAtEveryStart(disk);
    bytes[bytes.length - 10] ^= 1;
    disk.setContent(log(20), bytes);
    open(disk).close();
    assertThat(owner.state.writtenEnd()).isEqualTo(30);
  }

  @Test
  void shouldRefuseALogThatLostItsEndAfterAProperStop() throws Exception {
    SimulatedFiles shorter = closedProperly();
    byte[] bytes = shorter.content(log(20));
    shorter.setContent(log(20), Arrays.copyOf(bytes, bytes.length / 2));
    assertRefusedAtEveryStart(shorter);
    SimulatedFiles gone = closedProperly();
    new PartitionFolder(gone, FOLDER).deleteSegment(20);
    assertRefusedAtEveryStart(gone);
    gone.delete(DATA.resolve("clean-shutdown"));
    open(gone).close();
    assertThat(owner.state.writtenEnd()).as("the operator gave it up").isEqualTo(20);
  }

  /** Found by the fuzz of files: a longer file was taken for one that was not closed properly. */
  @Test
  void shouldNotTakeDamageForATornWriteInAFileThatIsLongerThanAtAProperStop() throws Exception {
    SimulatedFiles disk = closedProperly();
    new PartitionFolder(disk, FOLDER).deleteIndex(20);
    byte[] bytes = disk.content(log(20));
    Arrays.fill(bytes, 512, 1024, (byte) 0);
    disk.setContent(log(20), Arrays.copyOf(bytes, bytes.length + 1000));
    assertRefusedAtEveryStart(disk);
    SimulatedFiles grown = closedProperly();
    byte[] whole = grown.content(log(20));
    grown.setContent(log(20), Arrays.copyOf(whole, whole.length + 1000));
    open(grown).close();
    assertThat(owner.state.writtenEnd()).as("zeros behind the end are cut").isEqualTo(30);
  }

  /** Bodies of zeros make any damage look like a torn write; what was forced cannot be torn. */
  @Test
  void shouldNotTakeDamageInForcedBytesForATornWrite() {
    SimulatedFiles disk = new SimulatedFiles();
    DiskWal wal = open(disk);
    int bytes = 0;
    long next = 0;
    while (bytes < DiskThread.ROUND_BYTES + (2 << 20)) {
      RecordBatch batch = big(next++, ByteBuffer.allocate(256 << 10));
      bytes += batch.size();
      owner.appendDurably(batch);
    }
    SimulatedFiles killed = disk.afterKill();
    wal.close();
    byte[] content = killed.content(log(0));
    content[100_000] ^= 1;
    killed.setContent(log(0), content);
    assertRefusedAtEveryStart(killed);
    assertThat(killed.content(log(0))).isEqualTo(content);
  }

  @Test
  void shouldListALogWhoseMetadataIsDamaged() {
    SimulatedFiles disk = closedProperly();
    disk.setContent(FOLDER.resolve(PartitionFolder.META), new byte[] {1, 2, 3});
    try (DiskWal wal = DiskWal.open(disk, DATA, DiskOptions.DEFAULT)) {
      assertThat(wal.existing())
          .singleElement()
          .satisfies(
              name -> {
                assertThat(name.topicId()).isEqualTo(Batches.name(0).topicId());
                assertThat(PartitionFolder.nameOf(name))
                    .isEqualTo(PartitionFolder.nameOf(Batches.name(0)));
              });
    }
  }

  /** A body full of what looks like headers of huge batches; its own length is damaged. */
  @Test
  void shouldSearchBehindDamageWithBoundedWork() throws Exception {
    SimulatedFiles disk = new SimulatedFiles();
    Path file = Path.of("/segment");
    ByteBuffer body = ByteBuffer.allocate(12 << 20);
    for (int at = 0; at + 68 <= body.capacity(); at += 68) {
      body.putInt(at, 8 << 20)
          .put(at + 8, (byte) 1)
          .putLong(at + 12, 7)
          .putShort(at + 10, (short) 1);
    }
    byte[] first = bytes(big(0, body));
    byte[] second = bytes(Batches.batch(1));
    first[1] ^= 0x40;
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    disk.setContent(file, both);
    AtomicLong read = new AtomicLong();
    Files.Handle counted = counting(disk.open(file, Files.Mode.READ), read);
    BatchScanner scanner = new BatchScanner(file, counted, both.length, 1 << 20);
    assertThatThrownBy(scanner::next).isInstanceOf(WalException.class);
    assertThat(scanner.skipDamage(1, 100)).isTrue();
    assertThat(scanner.next().orElseThrow().baseOffset()).isEqualTo(1);
    assertThat(read.get()).isLessThan(4L * both.length);
  }

  private static RecordBatch big(long base, ByteBuffer body) {
    return new RecordBatchBuilder(body.remaining())
        .add(RecordFields.NONE, Batches.NONE.duplicate(), Batches.NONE.duplicate(), body)
        .seal(base, 1, 1000);
  }

  private static byte[] bytes(RecordBatch batch) {
    return Arrays.copyOfRange(batch.array(), batch.arrayStart(), batch.arrayStart() + batch.size());
  }

  private static Files.Handle counting(Files.Handle handle, AtomicLong count) {
    return (Files.Handle)
        java.lang.reflect.Proxy.newProxyInstance(
            Files.Handle.class.getClassLoader(),
            new Class<?>[] {Files.Handle.class},
            (proxy, method, arguments) -> {
              Object result = method.invoke(handle, arguments);
              if (method.getName().equals("read")) {
                count.addAndGet((Integer) result);
              }
              return result;
            });
  }
}
