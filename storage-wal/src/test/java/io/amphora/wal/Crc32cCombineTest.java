package io.amphora.wal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.zip.CRC32C;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

/** The checksum of two pieces is that of the whole, as the JDK computes it. */
class Crc32cCombineTest {

  @Property
  void shouldEqualTheChecksumOfTheWhole(
      @ForAll @Size(max = 300) byte[] bytes, @ForAll @Size(max = 3000) byte[] more) {
    CRC32C whole = new CRC32C();
    whole.update(bytes);
    whole.update(more);
    assertThat(Crc32cCombine.combine(crc(bytes), crc(more), more.length))
        .isEqualTo((int) whole.getValue());
  }

  @Example
  void shouldCarryOverMoreThanAnIntHasBits() {
    byte[] first = {1, 2, 3};
    byte[] zeros = new byte[1 << 20];
    int combined = crc(first);
    CRC32C whole = new CRC32C();
    whole.update(first);
    for (int i = 0; i < 5; i++) {
      whole.update(zeros);
    }
    combined = Crc32cCombine.combine(combined, crc(new byte[5 << 20]), 5 << 20);
    assertThat(combined).isEqualTo((int) whole.getValue());
    // 3 GiB of zeros in one step or in three
    int gib = crcOfZeros(1L << 30);
    int inSteps = crc(first);
    for (int i = 0; i < 3; i++) {
      inSteps = Crc32cCombine.combine(inSteps, gib, 1L << 30);
    }
    assertThat(Crc32cCombine.combine(crc(first), crcOfZeros(3L << 30), 3L << 30))
        .isEqualTo(inSteps);
  }

  /** By doubling: a kibibyte, then twice as many, and so on. */
  private static int crcOfZeros(long length) {
    int sum = 0;
    long done = 0;
    int piece = crc(new byte[1024]);
    for (long bytes = 1024; bytes <= length; bytes <<= 1) {
      if ((length & bytes) != 0) {
        sum = Crc32cCombine.combine(sum, piece, bytes);
        done += bytes;
      }
      piece = Crc32cCombine.combine(piece, piece, bytes);
    }
    assertThat(done).isEqualTo(length);
    return sum;
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
