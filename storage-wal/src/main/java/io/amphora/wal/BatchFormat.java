package io.amphora.wal;

/**
 * Byte layout of a batch and its records, big-endian (docs/protocol.md, "Batch"). The checksum
 * covers everything behind itself, the base offset and the epoch included: a flipped bit in either
 * is found.
 */
public final class BatchFormat {

  /** Magic byte of this version of the format. */
  public static final byte MAGIC = 1;

  /** int32: bytes that follow this field. */
  public static final int LENGTH = 0;

  /** int32: CRC-32C of the bytes from {@link #MAGIC_BYTE} to the end of the batch. */
  public static final int CRC = 4;

  /** int8: {@link #MAGIC}. */
  public static final int MAGIC_BYTE = 8;

  /** int8: bits 0-2 compression (0 none, 1 LZ4, 2 zstd), bit 3 transactional, bit 4 control. */
  public static final int ATTRIBUTES = 9;

  /** int16: 0. */
  public static final int RESERVED = 10;

  /** int64: offset of the first record. */
  public static final int BASE_OFFSET = 12;

  /** int32: leader epoch, from 1. */
  public static final int EPOCH = 20;

  /** int32: offset of the last record minus the base offset. */
  public static final int LAST_OFFSET_DELTA = 24;

  /** int64: append time of the first record, milliseconds since 1970. */
  public static final int FIRST_TIMESTAMP = 28;

  /** int64: largest append time. */
  public static final int MAX_TIMESTAMP = 36;

  /**
   * int64: producer id, -1 when there is none (duplicate window); in a transactional batch the
   * offset of its intent.
   */
  public static final int PRODUCER_ID = 44;

  /**
   * int32: producer sequence of the first record, -1 when there is none; in a transactional batch
   * the epoch of its intent.
   */
  public static final int PRODUCER_SEQUENCE = 52;

  /** int32: number of records. */
  public static final int COUNT = 56;

  /** int64: union of the tag bits of the records. */
  public static final int TAG_BITS = 60;

  /** Size of the batch header; the records follow. */
  public static final int HEADER_SIZE = 68;

  /** Attribute bit of a batch that a transaction put here: it names its intent. */
  public static final int TRANSACTIONAL = 1 << 3;

  /** Attribute bit of a control batch (epoch start, config); its records are never delivered. */
  public static final int CONTROL = 1 << 4;

  /** Attribute bits that name the compression. */
  public static final int COMPRESSION_MASK = 7;

  /** int32 in a compressed batch: size of its records when they are not compressed. */
  public static final int PLAIN_LENGTH = HEADER_SIZE;

  /** Where the compressed bytes start in a compressed batch. */
  public static final int PACKED = PLAIN_LENGTH + 4;

  /**
   * Most bytes of records that a compressed batch may stand for: bounds what a reader allocates.
   */
  public static final int MAX_PLAIN_BYTES = 16 << 20;

  /** int32 in a record: bytes that follow this field. */
  public static final int R_LENGTH = 0;

  /** int32 in a record: its offset minus the base offset. */
  public static final int R_OFFSET_DELTA = 4;

  /** int32 in a record: its append time minus the first timestamp, milliseconds. */
  public static final int R_TIMESTAMP_DELTA = 8;

  /** int32 in a record: AMQP message format. */
  public static final int R_MESSAGE_FORMAT = 12;

  /** int32 in a record: hash of the key, 0 without one. */
  public static final int R_KEY_HASH = 16;

  /** int64 in a record: bloom bits of its tags. */
  public static final int R_TAG_BITS = 20;

  /** int32 in a record: length of the key, -1 without one. */
  public static final int R_KEY_LENGTH = 28;

  /** int32 in a record: length of the header section. */
  public static final int R_HEADER_LENGTH = 32;

  /** int32 in a record: length of the message annotations section. */
  public static final int R_ANNOTATIONS_LENGTH = 36;

  /** int32 in a record: length of the bare message with its footer. */
  public static final int R_BODY_LENGTH = 40;

  /** Fixed part of a record; key, header, annotations and bare message follow. */
  public static final int R_FIXED = 44;

  private BatchFormat() {}
}
