package io.amphora.wal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Whatever the bytes: a valid batch or a WalException. */
class RecordBatchFuzzTest {

  private static RecordBatch sample() {
    RecordBatchBuilder builder = new RecordBatchBuilder(200);
    for (int i = 0; i < 3; i++) {
      builder.add(
          RecordFields.keyed(new byte[] {1, 2}, 5),
          ByteBuffer.wrap(new byte[4]),
          ByteBuffer.wrap(new byte[i]),
          ByteBuffer.wrap(new byte[30]));
    }
    return builder.seal(40, 2, 1000);
  }

  @Property(tries = 1000)
  void shouldSurviveRandomBytes(@ForAll @Size(max = 300) byte[] bytes) {
    parse(bytes);
  }

  @Property(tries = 2000)
  void shouldSurviveMutationWithACorrectChecksum(
      @ForAll @IntRange(max = 299) int at, @ForAll byte value, @ForAll boolean four) {
    byte[] bytes = sample().array().clone();
    int size = sample().size();
    for (int i = at; i < Math.min(size, four ? at + 4 : at + 1); i++) {
      bytes[i] = value;
    }
    RecordBatch.INT.set(bytes, BatchFormat.CRC, RecordBatch.crcOf(bytes, 0, size));
    parse(java.util.Arrays.copyOf(bytes, size));
  }

  @Property(tries = 500)
  void shouldRefuseEveryFlippedBit(
      @ForAll @IntRange(max = 299) int at, @ForAll @IntRange(max = 7) int bit) {
    RecordBatch sample = sample();
    byte[] bytes = java.util.Arrays.copyOf(sample.array(), sample.size());
    if (at >= bytes.length) {
      return;
    }
    bytes[at] ^= (byte) (1 << bit);
    assertThat(parse(bytes)).isFalse();
  }

  private static boolean parse(byte[] bytes) {
    try {
      RecordBatch batch = RecordBatch.parse(bytes, 0, bytes.length);
      int records = 0;
      for (LogRecord each : batch) {
        assertThat(each.offset()).isBetween(batch.baseOffset(), batch.endOffset() - 1);
        assertThat(each.payloadSize()).isLessThanOrEqualTo(bytes.length);
        each.body();
        each.key();
        records++;
      }
      assertThat(records).isEqualTo(batch.count());
      return true;
    } catch (WalException e) {
      assertThat(e.kind()).isEqualTo(WalException.Kind.CORRUPT);
      return false;
    }
  }
}
