package io.amphora.core.partition;

/**
 * Hash of a record's key: MurmurHash3, x86, 32 bits, seed 0, over the key's bytes. Fixed for ever:
 * where records of a key are stored depends on it.
 */
public final class KeyHash {

  private static final int C1 = 0xcc9e2d51;
  private static final int C2 = 0x1b873593;

  private KeyHash() {}

  /** The hash of these bytes. */
  public static int of(byte[] key) {
    int hash = 0;
    int blocks = key.length / 4;
    for (int i = 0; i < blocks; i++) {
      int at = i * 4;
      int block =
          (key[at] & 0xff)
              | (key[at + 1] & 0xff) << 8
              | (key[at + 2] & 0xff) << 16
              | (key[at + 3] & 0xff) << 24;
      hash = Integer.rotateLeft(hash ^ scramble(block), 13) * 5 + 0xe6546b64;
    }
    int tail = 0;
    for (int i = key.length - 1; i >= blocks * 4; i--) {
      tail = tail << 8 | (key[i] & 0xff);
    }
    return finish(hash ^ scramble(tail) ^ key.length);
  }

  private static int scramble(int block) {
    return Integer.rotateLeft(block * C1, 15) * C2;
  }

  private static int finish(int hash) {
    int h = hash;
    h = (h ^ h >>> 16) * 0x85ebca6b;
    h = (h ^ h >>> 13) * 0xc2b2ae35;
    return h ^ h >>> 16;
  }
}
