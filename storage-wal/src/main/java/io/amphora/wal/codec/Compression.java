package io.amphora.wal.codec;

import java.util.Optional;

/** How the records of a batch are compressed. */
public enum Compression {
  /** Not at all. */
  NONE(0),
  /** One LZ4 block: fast, little gain. Pure Java. */
  LZ4(1),
  /** One zstd frame: slower, more gain. Needs a native library. */
  ZSTD(2);

  private final int bits;

  Compression(int bits) {
    this.bits = bits;
  }

  /** The compression that these attribute bits name; empty when they name none. */
  public static Optional<Compression> ofBits(int bits) {
    return switch (bits) {
      case 0 -> Optional.of(NONE);
      case 1 -> Optional.of(LZ4);
      case 2 -> Optional.of(ZSTD);
      default -> Optional.empty();
    };
  }

  /** The attribute bits of a batch that name it, 0 to 7. */
  public int bits() {
    return bits;
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
