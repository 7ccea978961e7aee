package io.amphora.wal.disk;

import io.amphora.wal.BatchFormat;
import io.amphora.wal.RecordBatch;
import io.amphora.wal.WalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.zip.CRC32C;

/**
 * Walks the batches of one segment file from a position to a limit, checking each. Batches of one
 * chunk share its array, so reading costs one system call and no copy per batch. Larger ones are
 * checked with a small buffer before memory is taken for them: the length may be damaged; and of a
 * large record only the head is taken. One owner thread.
 */
final class BatchScanner {

  private static final int CHECK_BYTES = 256 << 10;
  private static final int FIRST_RECORD_END = BatchFormat.HEADER_SIZE + BatchFormat.R_FIXED;

  private final Path path;
  private final Files.Handle file;
  private final long limit;
  private final int chunkBytes;
  private byte[] chunk = new byte[0];
  private long chunkStart;
  private int chunkLength;
  private long position;
  private LongPredicate verified = at -> false;
  private LongConsumer onVerified = at -> {};
  private long lastVerified = -1;

  /**
   * @param limit bytes of the file that may be looked at
   * @param chunkBytes how much is read at once
   */
  BatchScanner(Path path, Files.Handle file, long limit, int chunkBytes) {
    this.path = path;
    this.file = file;
    this.limit = limit;
    this.chunkBytes = Math.max(chunkBytes, BatchFormat.HEADER_SIZE);
  }

  /**
   * Shares what is known of large batches with other scanners of the same file.
   *
   * @param known whether the checksum of the batch at a position need not be verified again
   * @param found told where a batch lies whose checksum was
   */
  void remember(LongPredicate known, LongConsumer found) {
    verified = known;
    onVerified = found;
  }

  void seek(long to) {
    position = to;
  }

  /** Where the next batch starts. */
  long position() {
    return position;
  }

  /**
   * The batch at the position, which moves behind it; empty at the limit.
   *
   * @throws WalException {@code CORRUPT} naming file and position; the position stays
   */
  Optional<RecordBatch> next() throws IOException {
    if (position >= limit) {
      return Optional.empty();
    }
    if (limit - position < BatchFormat.HEADER_SIZE) {
      throw corrupt("a batch header is cut", position);
    }
    int at = load(position, BatchFormat.HEADER_SIZE);
    long size = 4L + ByteBuffer.wrap(chunk).getInt(at + BatchFormat.LENGTH);
    if (size < BatchFormat.HEADER_SIZE || size > limit - position) {
      throw corrupt("batch length " + (size - 4) + " is impossible", position);
    }
    try {
      RecordBatch batch = parse(position, size);
      position += size;
      return Optional.of(batch);
    } catch (WalException e) {
      throw corrupt(String.valueOf(e.getMessage()), position);
    }
  }

  private RecordBatch parse(long from, long size) throws IOException {
    if (size <= RecordBatch.LARGE_BYTES) {
      return parseWhole(from, (int) size);
    }
    if (!isVerified(from) && !isWhole(from, size)) {
      throw corrupt("checksum mismatch over " + size + " bytes", from);
    }
    lastVerified = from;
    onVerified.accept(from);
    int at = load(from, FIRST_RECORD_END);
    OptionalInt head = RecordBatch.headSize(ByteBuffer.wrap(chunk, at, FIRST_RECORD_END).slice());
    if (head.isEmpty()) {
      return parseWhole(from, (int) size);
    }
    at = load(from, head.getAsInt());
    return RecordBatch.parseHead(Arrays.copyOfRange(chunk, at, at + head.getAsInt()));
  }

  private RecordBatch parseWhole(long from, int size) throws IOException {
    int at = load(from, size);
    return RecordBatch.parse(chunk, at, size);
  }

  private boolean isVerified(long at) {
    return at == lastVerified || verified.test(at);
  }

  /** Bytes of the file as they are, in an array of their own. */
  byte[] bytes(long from, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    AtomicFile.readFully(file, buffer, from);
    if (buffer.hasRemaining()) {
      throw corrupt("the file ends in a batch", from);
    }
    return buffer.array();
  }

  WalException corrupt(String what, long at) {
    return new WalException(
        WalException.Kind.CORRUPT, path + " is damaged at position " + at + ": " + what);
  }

