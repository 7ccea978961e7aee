package io.amphora.amqp.codec;

import java.nio.ByteBuffer;
import java.nio.charset.CharsetDecoder;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.codec.WritableBuffer;

/**
 * Two arrays in a row as the engine's frame writer reads them: some bytes of our own and a part of
 * a stored batch, which is shared and never written to. The engine uses {@code remaining}, {@code
 * position}, {@code limit} and bulk reads; the rest works on a copy.
 */
final class TwoPartBuffer implements ReadableBuffer {

  private final byte[] first;
  private final byte[] second;
  private final int secondStart;
  private final int capacity;
  private int position;
  private int limit;
  private int mark;

  TwoPartBuffer(byte[] first, byte[] second, int secondStart, int secondLength) {
    this.first = first;
    this.second = second;
    this.secondStart = secondStart;
    this.capacity = first.length + secondLength;
    this.limit = capacity;
  }

  @Override
  public int capacity() {
    return capacity;
  }

  @Override
  public boolean hasArray() {
    return false;
  }

  @Override
  public byte[] array() {
    throw new UnsupportedOperationException("there are two arrays");
  }

  @Override
  public int arrayOffset() {
    throw new UnsupportedOperationException("there are two arrays");
  }

  @Override
  public ReadableBuffer reclaimRead() {
    return this;
  }

  @Override
  public byte get() {
    return get(position++);
  }

  @Override
  public byte get(int index) {
    if (index < 0 || index >= limit) {
      throw new IndexOutOfBoundsException(index);
    }
    return index < first.length ? first[index] : second[secondStart + index - first.length];
  }

  @Override
  public int getInt() {
    return next(4).getInt();
  }

  @Override
  public long getLong() {
    return next(8).getLong();
  }

  @Override
  public short getShort() {
    return next(2).getShort();
  }

  @Override
  public float getFloat() {
    return next(4).getFloat();
  }

  @Override
  public double getDouble() {
    return next(8).getDouble();
  }

  private ByteBuffer next(int count) {
    byte[] bytes = new byte[count];
    get(bytes, 0, count);
    return ByteBuffer.wrap(bytes);
  }

  @Override
  public ReadableBuffer get(byte[] target, int offset, int length) {
    if (length > remaining()) {
      throw new java.nio.BufferUnderflowException();
    }
    int fromFirst = Math.min(length, Math.max(0, first.length - position));
    if (fromFirst > 0) {
      System.arraycopy(first, position, target, offset, fromFirst);
    }
    int rest = length - fromFirst;
    if (rest > 0) {
      int from = secondStart + position + fromFirst - first.length;
      System.arraycopy(second, from, target, offset + fromFirst, rest);
    }
    position += length;
    return this;
  }

  @Override
  public ReadableBuffer get(byte[] target) {
    return get(target, 0, target.length);
  }

  @Override
  public ReadableBuffer get(WritableBuffer target) {
    byte[] bytes = new byte[Math.min(target.remaining(), remaining())];
    get(bytes, 0, bytes.length);
    target.put(bytes, 0, bytes.length);
    return this;
  }

  @Override
  public ReadableBuffer slice() {
    return ReadableBuffer.ByteBufferReader.wrap(byteBuffer());
  }

  @Override
  public ReadableBuffer flip() {
    limit = position;
    position = 0;
    return this;
  }

  @Override
  public ReadableBuffer limit(int value) {
    if (value < position || value > capacity) {
      throw new IllegalArgumentException("limit " + value);
    }
    limit = value;
    return this;
  }

  @Override
  public int limit() {
    return limit;
  }

  @Override
  public ReadableBuffer position(int value) {
    if (value < 0 || value > limit) {
      throw new IllegalArgumentException("position " + value);
    }
    position = value;
    return this;
  }

  @Override
  public int position() {
    return position;
  }

  @Override
  public ReadableBuffer mark() {
    mark = position;
    return this;
  }

  @Override
  public ReadableBuffer reset() {
    return position(mark);
  }

  @Override
  public ReadableBuffer rewind() {
    position = 0;
    return this;
  }

  @Override
  public ReadableBuffer clear() {
    position = 0;
    limit = capacity;
    return this;
  }

  @Override
  public int remaining() {
    return limit - position;
  }

  @Override
  public boolean hasRemaining() {
    return position < limit;
  }

  @Override
  public ReadableBuffer duplicate() {
    TwoPartBuffer copy = new TwoPartBuffer(first, second, secondStart, capacity - first.length);
    copy.limit = limit;
    copy.position = position;
    return copy;
  }

  @Override
  public ByteBuffer byteBuffer() {
    byte[] bytes = new byte[remaining()];
    duplicate().get(bytes);
    return ByteBuffer.wrap(bytes);
  }

  @Override
  public String readUTF8() {
    throw new UnsupportedOperationException("bytes only");
  }

  @Override
  public String readString(CharsetDecoder decoder) {
    throw new UnsupportedOperationException("bytes only");
  }
}
