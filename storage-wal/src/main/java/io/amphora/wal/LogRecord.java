package io.amphora.wal;

import java.nio.ByteBuffer;

/**
 * View of one record in a batch; holds the batch, copies nothing. The three sections are opaque
 * here: what they mean is the front end's business. The body of a large record may be missing: see
 * {@link #isWhole}.
 */
public final class LogRecord {

  private final RecordBatch batch;
  private final int position;

  LogRecord(RecordBatch batch, int position) {
    this.batch = batch;
    this.position = position;
  }

  /** Index after the record, or -1 when its lengths do not add up or pass {@code limit}. */
  static int endOf(byte[] array, int position, int limit) {
    int length = intAt(array, position + BatchFormat.R_LENGTH);
    long key = Math.max(0, intAt(array, position + BatchFormat.R_KEY_LENGTH));
    long header = intAt(array, position + BatchFormat.R_HEADER_LENGTH);
    long annotations = intAt(array, position + BatchFormat.R_ANNOTATIONS_LENGTH);
    long body = intAt(array, position + BatchFormat.R_BODY_LENGTH);
    if (length < 0 || header < 0 || annotations < 0 || body < 0) {
      return -1;
    }
    long end = (long) position + BatchFormat.R_FIXED + key + header + annotations + body;
    return end == (long) position + 4 + length && end <= limit ? (int) end : -1;
  }

  private static int intAt(byte[] array, int index) {
    return (int) RecordBatch.INT.get(array, index);
  }

  private int field(int offset) {
    return intAt(batch.content(), position + offset);
  }

  public RecordBatch batch() {
    return batch;
  }

  /** The array that holds the sections. Never write to it. */
  public byte[] array() {
    return batch.content();
  }

  public long offset() {
    return batch.baseOffset() + field(BatchFormat.R_OFFSET_DELTA);
  }

  /** Append time, milliseconds since 1970. */
  public long timestamp() {
    return batch.firstTimestamp() + field(BatchFormat.R_TIMESTAMP_DELTA);
  }

  /** AMQP message format as sent; 0 for ordinary messages. */
  public int messageFormat() {
    return field(BatchFormat.R_MESSAGE_FORMAT);
  }

  public boolean hasKey() {
    return field(BatchFormat.R_KEY_LENGTH) >= 0;
  }

  /** Hash of the key, 0 without one. */
  public int keyHash() {
    return field(BatchFormat.R_KEY_HASH);
  }

  /** Bloom bits of the tags. */
  public long tagBits() {
    return (long) RecordBatch.LONG.get(batch.content(), position + BatchFormat.R_TAG_BITS);
  }

  private int keyLength() {
    return Math.max(0, field(BatchFormat.R_KEY_LENGTH));
  }

  public int headerLength() {
    return field(BatchFormat.R_HEADER_LENGTH);
  }

  public int annotationsLength() {
    return field(BatchFormat.R_ANNOTATIONS_LENGTH);
  }

  /** Bytes of bare message and footer, also when they are not here. */
  public int bodyLength() {
    return field(BatchFormat.R_BODY_LENGTH);
  }

  /** Index of the header section in {@link #array}; the annotations follow it. */
  public int headerStart() {
    return position + BatchFormat.R_FIXED + keyLength();
  }

  public int annotationsStart() {
    return headerStart() + headerLength();
  }

  /**
   * Whether the body is here. When it is not, it is read piece by piece with {@link
   * WalLog#readBody}, or the partition's form of it.
   */
  public boolean isWhole() {
    return !batch.isHeadOnly();
  }

  /** Bytes of it in memory: key and sections that are here. */
  public int heldSize() {
    return isWhole() ? payloadSize() : payloadSize() - bodyLength();
  }

  /**
   * Index of the body in {@link #array}.
   *
   * @throws IllegalStateException when it is not whole
   */
  public int bodyStart() {
    if (!isWhole()) {
      throw new IllegalStateException("the body of offset " + offset() + " is not in memory");
    }
    return annotationsStart() + annotationsLength();
  }

  /** Key bytes, empty without a key; read-only view. */
  public ByteBuffer key() {
    return slice(position + BatchFormat.R_FIXED, keyLength());
  }

  /** Header section as sent, maybe empty; read-only view. */
  public ByteBuffer header() {
    return slice(headerStart(), headerLength());
  }

  /** Message annotations section as sent, maybe empty; read-only view. */
  public ByteBuffer annotations() {
    return slice(annotationsStart(), annotationsLength());
  }

  /**
   * Bare message and footer, byte for byte as sent; read-only view.
   *
   * @throws IllegalStateException when it is not whole
   */
  public ByteBuffer body() {
    return slice(bodyStart(), bodyLength());
  }

  /** Bytes of key and sections together, also when the body is not here. */
  public int payloadSize() {
    return field(BatchFormat.R_LENGTH) + 4 - BatchFormat.R_FIXED;
  }

  private ByteBuffer slice(int start, int length) {
    return ByteBuffer.wrap(batch.content(), start, length).slice().asReadOnlyBuffer();
  }
}
