package io.amphora.amqp.codec;

import io.amphora.core.delivery.Delivery;
import io.amphora.wal.LogRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.qpid.proton.codec.ReadableBuffer;

/**
 * Puts a stored message on the wire (docs/amqp.md section 4): a new header, the stored message
 * annotations with the broker's own, and the bare message as it is stored, not copied. Owned by one
 * link.
 */
public final class DeliveryEncoder {

  private static final byte[] NOTHING = new byte[0];
  private static final byte[] OFFSET = symbol("x-opt-offset");
  private static final byte[] SEQUENCE_NUMBER = symbol("x-opt-sequence-number");
  private static final byte[] ENQUEUED_TIME = symbol("x-opt-enqueued-time");
  private static final byte[] PARTITION_KEY = symbol("x-opt-partition-key");
  private static final byte[] PARTITION = symbol("x-opt-partition");

  private static final int STRING8 = 0xa1;
  private static final int STRING32 = 0xb1;
  private static final int LONG = 0x81;
  private static final int TIMESTAMP = 0x83;
  private static final int INT = 0x71;

  private final ByteSink sink = new ByteSink();
  private final AnnotationMerge merge = new AnnotationMerge();

  private static byte[] symbol(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer encoded = ByteBuffer.allocate(bytes.length + 2);
    return encoded.put((byte) 0xa3).put((byte) bytes.length).put(bytes).array();
  }

  /**
   * True when a key is one the broker sets itself.
   *
   * @param keyed whether the record has a partition key; an annotation of another type is no key,
   *     and stays what it is
   */
  static boolean isOwn(byte[] a, int start, int end, boolean keyed) {
    return is(a, start, end, OFFSET)
        || is(a, start, end, SEQUENCE_NUMBER)
        || is(a, start, end, ENQUEUED_TIME)
        || (keyed && is(a, start, end, PARTITION_KEY))
        || is(a, start, end, PARTITION);
  }

  private static boolean is(byte[] a, int start, int end, byte[] key) {
    return java.util.Arrays.equals(a, start, end, key, 0, key.length);
  }

  /**
   * Encodes a delivery whose record is whole.
   *
   * @param nowMillis wall clock, for the time to live that is left
   */
  public ReadableBuffer encode(Delivery delivery, long nowMillis) {
    LogRecord record = delivery.record();
    return new TwoPartBuffer(
        head(delivery, nowMillis), record.array(), record.bodyStart(), record.bodyLength());
  }

  /**
   * Encodes what comes before the stored bare message.
   *
   * @param nowMillis wall clock, for the time to live that is left
   */
  public byte[] head(Delivery delivery, long nowMillis) {
    if (delivery.record().messageFormat() != 0) {
      return NOTHING;
    }
    sink.clear();
    header(delivery, nowMillis);
    annotations(delivery);
    return sink.toArray();
  }

  /** The head with the first piece of the bare message; neither is copied. */
  public static ReadableBuffer join(byte[] head, byte[] piece) {
    return new TwoPartBuffer(head, piece, 0, piece.length);
  }

  private void header(Delivery delivery, long nowMillis) {
    LogRecord record = delivery.record();
    StoredHeader stored = StoredHeader.of(record);
    sink.u8(0).u8(0x53).u8(0x70).u8(0xc0).u8(0).u8(5);
    int start = sink.size();
    sink.u8(stored.durable() ? 0x41 : 0x42);
    if (stored.priority() >= 0) {
      sink.u8(0x50).u8(stored.priority());
    } else {
      sink.u8(0x40);
    }
    if (stored.ttlMillis() >= 0) {
      long age = Math.max(0, nowMillis - record.timestamp());
      sink.u8(0x70).i32((int) Math.max(0, stored.ttlMillis() - age));
    } else {
      sink.u8(0x40);
    }
    sink.u8(delivery.firstAcquirer() ? 0x41 : 0x42);
    if (delivery.attempts() == 0) {
      sink.u8(0x43);
    } else {
      sink.u8(0x70).i32(delivery.attempts());
    }
    sink.setByte(start - 2, sink.size() - start + 1);
  }

  private void annotations(Delivery delivery) {
    LogRecord record = delivery.record();
    sink.u8(0).u8(0x53).u8(0x72).u8(0xd1);
    int sizeAt = sink.size();
    sink.i32(0).i32(0);
    int entries = merge.copy(record, delivery.annotations(), sink);
    text(OFFSET, Long.toString(record.offset()).getBytes(StandardCharsets.US_ASCII));
    sink.bytes(SEQUENCE_NUMBER).u8(LONG).i64(record.offset());
    sink.bytes(ENQUEUED_TIME).u8(TIMESTAMP).i64(record.timestamp());
    sink.bytes(PARTITION).u8(INT).i32(delivery.partition());
    entries += 4;
    if (record.hasKey()) {
      ByteBuffer key = record.key();
      byte[] bytes = new byte[key.remaining()];
      key.get(bytes);
      text(PARTITION_KEY, bytes);
      entries++;
    }
    sink.set(sizeAt, sink.size() - sizeAt - 4);
    sink.set(sizeAt + 4, entries * 2);
  }

  private void text(byte[] key, byte[] value) {
    sink.bytes(key);
    if (value.length < 256) {
      sink.u8(STRING8).u8(value.length);
    } else {
      sink.u8(STRING32).i32(value.length);
    }
    sink.bytes(value);
  }
}
