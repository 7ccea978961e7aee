package io.amphora.wal.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.wal.FlushPolicy;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import io.amphora.wal.WalOptions;
import io.amphora.wal.codec.Compression;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The power goes off at every single change of the disk that a small workload makes. Whatever the
 * disk then kept, the log opens, holds every batch that was reported durable, and nothing else.
 */
class CrashTest {

  private static final Path DATA = Path.of("/data");
  private static final WalOptions SMALL = new WalOptions(1 << 20, 50, FlushPolicy.COMMIT, 10);

  /** What the log may and must hold. */
  private static final class Expected {
    final Map<Long, List<RecordBatch>> may = new HashMap<>();
    final Map<Long, RecordBatch> must = new TreeMap<>();
    long earliestStart;
    byte[] document = new byte[0];
    byte[] newDocument = new byte[0];
    boolean created;
  }

  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final List<Long> appended = new ArrayList<>();

  @Test
  void shouldKeepWhatWasReportedDurableWhereverThePowerGoesOff() {
    SimulatedFiles dry = new SimulatedFiles();
    run(dry, new Expected());
    long changes = dry.changes();
    assertThat(changes).isGreaterThan(100);
    for (long at = 0; at < changes; at++) {
      SimulatedFiles files = new SimulatedFiles();
      files.crashAfter(at);
      Expected expected = new Expected();
      run(files, expected);
      for (int seed = 0; seed < 6; seed++) {
        verify(
            "crash at change " + at + " seed " + seed,
            files.afterPowerLoss(SectorLoss.coins(at, seed)),
            expected);
      }
      verify("kill at change " + at, files.afterKill(), expected);
    }
  }

  /** Runs the workload until its end or the power loss. */
  private void run(SimulatedFiles files, Expected expected) {
    try (DiskWal wal = DiskWal.open(files, DATA, DiskOptions.DEFAULT)) {
      LogOwner owner = new LogOwner();
      owner.open(wal, Batches.name(0), SMALL);
      expected.created = true;
      append(owner, expected, 0, 1, 5);
      document(wal, owner, expected, new byte[] {1, 2, 3});
      append(owner, expected, owner.state.writtenEnd(), 2, 4);
      truncateTo(owner, expected, owner.state.writtenEnd() - 3);
      append(owner, expected, owner.state.writtenEnd(), 3, 3);
      expected.earliestStart = 4;
      expected.must.keySet().removeIf(base -> base < 4);
      owner.truncateBefore(5);
      document(wal, owner, expected, new byte[] {9});
      owner.close();
      owner.open(wal, Batches.name(0), SMALL);
      append(owner, expected, owner.state.writtenEnd(), 3, 2);
      truncateTo(owner, expected, 8);
      append(owner, expected, owner.state.writtenEnd(), 4, 2);
    } catch (WalException | Stopped e) {
      assertThat(files.isOff()).as("fails only without power: " + e).isTrue();
    }
  }

  private void append(LogOwner owner, Expected expected, long from, int epoch, int count) {
    long base = from;
    for (int i = 0; i < count; i++) {
      long time = 1000 + 20 * appended.size();
      RecordBatch batch =
          i % 3 == 2
              ? Batches.packed(Compression.values()[1 + i / 3 % 2], base, 1 + i % 2, epoch, time)
              : Batches.batch(base, 1 + i % 2, epoch, time, 300 + 400 * i);
      appended.add(base);
      expected.may.computeIfAbsent(base, b -> new ArrayList<>()).add(batch);
      owner.appendDurably(batch);
      if (owner.state.durableEnd() < batch.endOffset()) {
        throw new Stopped();
      }
      expected.must.put(base, batch);
      base = batch.endOffset();
    }
  }

  private void truncateTo(LogOwner owner, Expected expected, long offset) {
    expected.must.values().removeIf(batch -> batch.endOffset() > offset);
    owner.truncateTo(offset);
    expected.may.keySet().removeIf(base -> base >= owner.state.writtenEnd());
  }

  private void document(DiskWal wal, LogOwner owner, Expected expected, byte[] content) {
    expected.newDocument = content;
    owner.<String>await(done -> wal.writeDocument("doc", content, owner::post, done));
    expected.document = content;
  }

  private void verify(String when, SimulatedFiles disk, Expected expected) {
    LogOwner owner = new LogOwner();
    try (DiskWal wal = DiskWal.open(disk, DATA, DiskOptions.DEFAULT)) {
      if (expected.created) {
        assertThat(wal.existing()).as(when).containsExactly(Batches.name(0));
      }
      owner.open(wal, Batches.name(0), SMALL);
      byte[] document = owner.await(done -> wal.readDocument("doc", owner::post, done));
      assertThat(document).as(when).isIn(expected.document, expected.newDocument);
      checkContent(when, owner, expected);
      long end = owner.state.writtenEnd();
      owner.appendDurably(Batches.batch(end, 1, 9, 99_000, 50));
      assertThat(owner.state.durableEnd()).as(when).isEqualTo(end + 1);
      assertThat(owner.read(end)).as(when).hasSize(1);
    } catch (UncheckedIOException | WalException e) {
      throw new AssertionError(when + ": " + e.getMessage(), e);
    }
  }

  private void checkContent(String when, LogOwner owner, Expected expected) {
    assertThat(owner.state.logStart()).as(when).isIn(0L, 5L, expected.earliestStart == 0 ? 0L : 5L);
    Map<Long, RecordBatch> found = new TreeMap<>();
    long at = -1;
    int epoch = 0;
    for (RecordBatch batch : owner.readAll()) {
      assertThat(at == -1 || at == batch.baseOffset()).as(when + " contiguous").isTrue();
      assertThat(batch.epoch()).as(when).isGreaterThanOrEqualTo(epoch);
      at = batch.endOffset();
      epoch = batch.epoch();
      found.put(batch.baseOffset(), batch);
      assertThat(expected.may.getOrDefault(batch.baseOffset(), List.of()))
          .as(when + " invented " + batch)
          .anyMatch(known -> known.bytes().equals(batch.bytes()));
    }
    expected.must.forEach(
        (base, batch) -> {
          if (batch.endOffset() > owner.state.logStart()) {
            assertThat(found.containsKey(base)).as(when + " lost " + batch).isTrue();
            assertThat(found.get(base).bytes()).as(when).isEqualTo(batch.bytes());
          }
        });
    checkEpochs(when, owner, found);
  }

  private static void checkEpochs(String when, LogOwner owner, Map<Long, RecordBatch> found) {
    for (RecordBatch batch : found.values()) {
      int epoch =
          owner.log.epochs().stream()
              .filter(start -> start.offset() <= batch.baseOffset())
              .mapToInt(start -> start.epoch())
              .max()
              .orElse(0);
      assertThat(epoch).as(when + " epoch of " + batch).isEqualTo(batch.epoch());
    }
    assertThat(owner.log.epochs()).as(when).allMatch(e -> e.offset() < owner.state.writtenEnd());
  }
}