  /** Whether the checksum fits, found with little memory. */
  private boolean isWhole(long from, long size) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(CHECK_BYTES);
    CRC32C crc = new CRC32C();
    long end = from + size;
    int expected = 0;
    for (long at = from; at < end; at += buffer.limit()) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), end - at));
      AtomicFile.readFully(file, buffer, at);
      if (buffer.hasRemaining()) {
        return false;
      }
      buffer.flip();
      if (at == from) {
        expected = buffer.getInt(BatchFormat.CRC);
        buffer.position(BatchFormat.MAGIC_BYTE);
      }
      crc.update(buffer);
    }
    return (int) crc.getValue() == expected;
  }

  /** Makes sure that the bytes are in the chunk; returns their index. */
  private int load(long from, int bytes) throws IOException {
    if (from >= chunkStart && from + bytes <= chunkStart + chunkLength) {
      return (int) (from - chunkStart);
    }
    int length = (int) Math.min(limit - from, Math.max(bytes, chunkBytes));
    ByteBuffer buffer = ByteBuffer.allocate(length);
    AtomicFile.readFully(file, buffer, from);
    chunk = buffer.array();
    chunkStart = from;
    chunkLength = buffer.position();
    if (chunkLength < bytes) {
      throw corrupt("the file ends in a batch", from);
    }
    return 0;
  }

  /**
   * Moves to the next valid batch behind the damage at the position, whose base offset lies in
   * {@code [minOffset, maxOffset)}; false when there is none. The length of the damaged batch is
   * tried first; when what lies there does not follow it, every position is.
   */
  boolean skipDamage(long minOffset, long maxOffset) throws IOException {
    long bad = position;
    if (limit - bad >= BatchFormat.HEADER_SIZE) {
      int at = load(bad, BatchFormat.HEADER_SIZE);
      ByteBuffer header = ByteBuffer.wrap(chunk);
      long next = bad + 4L + header.getInt(at + BatchFormat.LENGTH);
      long offset = minOffset + header.getInt(at + BatchFormat.LAST_OFFSET_DELTA);
      if (next > bad && offset < maxOffset && validAt(next, offset, offset + 1)) {
        position = next;
        return true;
      }
    }
    for (long at = bad + 1; at + BatchFormat.HEADER_SIZE <= limit; at++) {
      if (validAt(at, minOffset, maxOffset)) {
        position = at;
        return true;
      }
    }
    return false;
  }

  private boolean validAt(long at, long minOffset, long maxOffset) throws IOException {
    if (limit - at < BatchFormat.HEADER_SIZE) {
      return false;
    }
    int index = load(at, BatchFormat.HEADER_SIZE);
    ByteBuffer header = ByteBuffer.wrap(chunk);
    if (!looksLikeHeader(header, index)) {
      return false;
    }
    long size = 4L + header.getInt(index + BatchFormat.LENGTH);
    long base = header.getLong(index + BatchFormat.BASE_OFFSET);
    if (size < BatchFormat.HEADER_SIZE || size > limit - at) {
      return false;
    }
    if (base < minOffset || base >= maxOffset) {
      return false;
    }
    try {
      parse(at, size);
      return true;
    } catch (WalException e) {
      return false;
    }
  }

  /** Cheap, and true for hardly any random bytes: what passes is checked byte for byte. */
  private static boolean looksLikeHeader(ByteBuffer header, int index) {
    return header.get(index + BatchFormat.MAGIC_BYTE) == BatchFormat.MAGIC
        && header.getShort(index + BatchFormat.RESERVED) == 0
        && header.getInt(index + BatchFormat.EPOCH) > 0
        && header.getInt(index + BatchFormat.COUNT) > 0
        && header.getInt(index + BatchFormat.LAST_OFFSET_DELTA)
            >= header.getInt(index + BatchFormat.COUNT) - 1;
  }

  /**
   * True when the damage in {@code [from, to)} looks like a write that power loss tore: a whole
   * 512-byte sector of it is zero, so it never reached the disk. The valid batch at {@code to} may
   * begin in that sector: its length starts with zeros, which are there either way. The first
   * sector may be shared with a batch that was forced before; it counts when it is zero from {@code
   * from} on and took the length field with it.
   */
  boolean looksTorn(long from, long to) throws IOException {
    int sector = 512;
    long end = to + Integer.numberOfLeadingZeros(lengthAt(to)) / Byte.SIZE;
    long aligned = (from + sector - 1) / sector * sector;
    if (aligned > from && aligned <= end && isStartLost(from, (int) (aligned - from), to)) {
      return true;
    }
    for (long at = aligned; at + sector <= Math.min(end, limit); at += sector) {
      if (isZero(load(at, sector), sector)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether the first bytes of a batch are zero that were not. Less than a whole length field is
   * often zero anyway: it counts when everything else of the batch is there to prove it was not.
   */
  private boolean isStartLost(long from, int bytes, long to) throws IOException {
    if (!isZero(load(from, bytes), bytes)) {
      return false;
    }
    long size = to - from;
    if (bytes >= Integer.BYTES) {
      return size > Integer.BYTES;
    }
    return size >= BatchFormat.HEADER_SIZE
        && ((size - Integer.BYTES) >> (Byte.SIZE * (Integer.BYTES - bytes))) != 0
        && isWhole(from, size);
  }

  private int lengthAt(long at) throws IOException {
    int index = load(at, BatchFormat.HEADER_SIZE);
    return ByteBuffer.wrap(chunk).getInt(index + BatchFormat.LENGTH);
  }

  /** True when everything from {@code from} to the limit is zero. */
  boolean isZeroFrom(long from) throws IOException {
    for (long at = from; at < limit; ) {
      int length = (int) Math.min(limit - at, 4096);
      if (!isZero(load(at, length), length)) {
        return false;
      }
      at += length;
    }
    return true;
  }

  private boolean isZero(int index, int length) {
    for (int i = index; i < index + length; i++) {
      if (chunk[i] != 0) {
        return false;
      }
    }
    return true;
  }
}
