package io.amphora.wal.codec;

import java.util.Optional;

/** How the records of a batch are compressed; the ordinal is what the batch's attributes hold. */
public enum Compression {
  /** Not at all. */
  NONE,
  /** One LZ4 block: fast, little gain. Pure Java. */
  LZ4,
  /** One zstd frame: slower, more gain. Needs a native library. */
  ZSTD;

  private static final Compression[] BY_BITS = values();

  /** The compression that these attribute bits name; empty when they name none. */
  public static Optional<Compression> ofBits(int bits) {
    return bits < BY_BITS.length ? Optional.of(BY_BITS[bits]) : Optional.empty();
  }

  /** The attribute bits that name it. */
  public int bits() {
    return ordinal();
  }

  /**
   * Why it cannot be used on this machine, a sentence without its end; empty when it can. The first
   * call may take 100 ms.
   */
  public Optional<String> problem() {
    return this == ZSTD ? ZstdFrames.problem() : Optional.empty();
  }

  /**
   * Compresses bytes.
   *
   * @param to receives them from {@code at} to its end at most
   * @return their number; -1 when they do not fit, or when it cannot be used here
   */
  public int compress(byte[] from, int start, int length, byte[] to, int at) {
    return switch (this) {
      case NONE -> -1;
      case LZ4 -> Lz4Blocks.compress(from, start, length, to, at);
      case ZSTD -> ZstdFrames.compress(from, start, length, to, at);
    };
  }

  /**
   * Brings bytes back. Takes no memory beside {@code to}, whatever the bytes are.
   *
   * @return true when they filled {@code to} exactly; false for damaged bytes
   */
  public boolean decompress(byte[] from, int start, int length, byte[] to) {
    return switch (this) {
      case NONE -> false;
      case LZ4 -> Lz4Blocks.decompress(from, start, length, to);
      case ZSTD -> ZstdFrames.decompress(from, start, length, to);
    };
  }
}
