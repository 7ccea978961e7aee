package io.amphora.wal.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.wal.FlushPolicy;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import io.amphora.wal.WalOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The power goes off at every single change of the disk that appends of spooled bodies make, copies
 * of several steps among them, with small batches before and behind. Whatever the disk then kept,
 * the log opens; what was reported durable is there byte for byte, what was torn is cut, and no
 * spool is left.
 */
class SpoolCrashTest {

  private static final Path DATA = Path.of("/data");

  private static WalOptions options(List<byte[]> bodies) {
    long segment = bodies == LONG ? 32 << 20 : 6 << 20;
    return new WalOptions(segment, 1_000_000, FlushPolicy.COMMIT, 10);
  }

  /** Below this a body is not spooled. */
  private static final int SMALL = 1000;

  /** The third takes two steps of copying, the one before the last needs a new segment. */
  private static final List<byte[]> MIXED =
      bodies(300, 40_000, AppendQueue.COPY_STEP + 70_000, 300, 2_500_000, 300);

  /** More than could be unforced if it were forced only at its end. */
  private static final List<byte[]> LONG =
      bodies(300, (int) DiskThread.ROUND_BYTES + 500_000, 300, 300);

  private static List<byte[]> bodies(int... lengths) {
    return IntStream.range(0, lengths.length).mapToObj(i -> Spooled.body(i, lengths[i])).toList();
  }

  @Test
  void shouldKeepWhatWasReportedDurableWhereverThePowerGoesOff() {
    SimulatedFiles dry = new SimulatedFiles();
    assertThat(run(dry, MIXED, true)).isEqualTo(MIXED.size());
    long changes = dry.changes();
    assertThat(changes).isGreaterThan(60);
    for (long at = 0; at < changes; at++) {
      SimulatedFiles files = new SimulatedFiles();
      files.crashAfter(at);
      long durable = run(files, MIXED, true);
      verify("crash at change " + at, files.afterPowerLoss(new Random(at)), MIXED, durable);
      verify("kill at change " + at, files.afterKill(), MIXED, durable);
    }
  }

  @Test
  void shouldCutATornCopyWithWhateverWasQueuedBehindIt() {
    int checked = 0; // crash points after the small ones were written
    for (long at = 0; checked < 4; at++) {
      assertThat(at).as("changes in all").isLessThan(200);
      SimulatedFiles files = new SimulatedFiles();
      files.crashAfter(at);
      long durable = run(files, LONG, false);
      for (int seed = 0; holdsMoreThanTheLongOne(files) && seed < 12; seed++) {
        String when = "crash at change " + at + " seed " + seed;
        verify(when, files.afterPowerLoss(SectorLoss.coins(at, seed)), LONG, durable);
        checked += seed == 11 ? 1 : 0;
      }
    }
  }

  /** Whether the batch behind the second is written. */
  private static boolean holdsMoreThanTheLongOne(SimulatedFiles files) {
    int end =
        Spooled.whole(0, 1, 1, LONG.get(0)).size() + Spooled.whole(1, 1, 1, LONG.get(1)).size();
    return files.paths().stream()
        .filter(path -> path.toString().endsWith(".log"))
        .map(files::content)
        .anyMatch(bytes -> bytes.length > end + 200 && bytes[end + 200] != 0);
  }

  /**
   * Appends everything.
   *
   * @param oneByOne whether each is durable before the next; else all are queued at once
   * @return what was reported durable when the power went off
   */
  private static long run(SimulatedFiles files, List<byte[]> bodies, boolean oneByOne) {
    LogOwner owner = new LogOwner();
    try (DiskWal wal = DiskWal.open(files, DATA, DiskOptions.DEFAULT)) {
      owner.open(wal, Batches.name(0), options(bodies));
      List<RecordBatch> batches = new ArrayList<>();
      for (int i = 0; i < bodies.size(); i++) {
        RecordBatch batch =
            bodies.get(i).length < SMALL
                ? Spooled.whole(i, 1, 1000, bodies.get(i))
                : Spooled.batch(wal, owner, i, bodies.get(i));
        batches.add(batch);
        if (oneByOne) {
          owner.appendDurably(batch);
          if (owner.state.durableEnd() <= i) {
            return owner.state.durableEnd();
          }
        }
      }
      if (!oneByOne) {
        batches.forEach(owner::append);
        owner.awaitDurable(bodies.size());
      }
      return owner.state.durableEnd();
    } catch (WalException e) {
      assertThat(files.isOff()).as("fails only without power: " + e).isTrue();
      return owner.state == null ? 0 : owner.state.durableEnd();
    }
  }

  private static void verify(String when, SimulatedFiles disk, List<byte[]> bodies, long durable) {
    LogOwner owner = new LogOwner();
    try (DiskWal wal = DiskWal.open(disk, DATA, DiskOptions.DEFAULT)) {
      assertThat(Spooled.files(disk, DATA)).as(when).isEmpty();
      owner.open(wal, Batches.name(0), options(bodies));
      assertThat(owner.state.writtenEnd()).as(when).isBetween(durable, (long) bodies.size());
      Map<Long, RecordBatch> found = new TreeMap<>();
      owner.readAll().forEach(batch -> found.put(batch.baseOffset(), batch));
      assertThat(found).as(when).hasSize((int) owner.state.writtenEnd());
      found.forEach(
          (base, batch) ->
              assertThat(Spooled.bodyOf(owner, batch))
                  .as(when + " offset " + base)
                  .isEqualTo(bodies.get(base.intValue())));
      long end = owner.state.writtenEnd();
      owner.appendDurably(Batches.batch(end, 1, 9, 99_000, 50));
      assertThat(owner.state.durableEnd()).as(when).isEqualTo(end + 1);
    } catch (WalException e) {
      throw new AssertionError(when + ": " + e.getMessage(), e);
    }
  }
}
