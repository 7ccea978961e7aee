package io.amphora.wal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.wal.OpenedLog;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import io.amphora.wal.WalOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store on the real file system. */
class DiskWalTest {

  @TempDir Path data;

  @Test
  void shouldGiveBackWhatWasAppendedAfterRestart() {
    List<RecordBatch> written = new ArrayList<>();
    try (DiskWal wal = DiskWal.open(data, DiskOptions.DEFAULT)) {
      LogOwner owner = new LogOwner();
      OpenedLog opened = owner.open(wal, Batches.name(3), WalOptions.DEFAULT);
      assertThat(opened.meta()).isEmpty();
      for (int i = 0; i < 500; i++) {
        RecordBatch batch = Batches.batch(i * 3L, 3, 1 + i / 200, 1000 + i, 900);
        written.add(batch);
        owner.append(batch);
      }
      owner.awaitDurable(1500);
      assertThat(owner.readAll())
          .usingElementComparator((a, b) -> a.bytes().compareTo(b.bytes()))
          .isEqualTo(written);
      assertThat(owner.state.lastEpoch()).isEqualTo(3);
    }
    try (DiskWal wal = DiskWal.open(data, DiskOptions.DEFAULT)) {
      assertThat(wal.existing()).containsExactly(Batches.name(3));
      LogOwner owner = new LogOwner();
      OpenedLog opened = owner.open(wal, Batches.name(3), WalOptions.DEFAULT);
      assertThat(opened.unclean()).isFalse();
      assertThat(opened.meta()).containsExactly(7);
      assertThat(opened.state().durableEnd()).isEqualTo(1500);
      assertThat(owner.log.epochs()).extracting(e -> e.offset()).containsExactly(0L, 600L, 1200L);
      assertThat(owner.readAll())
          .usingElementComparator((a, b) -> a.bytes().compareTo(b.bytes()))
          .isEqualTo(written);
      assertThat(owner.read(700).get(0).baseOffset()).isEqualTo(699);
    }
  }

  @Test
  void shouldRefuseASecondStoreInTheSameDirectory() {
    try (DiskWal wal = DiskWal.open(data, DiskOptions.DEFAULT)) {
      assertThatThrownBy(() -> DiskWal.open(data, DiskOptions.DEFAULT))
          .isInstanceOfSatisfying(
              WalException.class, e -> assertThat(e.kind()).isEqualTo(WalException.Kind.LOCKED))
          .hasMessageContaining("in use by another broker");
    }
    DiskWal.open(data, DiskOptions.DEFAULT).close();
  }
}
