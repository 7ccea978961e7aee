package io.amphora.wal;

import io.amphora.wal.codec.Compression;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/**
 * An immutable, sealed batch: the same bytes on disk, between brokers and in the tail cache. Safe
 * to share between threads. Nobody writes to {@link #array}.
 *
 * <p>The records of a compressed batch are in an array of their own: the builder leaves them there,
 * and {@link #opened} brings back those of a batch that was read. So no partition loop ever
 * decompresses.
 *
 * <p>A batch of one large record may be <em>head only</em>: in memory is everything up to the body
 * of the record, while {@link #size} and the checksum are those of the whole. The body is in a
 * spool ({@link #spooled}) when the batch is to be appended, else in the log ({@link
 * WalLog#readBody}).
 */
public final class RecordBatch implements Iterable<LogRecord> {

  static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final byte[] NOT_OPENED = new byte[0];

  /** A batch of one record that is larger than this is read from a log as head only; bytes. */
  public static final int LARGE_BYTES = 2 << 20;

  private final byte[] array;
  private final int start;
  private final int size;
  private final int held;
  private final Optional<SpooledBody> spooled;
  private final byte[] content;
  private final int contentStart;

  RecordBatch(byte[] array, int start, int size) {
    this(array, start, size, array, start + BatchFormat.HEADER_SIZE);
  }

  /** Head only: {@code held} bytes are in the array. */
  RecordBatch(byte[] array, int held, int size, Optional<SpooledBody> spooled) {
    this.array = array;
    this.start = 0;
    this.size = size;
    this.held = held;
    this.spooled = spooled;
    this.content = array;
    this.contentStart = BatchFormat.HEADER_SIZE;
  }

  /**
   * @param content holds the records, not compressed; {@link #NOT_OPENED} when nobody has them yet
   */
  RecordBatch(byte[] array, int start, int size, byte[] content, int contentStart) {
    this.array = array;
    this.start = start;
    this.size = size;
    this.held = size;
    this.spooled = Optional.empty();
    this.content = content;
    this.contentStart = contentStart;
  }

  /**
   * Wraps stored bytes after checking them. Compressed records are not looked at before {@link
   * #opened}: who only walks the log need not decompress.
   *
   * @param array bytes that nobody will write to any more
   * @param start index of the batch's first byte
   * @param available bytes from there on; may hold more than the batch
   * @throws WalException {@code CORRUPT} when length, magic, checksum or record lengths are wrong
   */
  public static RecordBatch parse(byte[] array, int start, int available) {
    if (available < BatchFormat.HEADER_SIZE) {
      throw corrupt("batch header is cut: " + available + " bytes");
    }
    int length = (int) INT.get(array, start + BatchFormat.LENGTH);
    if (length < BatchFormat.HEADER_SIZE - 4 || length > available - 4) {
      throw corrupt("batch length " + length + " does not fit in " + available + " bytes");
    }
    boolean packed = (array[start + BatchFormat.ATTRIBUTES] & BatchFormat.COMPRESSION_MASK) != 0;
    RecordBatch batch =
        packed
            ? new RecordBatch(array, start, length + 4, NOT_OPENED, 0)
            : new RecordBatch(array, start, length + 4);
    batch.check();
    return batch;
  }

  /**
   * Bytes of the head of a batch of one record: all but the record's body. Looks at lengths only.
   *
   * @param prefix at least {@code HEADER_SIZE + R_FIXED} bytes of the batch, from its start
   * @return empty when the batch is compressed, has not exactly one record, or its lengths do not
   *     add up
   */
  public static OptionalInt headSize(ByteBuffer prefix) {
    int size = 4 + prefix.getInt(BatchFormat.LENGTH);
    long body = prefix.getInt(BatchFormat.HEADER_SIZE + BatchFormat.R_BODY_LENGTH);
    long head = size - body;
    boolean plain = (prefix.get(BatchFormat.ATTRIBUTES) & BatchFormat.COMPRESSION_MASK) == 0;
    boolean single = plain && prefix.getInt(BatchFormat.COUNT) == 1;
    boolean fits = body >= 0 && head >= BatchFormat.HEADER_SIZE + BatchFormat.R_FIXED;
    return single && fits ? OptionalInt.of((int) head) : OptionalInt.empty();
  }

