package io.amphora.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.wal.codec.Compression;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** A compressed batch is the same batch, and whatever its bytes become, nobody is fooled. */
class CompressedBatchFuzzTest {

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  /** Bodies in which a part of the bytes is random, and the rest repeats. */
  private static RecordBatchBuilder builder(long seed, int records, int bodyBytes) {
    Random random = new Random(seed);
    RecordBatchBuilder builder = new RecordBatchBuilder(64);
    for (int i = 0; i < records; i++) {
      byte[] body = new byte[random.nextInt(bodyBytes + 1)];
      for (int b = 0; b < body.length; b++) {
        body[b] = random.nextInt(4) == 0 ? (byte) random.nextInt() : (byte) b;
      }
      byte[] key = {(byte) i, 7};
      RecordFields fields = i % 2 == 0 ? RecordFields.keyed(key, i) : RecordFields.NONE;
      builder.add(
          fields, ByteBuffer.wrap(new byte[i % 5]), NONE.duplicate(), ByteBuffer.wrap(body));
    }
    return builder;
  }

  private static RecordBatch parse(RecordBatch batch) {
    byte[] bytes = new byte[batch.size() + 9];
    batch.bytes().get(bytes, 5, batch.size());
    return RecordBatch.parse(bytes, 5, batch.size() + 4);
  }

  private static List<List<Object>> records(RecordBatch batch) {
    List<List<Object>> found = new ArrayList<>();
    for (LogRecord r : batch) {
      found.add(
          List.of(
              r.offset(),
              r.timestamp(),
              r.keyHash(),
              r.key(),
              r.header(),
              r.annotations(),
              r.body(),
              r.hasKey(),
              r.payloadSize()));
      byte[] body = Arrays.copyOfRange(r.array(), r.bodyStart(), r.bodyStart() + r.bodyLength());
      assertThat(ByteBuffer.wrap(body)).isEqualTo(r.body());
    }
    return found;
  }

  @Property(tries = 300)
  void shouldBringBackEveryRecord(
      @ForAll Compression how,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 60) int records,
      @ForAll @IntRange(max = 3000) int bodyBytes,
      @ForAll @LongRange(min = 0, max = 1L << 40) long base) {
    RecordBatch plain = builder(seed, records, bodyBytes).seal(base, 3, 99);
    RecordBatch sealed = builder(seed, records, bodyBytes).compress(how).seal(base, 3, 99);
    assertThat(sealed.size()).isLessThanOrEqualTo(plain.size());
    RecordBatch read = parse(sealed);
    assertThat(read.plainSize()).isEqualTo(plain.plainSize());
    assertThat(read.baseOffset()).isEqualTo(base);
    assertThat(read.endOffset()).isEqualTo(base + records);
    assertThat(records(sealed)).as("as it was built").isEqualTo(records(plain));
    assertThat(records(read.opened())).as("as it was read").isEqualTo(records(plain));
    assertThat(read.opened().bytes()).as("stays what is on disk").isEqualTo(sealed.bytes());
  }

  /** Any change behind a checksum that fits: damage that is told, or records that add up. */
  @Property(tries = 3000)
  void shouldSurviveAnyChangeBehindACorrectChecksum(
      @ForAll @IntRange(min = 1, max = 2) int how,
      @ForAll @IntRange(min = 8, max = 900) int at,
      @ForAll @IntRange(max = 7) int bit,
      @ForAll @IntRange(max = 40) int cut) {
    RecordBatch sealed = builder(5, 20, 80).compress(Compression.values()[how]).seal(7, 1, 1);
    assertThat(sealed.compression().bits()).isEqualTo(how);
    byte[] bytes = new byte[sealed.size() - (at % 3 == 0 ? cut : 0)];
    sealed.bytes().get(bytes);
    bytes[at % bytes.length] ^= (byte) (1 << bit);
    RecordBatch.INT.set(bytes, BatchFormat.LENGTH, bytes.length - 4);
    RecordBatch.INT.set(bytes, BatchFormat.CRC, RecordBatch.crcOf(bytes, 0, bytes.length));
    try {
      RecordBatch opened = RecordBatch.parse(bytes, 0, bytes.length).opened();
      assertThat(records(opened)).hasSize(opened.count());
    } catch (WalException e) {
      assertThat(e.kind()).isEqualTo(WalException.Kind.CORRUPT);
    }
  }

  @Property(tries = 500)
  void shouldSurviveRandomBytesInPlaceOfTheCompressedOnes(
      @ForAll @IntRange(min = 1, max = 2) int how,
      @ForAll byte[] packed,
      @ForAll @IntRange(max = 5000) int plain) {
    byte[] bytes = new byte[BatchFormat.PACKED + packed.length];
    builder(1, 1, 10).seal(0, 1, 1).bytes().get(bytes, 0, BatchFormat.HEADER_SIZE);
    System.arraycopy(packed, 0, bytes, BatchFormat.PACKED, packed.length);
    bytes[BatchFormat.ATTRIBUTES] = (byte) how;
    RecordBatch.INT.set(bytes, BatchFormat.PLAIN_LENGTH, plain);
    RecordBatch.INT.set(bytes, BatchFormat.LENGTH, bytes.length - 4);
    RecordBatch.INT.set(bytes, BatchFormat.CRC, RecordBatch.crcOf(bytes, 0, bytes.length));
    assertThatThrownBy(() -> RecordBatch.parse(bytes, 0, bytes.length).opened())
        .isInstanceOf(WalException.class);
  }
}
