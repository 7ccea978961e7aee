package io.amphora.wal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.wal.FlushPolicy;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One batch is forced, the round behind it loses sectors, at every position that batches can have
 * within a sector: the log opens and ends before the first batch that misses a byte. Damage at the
 * same places is refused.
 */
class TornSectorsTest {

  private static final int SECTOR = 512;
  private static final int SMALL = 5;
  private static final int LARGE = 700;
  private static final int[] BODIES = {SMALL, LARGE, SMALL, SMALL, SMALL, 300, SMALL, 600, SMALL};

  private final List<RecordBatch> batches = new ArrayList<>();
  private byte[] image = new byte[0];

  /** Where the second batch starts within its sector. */
  static IntStream shifts() {
    return IntStream.range(0, SECTOR);
  }

  /** The second batch starts so that its length field ends a sector, or lies in two. */
  static IntStream shiftsOfSplitLengths() {
    return IntStream.range(SECTOR - 8, SECTOR);
  }

  /** The batch of offset 1 starts at this position of a sector. */
  private void write(int shift, int... bodies) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int overhead = Batches.batch(0, 1, 1, 1000, 0).size();
    add(bytes, Math.floorMod(shift - overhead, SECTOR));
    for (int body : bodies) {
      add(bytes, body);
    }
    image = bytes.toByteArray();
    assertThat(start(1) % SECTOR).isEqualTo(shift);
  }

  private void add(ByteArrayOutputStream bytes, int body) {
    RecordBatch batch = Batches.batch(batches.size(), 1, 1, 1000, body);
    batches.add(batch);
    bytes.write(batch.array(), batch.arrayStart(), batch.size());
  }

  private int start(int batch) {
    return batches.subList(0, batch).stream().mapToInt(RecordBatch::size).sum();
  }

  /** What is on the disk: zeros where sectors of the last round are lost. */
  private byte[] without(BitSet lost) {
    byte[] left = Arrays.copyOf(image, image.length + 2 * SECTOR);
    lost.stream()
        .forEach(
            sector ->
                Arrays.fill(
                    left, Math.max(start(1), sector * SECTOR), (sector + 1) * SECTOR, (byte) 0));
    return left;
  }

  private int firstBroken(byte[] left) {
    int differs = Arrays.mismatch(image, 0, image.length, left, 0, image.length);
    int batch = 0;
    while (batch < batches.size() && (differs < 0 || start(batch + 1) <= differs)) {
      batch++;
    }
    return batch;
  }

  private static long recoveredEnd(byte[] content) throws IOException {
    SimulatedFiles disk = new SimulatedFiles();
    PartitionFolder folder = new PartitionFolder(disk, Path.of("/log"));
    disk.setContent(folder.logFile(0), content);
    RecoveredLog log = new LogRecovery(folder, Optional.empty(), FlushPolicy.COMMIT).recover();
    return log.active().endOffset();
  }

  private static void assertRefused(String when, byte[] content) {
    assertThatThrownBy(() -> recoveredEnd(content))
        .as(when)
        .isInstanceOfSatisfying(
            WalException.class, e -> assertThat(e.kind()).isEqualTo(WalException.Kind.CORRUPT));
  }

  /** A batch that starts in the last bytes of a lost sector is whole: its length starts with 0. */
  @ParameterizedTest
  @MethodSource("shifts")
  void shouldCutTheRoundWhateverSectorsOfItAreLost(int shift) throws IOException {
    write(shift, BODIES);
    int first = start(1) / SECTOR;
    int sectors = (image.length + SECTOR - 1) / SECTOR - first;
    List<BitSet> losses = new ArrayList<>();
    IntStream.range(0, sectors).forEach(i -> losses.add(BitSet.valueOf(new long[] {1L << i})));
    Random random = new Random(shift);
    IntStream.range(0, 8).forEach(i -> losses.add(BitSet.valueOf(new long[] {random.nextLong()})));
    for (BitSet loss : losses) {
      BitSet lost = new BitSet();
      loss.stream().filter(i -> i < sectors).forEach(i -> lost.set(first + i));
      byte[] left = without(lost);
      assertThat(recoveredEnd(left)).as("without sectors %s", lost).isEqualTo(firstBroken(left));
    }
  }

  /** The zeros that a length starts with prove no lost sector. */
  @ParameterizedTest
  @MethodSource("shiftsOfSplitLengths")
  void shouldRefuseADamagedLengthAtTheEndOfASector(int shift) {
    for (int body : new int[] {SMALL, LARGE}) {
      batches.clear();
      write(shift, body, SMALL, SMALL, SMALL, SMALL, SMALL, SMALL);
      for (int bit = 0; bit < Integer.SIZE; bit++) {
        byte[] flipped = image.clone();
        flipped[start(1) + bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        assertRefused("bit " + bit + " before a body of " + body, flipped);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shiftsOfSplitLengths")
  void shouldRefuseASectorOfNoiseBehindTheStartOfALength(int shift) {
    write(shift, LARGE, SMALL, SMALL, SMALL, SMALL, SMALL, SMALL);
    byte[] noise = new byte[SECTOR];
    new Random(shift).nextBytes(noise);
    byte[] damaged = image.clone();
    System.arraycopy(noise, 0, damaged, (start(1) / SECTOR + 1) * SECTOR, SECTOR);
    assertRefused("noise", damaged);
  }
}
