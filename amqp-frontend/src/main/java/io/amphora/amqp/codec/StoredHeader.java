package io.amphora.amqp.codec;

import io.amphora.wal.LogRecord;

/**
 * What a stored header section says.
 *
 * @param durable as sent, default false
 * @param priority as sent, -1 when it was not
 * @param ttlMillis as sent, unsigned, -1 when it was not
 */
public record StoredHeader(boolean durable, int priority, long ttlMillis) {

  private static final StoredHeader NONE = new StoredHeader(false, -1, -1);

  /** Reads the header of a record; one that is missing, or of opaque messages, says nothing. */
  public static StoredHeader of(LogRecord record) {
    if (record.headerLength() == 0) {
      return NONE;
    }
    byte[] a = record.array();
    int end = record.headerStart() + record.headerLength();
    try {
      return read(a, Wire.skip(a, record.headerStart() + 1, end), end);
    } catch (MalformedMessageException e) {
      throw new IllegalStateException("a stored header is damaged", e);
    }
  }

  private static StoredHeader read(byte[] a, int list, int end) throws MalformedMessageException {
    int count = Math.min(3, Wire.count(a, list, end));
    int element = Wire.elements(a, list, end);
    boolean durable = false;
    int priority = -1;
    long ttl = -1;
    for (int i = 0; i < count; i++) {
      int constructor = a[element] & 0xFF;
      int next = Wire.skip(a, element, end);
      if (i == 0) {
        durable = constructor == 0x41 || (constructor == 0x56 && a[element + 1] != 0);
      } else if (i == 1 && constructor == 0x50) {
        priority = a[element + 1] & 0xFF;
      } else if (i == 2) {
        ttl = unsigned(a, element, end);
      }
      element = next;
    }
    return new StoredHeader(durable, priority, ttl);
  }

  private static long unsigned(byte[] a, int at, int end) throws MalformedMessageException {
    return switch (a[at] & 0xFF) {
      case 0x43 -> 0;
      case 0x52 -> a[at + 1] & 0xFF;
      case 0x70 -> Wire.i32(a, at + 1, end) & 0xFFFFFFFFL;
      default -> -1;
    };
  }

  /** True when the time to live is over. */
  public boolean expired(long enqueuedMillis, long nowMillis) {
    return ttlMillis > 0 && nowMillis - enqueuedMillis >= ttlMillis;
  }
}
