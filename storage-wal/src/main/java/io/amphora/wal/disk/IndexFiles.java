package io.amphora.wal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Stores a segment's index in its two files, and loads it back. Each file is entries and a trailer
 * with two checksums; what does not fit is treated as missing, and the index is rebuilt from the
 * log (docs/protocol.md "Index files").
 */
final class IndexFiles {

  private static final int MAGIC = 0x414d5849; // AMXI
  private static final int TRAILER = 40;
  private static final int OFFSET_ENTRY = 8;
  private static final int TIME_ENTRY = 12;
  private static final int MAX_ENTRIES = 1 << 24;

  /**
   * What an index says about its segment.
   *
   * @param entries number of entries
   * @param covered bytes of the log file it describes; all of them were forced before
   * @param endOffset offset behind them, relative to the base
   * @param firstTime earliest timestamp
   * @param maxTime largest timestamp
   */
  record Summary(int entries, int covered, int endOffset, long firstTime, long maxTime) {}

  /** An index with its summary. */
  record Loaded(SegmentIndex index, Summary summary) {}

  private IndexFiles() {}

  /** Replaces both files atomically; the caller forces the directory. */
  static void store(Files files, PartitionFolder folder, long base, Loaded content)
      throws IOException {
    SegmentIndex index = content.index();
    int count = content.summary().entries();
    ByteBuffer offsets = ByteBuffer.allocate(count * OFFSET_ENTRY + TRAILER);
    ByteBuffer times = ByteBuffer.allocate(count * TIME_ENTRY + TRAILER);
    for (int i = 0; i < count; i++) {
      offsets.putInt(index.offset(i)).putInt(index.position(i));
      times.putLong(index.maxTimeBefore(i)).putInt(index.offset(i));
    }
    putTrailer(offsets, content.summary());
    putTrailer(times, content.summary());
    replace(files, folder.indexFile(base), offsets);
    replace(files, folder.timeIndexFile(base), times);
  }

  private static void replace(Files files, Path file, ByteBuffer content) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + AtomicFile.TEMPORARY);
    try (Files.Handle handle = files.open(temporary, Files.Mode.CREATE)) {
      handle.truncate(0);
      handle.write(content, 0);
      handle.force();
    }
    files.rename(temporary, file);
  }

  private static void putTrailer(ByteBuffer buffer, Summary summary) {
    int start = buffer.position();
    int entriesCrc = crcOf(buffer, 0);
    buffer.putInt(MAGIC).putInt(summary.entries()).putInt(summary.covered());
    buffer.putInt(summary.endOffset()).putLong(summary.firstTime()).putLong(summary.maxTime());
    buffer.putInt(entriesCrc);
    buffer.putInt(crcOf(buffer, start));
    buffer.flip();
  }

  /** Checksum of what was put from {@code start} on. */
  private static int crcOf(ByteBuffer buffer, int start) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate().flip().position(start));
    return (int) crc.getValue();
  }

  private static int crc(byte[] array, int start, int length) {
    CRC32C crc = new CRC32C();
    crc.update(array, start, length);
    return (int) crc.getValue();
  }

  /** The summary alone, from the trailer of the time index; empty when missing or damaged. */
  static Optional<Summary> summary(Files files, PartitionFolder folder, long base)
      throws IOException {
    Path file = folder.timeIndexFile(base);
    if (!files.exists(file) || !files.exists(folder.indexFile(base))) {
      return Optional.empty();
    }
    try (Files.Handle handle = files.open(file, Files.Mode.READ)) {
      long size = handle.size();
      if (size < TRAILER) {
        return Optional.empty();
      }
      ByteBuffer trailer = ByteBuffer.allocate(TRAILER);
      AtomicFile.readFully(handle, trailer, size - TRAILER);
      return parseTrailer(trailer.array(), 0)
          .filter(found -> (long) found.entries() * TIME_ENTRY + TRAILER == size);
    }
  }

  /** Both files; empty when one is missing, damaged or does not belong to the other. */
  static Optional<Loaded> load(Files files, PartitionFolder folder, long base) throws IOException {
    Optional<byte[]> offsets = content(files, folder.indexFile(base), OFFSET_ENTRY);
    Optional<byte[]> times = content(files, folder.timeIndexFile(base), TIME_ENTRY);
    if (offsets.isEmpty() || times.isEmpty()) {
      return Optional.empty();
    }
    Optional<Summary> summary = parseTrailer(offsets.get(), offsets.get().length - TRAILER);
    if (!summary.equals(parseTrailer(times.get(), times.get().length - TRAILER))) {
      return Optional.empty();
    }
    return summary.flatMap(
        found -> index(offsets.get(), times.get(), found).map(i -> new Loaded(i, found)));
  }

  private static Optional<SegmentIndex> index(byte[] offsets, byte[] times, Summary summary) {
    SegmentIndex index = new SegmentIndex(summary.entries());
    ByteBuffer offsetBuffer = ByteBuffer.wrap(offsets);
    ByteBuffer timeBuffer = ByteBuffer.wrap(times);
    int lastOffset = -1;
    int lastPosition = -1;
    for (int i = 0; i < summary.entries(); i++) {
      int offset = offsetBuffer.getInt();
      int position = offsetBuffer.getInt();
      if (offset <= lastOffset || position <= lastPosition || position >= summary.covered()) {
        return Optional.empty();
      }
      index.add(offset, position, timeBuffer.getLong());
      timeBuffer.getInt();
      lastOffset = offset;
      lastPosition = position;
    }
    return Optional.of(index);
  }

  private static Optional<byte[]> content(Files files, Path file, int entrySize)
      throws IOException {
    if (!files.exists(file)) {
      return Optional.empty();
    }
    try (Files.Handle handle = files.open(file, Files.Mode.READ)) {
      long size = handle.size();
      if (size < TRAILER || size > (long) MAX_ENTRIES * entrySize + TRAILER) {
        return Optional.empty();
      }
      ByteBuffer buffer = ByteBuffer.allocate((int) size);
      AtomicFile.readFully(handle, buffer, 0);
      int end = (int) size - TRAILER;
      byte[] array = buffer.array();
      boolean fits =
          parseTrailer(array, end)
              .filter(found -> (long) found.entries() * entrySize == end)
              .filter(found -> ByteBuffer.wrap(array).getInt(end + 32) == crc(array, 0, end))
              .isPresent();
      return fits ? Optional.of(array) : Optional.empty();
    }
  }

  private static Optional<Summary> parseTrailer(byte[] array, int start) {
    ByteBuffer trailer = ByteBuffer.wrap(array, start, TRAILER);
    int expected = ByteBuffer.wrap(array).getInt(start + TRAILER - 4);
    if (trailer.getInt() != MAGIC || crc(array, start, TRAILER - 4) != expected) {
      return Optional.empty();
    }
    Summary summary =
        new Summary(
            trailer.getInt(),
            trailer.getInt(),
            trailer.getInt(),
            trailer.getLong(),
            trailer.getLong());
    boolean sane = summary.entries() >= 0 && summary.covered() >= 0 && summary.endOffset() >= 0;
    return sane ? Optional.of(summary) : Optional.empty();
  }
}
