package io.amphora.wal.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Damages one file of a data directory at random: bits, ranges, length, or all of it. */
final class Damage {

  /** What was done; a moved piece may be a valid batch in a wrong place. */
  record Done(Path file, String what, boolean moved) {}

  private Damage() {}

  static Done any(SimulatedFiles disk, Random random) {
    List<Path> files =
        disk.paths().stream()
            .filter(path -> !path.endsWith("lock") && isFile(disk, path))
            .sorted()
            .toList();
    Path file = files.get(random.nextInt(files.size()));
    byte[] bytes = disk.content(file);
    int kind = random.nextInt(9);
    if (kind == 0) {
      delete(disk, file);
      return new Done(file, "deleted", false);
    }
    disk.setContent(file, changed(bytes, kind, random));
    return new Done(file, "kind " + kind, kind == 8);
  }

  private static boolean isFile(SimulatedFiles disk, Path path) {
    return path.getFileName().toString().contains(".") || disk.content(path).length > 0;
  }

  private static void delete(SimulatedFiles disk, Path file) {
    try {
      disk.delete(file);
      disk.forceDirectory(file.getParent());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] changed(byte[] bytes, int kind, Random random) {
    int length = bytes.length;
    if (length == 0) {
      return new byte[1 + random.nextInt(100)];
    }
    int at = random.nextInt(length);
    int end = Math.min(length, at + 1 + random.nextInt(random.nextBoolean() ? 8 : 5000));
    switch (kind) {
      case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> Arrays.fill(bytes, at, end, (byte) 0);
      case 3 -> {
        byte[] noise = new byte[end - at];
        random.nextBytes(noise);
        System.arraycopy(noise, 0, bytes, at, noise.length);
      }
      case 4 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 5 -> {
        return Arrays.copyOf(bytes, length + 1 + random.nextInt(5000));
      }
      case 6 -> {
        byte[] longer = Arrays.copyOf(bytes, length + 1 + random.nextInt(500));
        for (int i = length; i < longer.length; i++) {
          longer[i] = (byte) random.nextInt(256);
        }
        return longer;
      }
      case 7 -> Arrays.fill(bytes, at & ~511, Math.min(length, (at & ~511) + 512), (byte) 0);
      default ->
          System.arraycopy(bytes, random.nextInt(length - (end - at) + 1), bytes, at, end - at);
    }
    return bytes;
  }
}
