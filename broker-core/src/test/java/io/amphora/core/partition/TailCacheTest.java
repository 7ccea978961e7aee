package io.amphora.core.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.wal.RecordBatch;
import io.amphora.wal.RecordBatchBuilder;
import io.amphora.wal.RecordFields;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TailCacheTest {

  /** The smallest array a batch builder makes. */
  private static final int ARRAY = 68 + 256;

  private static RecordBatch batch(long base, int records) {
    RecordBatchBuilder builder = new RecordBatchBuilder(1);
    ByteBuffer none = ByteBuffer.allocate(0);
    for (int i = 0; i < records; i++) {
      builder.add(RecordFields.NONE, none, none, none);
    }
    return builder.seal(base, 1, 1);
  }

  @Test
  void shouldEvictTheOldestOfAllPartitions() {
    TailMemory memory = new TailMemory(2 * ARRAY);
    TailCache one = new TailCache(memory);
    TailCache other = new TailCache(memory);
    one.add(batch(0, 1));
    other.add(batch(50, 1));
    other.add(batch(51, 1));

    assertThat(one.holds(0)).isFalse();
    assertThat(other.holds(50)).isTrue();
    assertThat(memory.bytes()).isEqualTo(2 * ARRAY);
    other.clear();
    assertThat(memory.bytes()).isZero();
  }

  @Test
  void shouldHoldNothingWithoutMemory() {
    TailMemory memory = new TailMemory(0);
    TailCache cache = new TailCache(memory);
    cache.add(batch(0, 3));
    assertThat(cache.holds(1)).isFalse();
    assertThat(memory.bytes()).isZero();
  }

  @Test
  void shouldNotReadPastTheLimit() {
    TailCache cache = new TailCache(new TailMemory(1 << 20));
    cache.add(batch(0, 3));
    cache.add(batch(3, 2));
    assertThat(cache.read(1, 3, 1 << 20)).extracting(RecordBatch::baseOffset).containsExactly(0L);
    assertThat(cache.read(1, 4, 1 << 20)).extracting(RecordBatch::baseOffset).containsExactly(0L);
    assertThat(cache.read(4, 5, 1 << 20)).extracting(RecordBatch::baseOffset).containsExactly(3L);
    assertThat(cache.read(0, 5, 1)).as("at least one").hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void shouldBehaveLikeAListThatForgetsItsHead(long seed) {
    Random random = new Random(seed);
    TailMemory memory = new TailMemory(40 * ARRAY);
    List<TailCache> caches = new ArrayList<>();
    List<List<RecordBatch>> models = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      caches.add(new TailCache(memory));
      models.add(new ArrayList<>());
    }
    for (int step = 0; step < 2000; step++) {
      int which = random.nextInt(3);
      TailCache cache = caches.get(which);
      List<RecordBatch> model = models.get(which);
      long end = model.isEmpty() ? 0 : model.get(model.size() - 1).endOffset();
      if (random.nextInt(20) == 0 && !model.isEmpty()) {
        long cut = model.get(random.nextInt(model.size())).baseOffset();
        cache.truncateTo(cut);
        model.removeIf(b -> b.endOffset() > cut);
      } else {
        RecordBatch added = batch(end, 1 + random.nextInt(3));
        cache.add(added);
        model.add(added);
      }
      check(cache, model, random);
      assertThat(memory.bytes()).isBetween(0L, 40L * ARRAY);
    }
  }

  private static void check(TailCache cache, List<RecordBatch> model, Random random) {
    if (model.isEmpty()) {
      return;
    }
    long end = model.get(model.size() - 1).endOffset();
    long offset = (long) (random.nextDouble() * end);
    if (cache.holds(offset)) {
      List<RecordBatch> expected = model.stream().filter(b -> b.endOffset() > offset).toList();
      assertThat(cache.read(offset, Long.MAX_VALUE, Integer.MAX_VALUE)).isEqualTo(expected);
    }
    assertThat(cache.holds(end)).isFalse();
  }
}
