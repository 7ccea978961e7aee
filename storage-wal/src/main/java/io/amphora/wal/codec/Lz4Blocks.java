package io.amphora.wal.codec;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * LZ4 blocks without a frame: length and checksum are the batch's. The implementation in Java, so
 * that it works wherever the broker does. Stateless.
 */
final class Lz4Blocks {

  private static final LZ4Factory FACTORY = LZ4Factory.fastestJavaInstance();
  private static final LZ4Compressor COMPRESSOR = FACTORY.fastCompressor();
  private static final LZ4SafeDecompressor DECOMPRESSOR = FACTORY.safeDecompressor();

  private Lz4Blocks() {}

  static int compress(byte[] from, int start, int length, byte[] to, int at) {
    try {
      return COMPRESSOR.compress(from, start, length, to, at, to.length - at);
    } catch (LZ4Exception e) {
      return -1; // how this library says that the target is too small
    }
  }

  static boolean decompress(byte[] from, int start, int length, byte[] to) {
    try {
      return DECOMPRESSOR.decompress(from, start, length, to, 0, to.length) == to.length;
    } catch (LZ4Exception | IndexOutOfBoundsException e) {
      return false;
    }
  }
}
