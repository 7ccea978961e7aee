package io.amphora.wal.disk;

import java.util.Arrays;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * What a disk keeps of a file that was changed and not forced: any of its sectors, and any size.
 */
final class SectorLoss {

  private static final int SECTOR = 512;

  private SectorLoss() {}

  /**
   * A random source for the n-th power loss of a test and one of its seeds. It is mixed: the first
   * coins of all small seeds fall on the same side, so a name would never be lost.
   */
  static Random coins(long at, int seed) {
    return new Random(new SplittableRandom(1000 * at + seed).nextLong());
  }

  static byte[] survivor(byte[] now, byte[] forced, Random random) {
    int length = random.nextBoolean() ? now.length : forced.length;
    byte[] bytes = Arrays.copyOf(forced, length);
    for (int at = 0; at < length; at += SECTOR) {
      int end = Math.min(length, at + SECTOR);
      if (random.nextBoolean() && at < now.length) {
        System.arraycopy(now, at, bytes, at, Math.min(end, now.length) - at);
      }
    }
    return bytes;
  }
}
