package io.amphora.wal.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.wal.FlushPolicy;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Random operations on a log, against a list. */
class LogModelTest {

  private static final Path DATA = Path.of("/data");
  private static final WalOptions OPTIONS = new WalOptions(1 << 20, 40, FlushPolicy.COMMIT, 10);

  private SimulatedFiles files = new SimulatedFiles();
  private LogOwner owner = new LogOwner();
  private DiskWal wal;
  private final List<RecordBatch> model = new ArrayList<>();
  private long start;
  private long end;
  private int epoch = 1;
  private long time = 1000;

  @Property(tries = 150)
  void shouldBehaveLikeAList(
      @ForAll @Size(min = 5, max = 40) List<@IntRange(max = 9999) Integer> operations) {
    reset();
    open();
    try {
      for (int operation : operations) {
        apply(operation % 10, operation / 10);
        check();
      }
    } finally {
      wal.close();
    }
  }

  /** The instance is shared between tries. */
  private void reset() {
    files = new SimulatedFiles();
    model.clear();
    start = 0;
    end = 0;
    epoch = 1;
    time = 1000;
  }

  private void open() {
    owner = new LogOwner(); // the old one may have been told about the power loss
    wal = DiskWal.open(files, DATA, DiskOptions.DEFAULT);
    owner.open(wal, Batches.name(0), OPTIONS);
  }

  private void apply(int kind, int argument) {
    switch (kind) {
      case 0, 1, 2, 3 -> append(argument);
      case 4 -> epoch++;
      case 5 -> truncateTo(start + (end - start) * argument / 1000);
      case 6 -> truncateBefore(start + (end - start) * argument / 2000);
      case 7 -> retain();
      case 8 -> {
        wal.close();
        open();
        assertThat(owner.opened.unclean()).isFalse();
      }
      default -> {
        files.powerOff();
        wal.close();
        files = files.afterPowerLoss(new Random(argument));
        open();
      }
    }
  }

  private void append(int argument) {
    RecordBatch batch = Batches.batch(end, 1 + argument % 4, epoch, time, argument);
    time += argument % 30;
    owner.appendDurably(batch);
    model.add(batch);
    end = batch.endOffset();
  }

  private void truncateTo(long offset) {
    owner.truncateTo(offset);
    model.removeIf(batch -> batch.endOffset() > offset);
    end = model.isEmpty() ? owner.state.writtenEnd() : model.get(model.size() - 1).endOffset();
    assertThat(end).isLessThanOrEqualTo(Math.max(offset, start));
    start = Math.min(start, end);
  }

  private void truncateBefore(long offset) {
    owner.truncateBefore(offset);
    start = Math.max(start, offset);
    model.removeIf(batch -> batch.endOffset() <= start);
  }

  private void retain() {
    owner.retain(end, time - 60, Long.MAX_VALUE);
    long after = owner.state.logStart();
    assertThat(model)
        .filteredOn(batch -> batch.endOffset() <= after)
        .allMatch(batch -> batch.maxTimestamp() < time - 60);
    start = after;
    model.removeIf(batch -> batch.endOffset() <= start);
  }

  private void check() {
    assertThat(owner.state.logStart()).isEqualTo(start);
    assertThat(owner.state.writtenEnd()).isEqualTo(end);
    assertThat(owner.state.durableEnd()).isEqualTo(end);
    assertThat(owner.readAll())
        .usingElementComparator((a, b) -> a.bytes().compareTo(b.bytes()))
        .isEqualTo(model);
    for (RecordBatch batch : model) {
      long offset = owner.<Long>await(done -> owner.log.offsetForTime(batch.maxTimestamp(), done));
      assertThat(offset).isLessThanOrEqualTo(batch.endOffset() - 1);
    }
  }
}
