package io.amphora.wal;

import io.amphora.wal.codec.Compression;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * Collects records and seals them into a batch. One owner at a time: a front end fills it, then
 * hands it to the partition, whose leader seals it with offset, epoch and time. After {@link #seal}
 * the builder is spent.
 */
public final class RecordBatchBuilder {

  /** No key. */
  public static final byte[] NO_KEY = new byte[0];

  /** Fewer bytes of records are not worth the work. */
  private static final int LEAST_PLAIN_BYTES = 1 << 10;

  /** More are left as they are: it would keep the loop that does it from its other connections. */
  private static final int MOST_PLAIN_BYTES = 4 << 20;

  private static final byte[] NOT_PACKED = new byte[0];

  private byte[] array;
  private byte[] packed = NOT_PACKED;
  private int size = BatchFormat.HEADER_SIZE;
  private int count;
  private int attributes;
  private long producerId = -1;
  private int producerSequence = -1;
  private long tagBits;
  private boolean sealed;
  private Optional<SpooledBody> spooled = Optional.empty();

  /**
   * @param expectedBytes payload bytes expected; it grows when more come
   */
  public RecordBatchBuilder(int expectedBytes) {
    this.array = new byte[BatchFormat.HEADER_SIZE + Math.max(256, expectedBytes)];
  }

  /** Marks the batch as the broker's own: its records are never delivered. */
  public RecordBatchBuilder control() {
    attributes |= BatchFormat.CONTROL;
    return this;
  }

  /** Sets what the duplicate window compares; the sequence is that of the first record. */
  public RecordBatchBuilder producer(long id, int sequence) {
    producerId = id;
    producerSequence = sequence;
    return this;
  }

  /**
   * Marks the batch as the part of a transaction: who finds it knows which intent is applied.
   *
   * @param epoch leader epoch under which the intent was appended
   * @param offset offset of the intent
   */
  public RecordBatchBuilder transaction(int epoch, long offset) {
    attributes |= BatchFormat.TRANSACTIONAL;
    return producer(offset, epoch);
  }

  /** Whether it is the part of a transaction. */
  public boolean isTransactional() {
    return (attributes & BatchFormat.TRANSACTIONAL) != 0;
  }

  /**
   * Adds a record, copying its bytes; the buffers' positions move to their limits.
   *
   * @param fields what describes the record
   * @param header header section, may be empty
   * @param annotations message annotations section, may be empty
   * @param body bare message and footer
   */
  public RecordBatchBuilder add(
      RecordFields fields, ByteBuffer header, ByteBuffer annotations, ByteBuffer body) {
    checkOpen();
    int bodyLength = body.remaining();
    int bodyStart = addHead(fields, header, annotations, bodyLength, bodyLength);
    body.get(array, bodyStart, bodyLength);
    return this;
  }

  /**
   * Adds the only record of the batch, whose body is all that was spooled. The batch owns the
   * spool's file from now on: when it is not appended, call {@link #discard}.
   *
   * @param header header section, may be empty
   * @param annotations message annotations section, may be empty
   * @param spool bare message and footer; no write of it may be unanswered
   */
  public RecordBatchBuilder addSpooled(
      RecordFields fields, ByteBuffer header, ByteBuffer annotations, Spool spool) {
    checkOpen();
    if (count > 0) {
      throw new IllegalStateException("a spooled record has a batch of its own");
    }
    SpooledBody body = spool.finish();
    spooled = Optional.of(body);
    addHead(fields, header, annotations, body.size(), 0);
    return this;
  }

  /** Erases the spool of a batch that is not appended; does nothing when there is none. */
  public void discard() {
    spooled.ifPresent(SpooledBody::erase);
  }

  /** Everything of a record but its body; returns where that starts. */
  private int addHead(
      RecordFields fields, ByteBuffer header, ByteBuffer annotations, int bodyLength, int room) {
    int key = fields.key().length;
    int headerLength = header.remaining();
    int annotationsLength = annotations.remaining();
    int head = BatchFormat.R_FIXED + key + Math.addExact(headerLength, annotationsLength);
    int total = Math.addExact(head, bodyLength);
    reserve(Math.addExact(head, room));
    int at = size;
    set(at + BatchFormat.R_LENGTH, total - 4);
    set(at + BatchFormat.R_OFFSET_DELTA, count);
    set(at + BatchFormat.R_TIMESTAMP_DELTA, 0);
    set(at + BatchFormat.R_MESSAGE_FORMAT, fields.messageFormat());
    set(at + BatchFormat.R_KEY_HASH, fields.keyHash());
    RecordBatch.LONG.set(array, at + BatchFormat.R_TAG_BITS, fields.tagBits());
    set(at + BatchFormat.R_KEY_LENGTH, fields.hasKey() ? key : -1);
    set(at + BatchFormat.R_HEADER_LENGTH, headerLength);
    set(at + BatchFormat.R_ANNOTATIONS_LENGTH, annotationsLength);
    set(at + BatchFormat.R_BODY_LENGTH, bodyLength);
    System.arraycopy(fields.key(), 0, array, at + BatchFormat.R_FIXED, key);
    int next = at + BatchFormat.R_FIXED + key;
    header.get(array, next, headerLength);
    annotations.get(array, next + headerLength, annotationsLength);
    size += head + room;
    count++;
    tagBits |= fields.tagBits();
    return next + headerLength + annotationsLength;
  }

  /**
   * Compresses the records when there are neither few nor very many, none is spooled, and an eighth
   * is gained at least, else does nothing. Called when the batch is complete, by whoever filled it:
   * it takes up to 15 ms.
   */
  public RecordBatchBuilder compress(Compression how) {
    if (isSpooled()) {
      return this;
    }
    checkOpen();
    int plain = size - BatchFormat.HEADER_SIZE;
    if (how == Compression.NONE || plain < LEAST_PLAIN_BYTES || plain > MOST_PLAIN_BYTES) {
      return this;
    }
    byte[] target = new byte[BatchFormat.PACKED + plain - plain / 8];
    int length = how.compress(array, BatchFormat.HEADER_SIZE, plain, target, BatchFormat.PACKED);
    if (length > 0) {
      packed = Arrays.copyOf(target, BatchFormat.PACKED + length);
      RecordBatch.INT.set(packed, BatchFormat.PLAIN_LENGTH, plain);
      attributes |= how.bits();
    }
    return this;
  }

  private void set(int index, int value) {
    RecordBatch.INT.set(array, index, value);
  }

  private void reserve(int bytes) {
    int needed = Math.addExact(size, bytes);
    if (needed > array.length) {
      long doubled = Math.min(Integer.MAX_VALUE - 64L, array.length * 2L);
      array = Arrays.copyOf(array, (int) Math.max(needed, doubled));
    }
  }

  private void checkOpen() {
    if (sealed || packed != NOT_PACKED) {
      throw new IllegalStateException("the batch is complete");
    }
    if (spooled.isPresent()) {
      throw new IllegalStateException("the batch holds a spooled record");
    }
  }

  /** Records so far. */
  public int count() {
    return count;
  }

  /** Bytes so far, header and spooled body included; a compressed batch counts in both forms. */
  public int sizeInBytes() {
    return heldBytes() + spooledBytes();
  }

  /** Bytes so far without a spooled body: what it takes in memory. */
  public int heldBytes() {
    return size + packed.length;
  }

  /** Whether the body of its one record is in a spool. */
  public boolean isSpooled() {
    return spooled.isPresent();
  }

  private int spooledBytes() {
    return spooled.map(SpooledBody::size).orElse(0);
  }

  /**
   * Gives the batch its place and checksum. With a spooled record it is head only.
   *
   * @param baseOffset offset of the first record
   * @param epoch leader epoch, from 1
   * @param appendMillis append time of all records, milliseconds since 1970
   */
  public RecordBatch seal(long baseOffset, int epoch, long appendMillis) {
    if (sealed) {
      throw new IllegalStateException("the batch is sealed");
    }
    if (count == 0) {
      throw new IllegalStateException("a batch has at least one record");
    }
    sealed = true;
    boolean plain = packed == NOT_PACKED;
    byte[] stored = plain ? array : packed;
    int length = plain ? size : packed.length;
    ByteBuffer header = ByteBuffer.wrap(stored);
    header.putInt(BatchFormat.LENGTH, length + spooledBytes() - 4);
    header.put(BatchFormat.MAGIC_BYTE, BatchFormat.MAGIC);
    header.put(BatchFormat.ATTRIBUTES, (byte) attributes);
    header.putLong(BatchFormat.BASE_OFFSET, baseOffset);
    header.putInt(BatchFormat.EPOCH, epoch);
    header.putInt(BatchFormat.LAST_OFFSET_DELTA, count - 1);
    header.putLong(BatchFormat.FIRST_TIMESTAMP, appendMillis);
    header.putLong(BatchFormat.MAX_TIMESTAMP, appendMillis);
    header.putLong(BatchFormat.PRODUCER_ID, producerId);
    header.putInt(BatchFormat.PRODUCER_SEQUENCE, producerSequence);
    header.putInt(BatchFormat.COUNT, count);
    header.putLong(BatchFormat.TAG_BITS, tagBits);
    int head = RecordBatch.crcOf(stored, 0, length);
    if (spooled.isEmpty()) {
      header.putInt(BatchFormat.CRC, head);
      return new RecordBatch(stored, 0, length, array, BatchFormat.HEADER_SIZE);
    }
    SpooledBody body = spooled.get();
    header.putInt(BatchFormat.CRC, Crc32cCombine.combine(head, body.checksum(), body.size()));
    return new RecordBatch(array, size, sizeInBytes(), spooled);
  }
}
