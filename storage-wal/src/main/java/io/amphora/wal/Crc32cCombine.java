package io.amphora.wal;

/**
 * The CRC-32C of two pieces of bytes one behind the other, from the checksums of each: the first is
 * carried over as many zero bytes as the second has, by squaring the matrix that stands for one
 * zero bit (the method of zlib's {@code crc32_combine}, with the polynomial of Castagnoli).
 */
final class Crc32cCombine {

  /** Castagnoli's polynomial, bits reversed. */
  private static final int POLYNOMIAL = 0x82F63B78;

  private static final int BITS = 32;

  private Crc32cCombine() {}

  /**
   * Checksum of the whole.
   *
   * @param first checksum of the first piece
   * @param second checksum of the second piece
   * @param secondLength bytes of the second piece, at least 0
   */
  static int combine(int first, int second, long secondLength) {
    int carried = first;
    int[] zeros = square(square(square(oneZeroBit()))); // eight zero bits: one byte
    for (long left = secondLength; left > 0; left >>>= 1) {
      if ((left & 1) != 0) {
        carried = times(zeros, carried);
      }
      zeros = square(zeros);
    }
    return carried ^ second;
  }

  /** What one zero bit does to each bit of a checksum. */
  private static int[] oneZeroBit() {
    int[] matrix = new int[BITS];
    matrix[0] = POLYNOMIAL;
    for (int i = 1; i < BITS; i++) {
      matrix[i] = 1 << (i - 1);
    }
    return matrix;
  }

  private static int times(int[] matrix, int vector) {
    int sum = 0;
    for (int i = 0; i < BITS; i++) {
      if ((vector >>> i & 1) != 0) {
        sum ^= matrix[i];
      }
    }
    return sum;
  }

  private static int[] square(int[] matrix) {
    int[] squared = new int[BITS];
    for (int i = 0; i < BITS; i++) {
      squared[i] = times(matrix, matrix[i]);
    }
    return squared;
  }
}
