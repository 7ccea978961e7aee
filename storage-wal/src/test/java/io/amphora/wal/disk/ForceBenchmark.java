package io.amphora.wal.disk;

import io.amphora.wal.RecordBatch;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import io.amphora.wal.WalOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prints the numbers of ADR 0002: run with {@code -Dtest=ForceBenchmark}; its name keeps it out of
 * the build.
 */
class ForceBenchmark {

  private static final byte[] BODY = new byte[1024];

  @TempDir Path directory;

  @Test
  void printRoundsOfForces() throws Exception {
    SystemFiles files = new SystemFiles();
    for (int dirty : new int[] {16, 100, 1000}) {
      List<Files.Handle> handles = new ArrayList<>();
      for (int i = 0; i < dirty; i++) {
        Files.Handle handle = files.open(directory.resolve("file" + i), Files.Mode.CREATE);
        handle.write(ByteBuffer.allocateDirect(1 << 18), 0);
        handle.force();
        handles.add(handle);
      }
      for (int threads : new int[] {1, 2, 4, 8, 16}) {
        System.out.printf(
            "%d dirty files, %d threads: %d us a round%n",
            dirty, threads, medianRound(handles, threads) / 1000);
      }
      for (Files.Handle handle : handles) {
        handle.close();
      }
    }
  }

  private static long medianRound(List<Files.Handle> handles, int threads) throws Exception {
    ForcePool pool = new ForcePool(threads);
    long[] nanos = new long[20];
    for (int round = 0; round < nanos.length; round++) {
      byte[] bytes = new byte[4096];
      Arrays.fill(bytes, (byte) round);
      for (Files.Handle handle : handles) {
        handle.write(ByteBuffer.wrap(bytes), round * 4096L);
      }
      long start = System.nanoTime();
      pool.force(handles);
      nanos[round] = System.nanoTime() - start;
    }
    pool.close();
    Arrays.sort(nanos);
    return nanos[nanos.length / 2];
  }

  private static RecordBatch cheapBatch(long base) {
    RecordBatchBuilder builder = new RecordBatchBuilder(110_000);
    for (int i = 0; i < 100; i++) {
      builder.add(RecordFields.NONE, Batches.NONE, Batches.NONE, ByteBuffer.wrap(BODY));
    }
    return builder.seal(base, 1, 1000);
  }

  @Test
  void printAppends() {
    try (DiskWal wal = DiskWal.open(directory, DiskOptions.DEFAULT)) {
      LogOwner owner = new LogOwner();
      owner.open(wal, Batches.name(0), WalOptions.DEFAULT);
      long base = 0;
      for (int run = 0; run < 3; run++) {
        long start = System.nanoTime();
        long first = base;
        while (System.nanoTime() - start < 3_000_000_000L) {
          if (owner.log.append(cheapBatch(base))) {
            base += 100;
          } else {
            long wait = owner.state.durableEnd() + 1;
            owner.runUntil(() -> owner.state.durableEnd() >= wait);
          }
        }
        owner.awaitDurable(base);
        long elapsed = System.nanoTime() - start;
        System.out.printf("%,.0f messages of 1 KiB a second%n", (base - first) * 1e9 / elapsed);
      }
      System.out.println(wal.stats());
    }
  }
}