  /**
   * Wraps the head of a stored batch whose checksum was verified over the whole by the caller.
   *
   * @param head all bytes up to the body of its one record ({@link #headSize})
   * @throws WalException {@code CORRUPT} when it is no head of a valid batch
   */
  public static RecordBatch parseHead(byte[] head) {
    if (head.length < BatchFormat.HEADER_SIZE + BatchFormat.R_FIXED
        || headSize(ByteBuffer.wrap(head)).orElse(-1) != head.length) {
      throw corrupt("not the head of a batch of one record: " + head.length + " bytes");
    }
    int size = 4 + (int) INT.get(head, BatchFormat.LENGTH);
    RecordBatch batch = new RecordBatch(head, head.length, size, Optional.empty());
    batch.checkFields();
    return batch;
  }

  private void check() {
    checkMagic();
    int crc = crcOf(array, start, size);
    if (crc != (int) INT.get(array, start + BatchFormat.CRC)) {
      throw corrupt("checksum mismatch at base offset " + baseOffset());
    }
    checkFields();
  }

  private void checkMagic() {
    if (array[start + BatchFormat.MAGIC_BYTE] != BatchFormat.MAGIC) {
      throw corrupt("unknown magic byte " + array[start + BatchFormat.MAGIC_BYTE]);
    }
  }

  private void checkFields() {
    checkMagic();
    int lastDelta = (int) INT.get(array, start + BatchFormat.LAST_OFFSET_DELTA);
    if (baseOffset() < 0 || lastDelta < 0 || baseOffset() > Long.MAX_VALUE - 1 - lastDelta) {
      throw corrupt("impossible offsets from " + baseOffset());
    }
    if (count() < 1 || count() - 1 > lastDelta) {
      throw corrupt(count() + " records do not fit at base offset " + baseOffset());
    }
    if (Compression.ofBits(compressionBits()).isEmpty()) {
      throw corrupt("unknown compression at base offset " + baseOffset());
    }
    if (isOpen()) {
      checkRecords();
    } else {
      checkPlainLength();
    }
  }

  /** Before memory is taken for it. */
  private void checkPlainLength() {
    boolean cut = size <= BatchFormat.PACKED;
    int plain = cut ? 0 : (int) INT.get(array, start + BatchFormat.PLAIN_LENGTH);
    if (plain < (long) count() * BatchFormat.R_FIXED || plain > BatchFormat.MAX_PLAIN_BYTES) {
      throw corrupt("impossible uncompressed length " + plain + " at base offset " + baseOffset());
    }
  }

  private void checkRecords() {
    int lastDelta = (int) INT.get(array, start + BatchFormat.LAST_OFFSET_DELTA);
    int position = contentStart;
    int end = contentStart + plainSize();
    int left = count();
    int previous = -1;
    while (left-- > 0) {
      if (end - position < BatchFormat.R_FIXED) {
        throw corrupt("record is cut at base offset " + baseOffset());
      }
      int next = LogRecord.endOf(content, position, end);
      if (next < 0) {
        throw corrupt("record lengths do not add up at base offset " + baseOffset());
      }
      int delta = (int) INT.get(content, position + BatchFormat.R_OFFSET_DELTA);
      if (delta <= previous || delta > lastDelta) {
        throw corrupt("records are out of order at base offset " + baseOffset());
      }
      previous = delta;
      position = next;
    }
    if (position != end) {
      throw corrupt("bytes behind the last record at base offset " + baseOffset());
    }
  }

  private static WalException corrupt(String message) {
    return new WalException(WalException.Kind.CORRUPT, message);
  }

  private boolean isOpen() {
    return content != NOT_OPENED;
  }

  /**
   * The batch with its records at hand: itself, unless it is compressed and was read. Takes {@link
   * #plainSize} bytes of memory.
   *
   * @throws WalException {@code CORRUPT} when the compressed bytes are damaged, {@code IO} when
   *     they cannot be read on this machine
   */
  public RecordBatch opened() {
    if (isOpen()) {
      return this;
    }
    compression()
        .problem()
        .ifPresent(
            why -> {
              throw new WalException(WalException.Kind.IO, why);
            });
    byte[] plain = new byte[plainSize()];
    int from = start + BatchFormat.PACKED;
    if (!compression().decompress(array, from, start + size - from, plain)) {
      throw corrupt("compressed records are damaged at base offset " + baseOffset());
    }
    RecordBatch opened = new RecordBatch(array, start, size, plain, 0);
    opened.checkRecords();
    return opened;
  }

  private int compressionBits() {
    return array[start + BatchFormat.ATTRIBUTES] & BatchFormat.COMPRESSION_MASK;
  }

  /** How its records are compressed. */
  public Compression compression() {
    return Compression.ofBits(compressionBits()).orElseThrow();
  }

