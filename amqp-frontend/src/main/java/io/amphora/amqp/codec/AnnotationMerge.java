package io.amphora.amqp.codec;

import io.amphora.wal.LogRecord;
import java.util.Arrays;

/**
 * Copies the entries of a stored message annotations section, encoded as they are, without those
 * the broker sets itself, and with those a {@code modified} outcome brought.
 */
final class AnnotationMerge {

  private static final byte[] NONE = new byte[0];

  /** Copies into the sink and returns the number of entries. */
  int copy(LogRecord record, byte[] modified, ByteSink sink) {
    try {
      int entries = 0;
      if (record.annotationsLength() > 0) {
        byte[] a = record.array();
        int end = record.annotationsStart() + record.annotationsLength();
        int map = Wire.skip(a, record.annotationsStart() + 1, end);
        entries += copyMap(new Map(a, map, end, record.hasKey()), modified, sink);
      }
      if (modified.length > 0) {
        entries += copyMap(new Map(modified, 0, modified.length, record.hasKey()), NONE, sink);
      }
      return entries;
    } catch (MalformedMessageException e) {
      // Both were checked before they were stored.
      throw new IllegalStateException("stored annotations are damaged", e);
    }
  }

  private record Map(byte[] array, int start, int end, boolean keyed) {}

  private static int copyMap(Map map, byte[] overridden, ByteSink sink)
      throws MalformedMessageException {
    byte[] a = map.array;
    int count = Wire.count(a, map.start, map.end);
    int key = Wire.elements(a, map.start, map.end);
    int entries = 0;
    for (int i = 0; i < count; i += 2) {
      int value = Wire.skip(a, key, map.end);
      int next = Wire.skip(a, value, map.end);
      if (!DeliveryEncoder.isOwn(a, key, value, map.keyed) && !holds(overridden, a, key, value)) {
        sink.bytes(a, key, next - key);
        entries++;
      }
      key = next;
    }
    return entries;
  }

  private static boolean holds(byte[] map, byte[] a, int start, int end)
      throws MalformedMessageException {
    if (map.length == 0) {
      return false;
    }
    int count = Wire.count(map, 0, map.length);
    int key = Wire.elements(map, 0, map.length);
    for (int i = 0; i < count; i += 2) {
      int value = Wire.skip(map, key, map.length);
      if (Arrays.equals(map, key, value, a, start, end)) {
        return true;
      }
      key = Wire.skip(map, value, map.length);
    }
    return false;
  }
}
