package io.amphora.wal.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.wal.FlushPolicy;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import io.amphora.wal.WalOptions;
import java.nio.file.Path;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A disk that fills up at any write, data, index, epochs, log start and preallocation alike, under
 * appends, retention and restarts, with the power going off now and then. What was reported durable
 * stays, nothing else appears, and the log never fails.
 */
class FullDiskWalkTest {

  private static final Path DATA = Path.of("/data");
  private static final WalOptions OPTIONS = new WalOptions(1 << 20, 1000, FlushPolicy.COMMIT, 10);
  private static final long UNLIMITED = Long.MAX_VALUE / 4;

  private final TreeMap<Long, RecordBatch> durable = new TreeMap<>();
  private SimulatedFiles files = new SimulatedFiles();
  private LogOwner owner = new LogOwner();
  private DiskWal wal;
  private Random random;
  private long time = 10_000;
  private int epoch = 1;
  private int failures;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldKeepWhatWasReportedDurable(long seed) {
    random = new Random(seed);
    open();
    for (int step = 0; step < 300; step++) {
      String when = "seed " + seed + " step " + step;
      files.setCapacity(
          random.nextInt(3) == 0
              ? UNLIMITED
              : files.used() + random.nextInt(1 << random.nextInt(20)));
      step(random.nextInt(20));
      assertThat(owner.failures).as(when).isEmpty();
      check(when);
    }
    wal.close();
    assertThat(failures).isZero();
  }

  private void step(int kind) {
    switch (kind) {
      case 0 -> restart(true);
      case 1 -> restart(false);
      case 2, 3 -> retain();
      case 4 -> truncateBefore();
      case 5 -> time += 1000;
      case 6 -> epoch++;
      default -> append();
    }
  }

  private void open() {
    wal = DiskWal.open(files, DATA, DiskOptions.DEFAULT.withReserve(0).withFaults(f -> failures++));
    owner = new LogOwner();
    owner.open(wal, Batches.name(0), OPTIONS);
  }

  private void append() {
    int count = 1 + random.nextInt(4);
    long next = owner.state.writtenEnd();
    RecordBatch[] batches = new RecordBatch[count];
    for (int i = 0; i < count; i++) {
      int size = 1 + random.nextInt(1 << random.nextInt(19));
      batches[i] = Batches.batch(next, 1 + random.nextInt(3), epoch, time, size / 3);
      next = batches[i].endOffset();
      owner.append(batches[i]);
    }
    owner.awaitDurable(next);
    settle();
    for (RecordBatch batch : batches) {
      if (batch.endOffset() <= owner.state.durableEnd()) {
        durable.put(batch.baseOffset(), batch);
      }
    }
  }

  /** Waits until everything asked so far is done. */
  private void settle() {
    owner.<byte[]>await(done -> wal.readDocument("none", owner::post, done));
    owner.runPosted();
  }

  private void retain() {
    try {
      owner.retain(owner.state.durableEnd(), time - 2000, 1 << 19);
    } catch (WalException e) {
      assertThat(e.kind()).isEqualTo(WalException.Kind.DISK_FULL);
      settle();
    }
    dropBelowStart();
  }

  private void truncateBefore() {
    long start = owner.state.logStart();
    long offset = start + random.nextInt(1 + (int) (owner.state.durableEnd() - start));
    try {
      owner.truncateBefore(offset);
    } catch (WalException e) {
      assertThat(e.kind()).isEqualTo(WalException.Kind.DISK_FULL);
      settle();
    }
    dropBelowStart();
  }

  private void dropBelowStart() {
    durable.values().removeIf(batch -> batch.endOffset() <= owner.state.logStart());
  }

  private void restart(boolean clean) {
    if (clean) {
      wal.close();
      files = files.afterKill();
    } else {
      files.powerOff();
      SimulatedFiles next = files.afterPowerLoss(random);
      wal.close();
      files = next;
      failures = 0;
    }
    files.setCapacity(UNLIMITED);
    open();
  }

  private void check(String when) {
    long end =
        durable.isEmpty() ? owner.state.logStart() : durable.lastEntry().getValue().endOffset();
    assertThat(owner.state.writtenEnd()).as(when).isGreaterThanOrEqualTo(end);
    TreeMap<Long, RecordBatch> found = new TreeMap<>();
    owner.readAll().forEach(batch -> found.put(batch.baseOffset(), batch));
    durable.forEach(
        (base, batch) -> {
          assertThat(found.get(base)).as(when + " lost " + batch).isNotNull();
          assertThat(found.get(base).bytes()).as(when).isEqualTo(batch.bytes());
        });
    assertThat(owner.log.epochs().stream().mapToInt(e -> e.epoch()).max().orElse(0))
        .as(when)
        .isEqualTo(owner.state.lastEpoch());
    found.forEach(
        (base, batch) ->
            assertThat(
                    owner.log.epochs().stream()
                        .filter(e -> e.offset() <= base)
                        .mapToInt(e -> e.epoch())
                        .max()
                        .orElse(0))
                .as(when + " epoch of " + batch)
                .isEqualTo(batch.epoch()));
  }
}
