package io.amphora.wal.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.util.Native;
import java.util.Optional;

/**
 * zstd frames. Each thread keeps its own contexts, because to make one costs more than to compress
 * a small batch; the threads are the event loops and the read thread.
 */
final class ZstdFrames {

  /** Level 3 gains 2 % more and costs half as much again (ADR 0008). */
  private static final int LEVEL = 1;

  private static final Optional<String> PROBLEM = load();

  private static final ThreadLocal<ZstdCompressCtx> COMPRESSOR =
      ThreadLocal.withInitial(
          () ->
              new ZstdCompressCtx()
                  .setLevel(LEVEL)
                  .setChecksum(false)
                  .setContentSize(true)
                  .setDictID(false));

  private static final ThreadLocal<ZstdDecompressCtx> DECOMPRESSOR =
      ThreadLocal.withInitial(ZstdDecompressCtx::new);

  private ZstdFrames() {}

  /** The library unpacks a file into a temporary directory and loads it from there. */
  private static Optional<String> load() {
    try {
      Native.load();
      return Optional.empty();
    } catch (LinkageError | RuntimeException e) {
      String folder =
          System.getProperty("ZstdTempFolder", System.getProperty("java.io.tmpdir", "/tmp"));
      return Optional.of(
          "zstd cannot be used here, its native library cannot be loaded from "
              + folder
              + " ("
              + String.valueOf(e.getMessage()).lines().findFirst().orElse("")
              + "); name a directory that may be written and executed from:"
              + " AMPHORA_JAVA_OPTS=-DZstdTempFolder=DIR");
    }
  }

  static Optional<String> problem() {
    return PROBLEM;
  }

  static int compress(byte[] from, int start, int length, byte[] to, int at) {
    if (PROBLEM.isPresent()) {
      return -1;
    }
    try {
      return COMPRESSOR.get().compressByteArray(to, at, to.length - at, from, start, length);
    } catch (com.github.luben.zstd.ZstdException e) {
      return -1; // the target is too small
    }
  }

  static boolean decompress(byte[] from, int start, int length, byte[] to) {
    if (PROBLEM.isPresent()) {
      throw new UnsupportedOperationException(PROBLEM.get());
    }
    if (Zstd.getFrameContentSize(from, start, length) != to.length) {
      return false;
    }
    try {
      int size = DECOMPRESSOR.get().decompressByteArray(to, 0, to.length, from, start, length);
      return size == to.length;
    } catch (com.github.luben.zstd.ZstdException e) {
      return false;
    }
  }
}
