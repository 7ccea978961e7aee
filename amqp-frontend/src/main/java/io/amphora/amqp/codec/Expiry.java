package io.amphora.amqp.codec;

import io.amphora.wal.LogRecord;
import java.util.Optional;

/**
 * When a stored message is over: at its absolute-expiry-time, else its ttl after it was appended
 * (conventions 9). Pure.
 */
public final class Expiry {

  private static final int PROPERTIES = 0x73;
  private static final int TIMESTAMP = 0x83;

  /** Index among the properties (part 3, section 3.2.4). */
  private static final int ABSOLUTE_EXPIRY_TIME = 8;

  private static final long NONE = 0;

  private Expiry() {}

  /** True when nobody may get the message any more. The record is whole. */
  public static boolean isOver(LogRecord record, long nowMillis) {
    if (record.messageFormat() != 0) {
      return false;
    }
    int at = record.bodyStart();
    try {
      return isOver(record, absolute(record.array(), at, at + record.bodyLength()), nowMillis);
    } catch (MalformedMessageException e) {
      throw new IllegalStateException("stored properties are damaged", e);
    }
  }

  /**
   * The same for a record that is not whole.
   *
   * @param body its first bytes
   * @return empty when the properties are longer than that
   */
  public static Optional<Boolean> isOver(LogRecord record, byte[] body, long nowMillis) {
    if (record.messageFormat() != 0) {
      return Optional.of(false);
    }
    try {
      return Optional.of(isOver(record, absolute(body, 0, body.length), nowMillis));
    } catch (MalformedMessageException e) {
      return Optional.empty();
    }
  }

  private static boolean isOver(LogRecord record, long absolute, long nowMillis) {
    return absolute > NONE
        ? nowMillis >= absolute
        : StoredHeader.of(record).expired(record.timestamp(), nowMillis);
  }

  private static long absolute(byte[] a, int at, int end) throws MalformedMessageException {
    if (at == end) {
      return NONE;
    }
    int list = MessageScanner.valueOf(a, at, end);
    if (MessageScanner.codeOf(a, at, list, end) != PROPERTIES
        || Wire.count(a, list, end) <= ABSOLUTE_EXPIRY_TIME) {
      return NONE;
    }
    int element = Wire.elements(a, list, end);
    for (int i = 0; i < ABSOLUTE_EXPIRY_TIME; i++) {
      element = Wire.skip(a, element, end);
    }
    return Wire.u8(a, element, end) == TIMESTAMP ? i64(a, element + 1, end) : NONE;
  }

  private static long i64(byte[] a, int at, int end) throws MalformedMessageException {
    return ((long) Wire.i32(a, at, end) << 32) | (Wire.i32(a, at + 4, end) & 0xFFFFFFFFL);
  }
}
