package io.amphora.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.wal.codec.Compression;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is compressed, what that costs, and what a reader refuses. */
class CompressedBatchTest {

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  @Test
  void shouldGainMuchOnWhatRepeatsAndNothingOnWhatDoesNot() {
    for (Compression how : List.of(Compression.LZ4, Compression.ZSTD)) {
      RecordBatch text = fill(new byte[100_000]).compress(how).seal(0, 1, 1);
      assertThat(text.compression()).isEqualTo(how);
      assertThat(text.size()).isLessThan(2_000);
      byte[] random = new byte[100_000];
      new Random(1).nextBytes(random);
      assertThat(fill(random).compress(how).seal(0, 1, 1).compression())
          .isEqualTo(Compression.NONE);
    }
  }

  private static RecordBatchBuilder fill(byte[] body) {
    return new RecordBatchBuilder(64)
        .add(RecordFields.NONE, NONE.duplicate(), NONE.duplicate(), ByteBuffer.wrap(body));
  }

  @Test
  void shouldLeaveSmallAndVeryLargeBatchesAsTheyAre() {
    for (int size : List.of(0, 500, (4 << 20) + 1)) {
      RecordBatchBuilder builder = fill(new byte[size]);
      int before = builder.sizeInBytes();
      assertThat(builder.compress(Compression.ZSTD).sizeInBytes()).isEqualTo(before);
      assertThat(builder.seal(0, 1, 1).compression()).isEqualTo(Compression.NONE);
    }
    assertThat(fill(new byte[4_000_000]).compress(Compression.LZ4).seal(0, 1, 1).compression())
        .isEqualTo(Compression.LZ4);
  }

  @Test
  void shouldCountBothFormsAndTakeNoMoreRecords() {
    RecordBatchBuilder builder = fill(new byte[10_000]);
    int before = builder.sizeInBytes();
    builder.compress(Compression.ZSTD);
    int both = builder.sizeInBytes();
    assertThat(both).isGreaterThan(before);
    assertThatThrownBy(() -> builder.add(RecordFields.NONE, NONE, NONE, NONE))
        .isInstanceOf(IllegalStateException.class);
    RecordBatch batch = builder.seal(0, 1, 1);
    assertThat(builder.sizeInBytes()).as("what was reserved is released").isEqualTo(both);
    assertThat(batch.memory()).isGreaterThanOrEqualTo(10_000 + batch.size());
  }

  /** What it says of its size is looked at before memory is taken. */
  @Test
  void shouldRefuseABomb() {
    for (int plain : List.of(Integer.MAX_VALUE, -1, 0, BatchFormat.MAX_PLAIN_BYTES + 1)) {
      for (Compression how : List.of(Compression.LZ4, Compression.ZSTD)) {
        RecordBatch sealed = fill(new byte[1 << 20]).compress(how).seal(0, 1, 1);
        byte[] bytes = new byte[sealed.size()];
        sealed.bytes().get(bytes);
        RecordBatch.INT.set(bytes, BatchFormat.PLAIN_LENGTH, plain);
        RecordBatch.INT.set(bytes, BatchFormat.CRC, RecordBatch.crcOf(bytes, 0, bytes.length));
        assertThatThrownBy(() -> RecordBatch.parse(bytes, 0, bytes.length))
            .isInstanceOf(WalException.class)
            .hasMessageContaining("impossible uncompressed length " + plain);
      }
    }
  }

  /** The frame holds more, or less, than the batch says. */
  @Test
  void shouldRefuseAWrongPlainLength() {
    for (Compression how : List.of(Compression.LZ4, Compression.ZSTD)) {
      RecordBatch sealed = fill(new byte[50_000]).compress(how).seal(0, 1, 1);
      for (int change : List.of(-1, 1, 1000)) {
        byte[] bytes = new byte[sealed.size()];
        sealed.bytes().get(bytes);
        RecordBatch.INT.set(bytes, BatchFormat.PLAIN_LENGTH, sealed.plainSize() + change);
        RecordBatch.INT.set(bytes, BatchFormat.CRC, RecordBatch.crcOf(bytes, 0, bytes.length));
        RecordBatch read = RecordBatch.parse(bytes, 0, bytes.length);
        assertThatThrownBy(read::opened)
            .isInstanceOf(WalException.class)
            .hasMessageContaining("base offset 0");
      }
    }
  }
}
