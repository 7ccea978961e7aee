package io.amphora.amqp.codec;

import java.util.Arrays;

/** A growing byte array for the few bytes in front of a stored message. */
final class ByteSink {

  private byte[] array = new byte[256];
  private int size;

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  ByteSink u8(int value) {
    reserve(1);
    array[size++] = (byte) value;
    return this;
  }

  ByteSink i32(int value) {
    reserve(4);
    set(size, value);
    size += 4;
    return this;
  }

  ByteSink i64(long value) {
    return i32((int) (value >>> 32)).i32((int) value);
  }

  /** Overwrites four bytes written before. */
  void set(int at, int value) {
    array[at] = (byte) (value >>> 24);
    array[at + 1] = (byte) (value >>> 16);
    array[at + 2] = (byte) (value >>> 8);
    array[at + 3] = (byte) value;
  }

  /** Overwrites a byte written before. */
  void setByte(int at, int value) {
    array[at] = (byte) value;
  }

  ByteSink bytes(byte[] source, int start, int length) {
    reserve(length);
    System.arraycopy(source, start, array, size, length);
    size += length;
    return this;
  }

  ByteSink bytes(byte[] source) {
    return bytes(source, 0, source.length);
  }

  private void reserve(int more) {
    if (size + more > array.length) {
      array = Arrays.copyOf(array, Math.max(array.length * 2, size + more));
    }
  }

  byte[] toArray() {
    return Arrays.copyOf(array, size);
  }
}