  /** Bytes of its records, not compressed. */
  public int plainSize() {
    return compressionBits() == 0
        ? size - BatchFormat.HEADER_SIZE
        : (int) INT.get(array, start + BatchFormat.PLAIN_LENGTH);
  }

  /** Bytes that it takes when its records are at hand: those of the head when it is head only. */
  public int openedBytes() {
    return compressionBits() == 0 ? held : BatchFormat.HEADER_SIZE + plainSize();
  }

  /** What it keeps from the collector: its arrays may be larger than it. Bytes. */
  public long memory() {
    return content == array ? array.length : (long) array.length + content.length;
  }

  /** The array that holds the records, not compressed. */
  byte[] content() {
    return content;
  }

  static int crcOf(byte[] array, int start, int size) {
    CRC32C crc = new CRC32C();
    crc.update(array, start + BatchFormat.MAGIC_BYTE, size - BatchFormat.MAGIC_BYTE);
    return (int) crc.getValue();
  }

  /** Offset of the first record. */
  public long baseOffset() {
    return (long) LONG.get(array, start + BatchFormat.BASE_OFFSET);
  }

  /** Offset after the last record. */
  public long endOffset() {
    return baseOffset() + (int) INT.get(array, start + BatchFormat.LAST_OFFSET_DELTA) + 1;
  }

  /** Leader epoch under which it was appended, from 1. */
  public int epoch() {
    return (int) INT.get(array, start + BatchFormat.EPOCH);
  }

  /** Number of records; smaller than {@code endOffset - baseOffset} after compaction. */
  public int count() {
    return (int) INT.get(array, start + BatchFormat.COUNT);
  }

  /** True when its records are the broker's own and never delivered. */
  public boolean isControl() {
    return (array[start + BatchFormat.ATTRIBUTES] & BatchFormat.CONTROL) != 0;
  }

  /** True when it is the part of the transaction whose intent has this epoch and offset. */
  public boolean isOfTransaction(int epoch, long offset) {
    boolean transactional =
        (array[start + BatchFormat.ATTRIBUTES] & BatchFormat.TRANSACTIONAL) != 0;
    return transactional
        && (long) LONG.get(array, start + BatchFormat.PRODUCER_ID) == offset
        && (int) INT.get(array, start + BatchFormat.PRODUCER_SEQUENCE) == epoch;
  }

  /** Append time of the first record, milliseconds since 1970. */
  public long firstTimestamp() {
    return (long) LONG.get(array, start + BatchFormat.FIRST_TIMESTAMP);
  }

  /** Largest append time, milliseconds since 1970. */
  public long maxTimestamp() {
    return (long) LONG.get(array, start + BatchFormat.MAX_TIMESTAMP);
  }

  /** Union of the tag bits of its records. */
  public long tagBits() {
    return (long) LONG.get(array, start + BatchFormat.TAG_BITS);
  }

  /** Bytes of the whole batch, also when it is head only. */
  public int size() {
    return size;
  }

  /** Bytes of it that are in {@link #array}: all, or those of the head. */
  public int heldBytes() {
    return held;
  }

  /** Whether the body of its one record is not in memory. */
  public boolean isHeadOnly() {
    return held < size;
  }

  /** The body of its one record, when that is on its way into a log. */
  public Optional<SpooledBody> spooled() {
    return spooled;
  }

  /**
   * The bytes, read-only view, position 0 to {@link #size}.
   *
   * @throws IllegalStateException when it is head only
   */
  public ByteBuffer bytes() {
    if (isHeadOnly()) {
      throw new IllegalStateException(this + " is head only");
    }
    return ByteBuffer.wrap(array, start, size).slice().asReadOnlyBuffer();
  }

  /** Backing array; the batch, or its head, starts at {@link #arrayStart}. Never write to it. */
  public byte[] array() {
    return array;
  }

  public int arrayStart() {
    return start;
  }

  /** The records; of a compressed batch that was read, see {@link #opened}. */
  @Override
  public Iterator<LogRecord> iterator() {
    return opened().new RecordIterator();
  }

  @Override
  public String toString() {
    return "batch[" + baseOffset() + "," + endOffset() + ") epoch " + epoch();
  }

  private final class RecordIterator implements Iterator<LogRecord> {
    private int position = contentStart;
    private int left = count();

    @Override
    public boolean hasNext() {
      return left > 0;
    }

    @Override
    public LogRecord next() {
      if (left <= 0) {
        throw new NoSuchElementException();
      }
      left--;
      LogRecord record = new LogRecord(RecordBatch.this, position);
      position += 4 + (int) INT.get(content, position + BatchFormat.R_LENGTH);
      return record;
    }
  }
}
