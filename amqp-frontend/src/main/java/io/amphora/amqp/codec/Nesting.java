package io.amphora.amqp.codec;

/**
 * How deep values are nested: a decoder goes down with them, and the stack ends before the bytes of
 * a message do. Pure.
 */
public final class Nesting {

  /** Deep enough for every request there is. */
  private static final int MOST = 32;

  private Nesting() {}

  /**
   * Looks at encoded values, one behind the other.
   *
   * @throws MalformedMessageException when they are nested too deep, or are no values
   */
  public static void check(byte[] a, int start, int end) throws MalformedMessageException {
    values(a, start, end, 0);
  }

  private static void values(byte[] a, int start, int end, int depth)
      throws MalformedMessageException {
    if (depth > MOST) {
      throw new MalformedMessageException("values are nested too deep");
    }
    int at = start;
    while (at < end) {
      int next = Wire.skip(a, at, end);
      value(a, at, next, depth);
      at = next;
    }
  }

  private static void value(byte[] a, int at, int end, int depth) throws MalformedMessageException {
    int constructor = a[at] & 0xFF;
    if (constructor == 0) {
      values(a, at + 1, end, depth + 1);
    } else if (constructor == 0xe0 || constructor == 0xf0) {
      array(a, at, end);
    } else if (Wire.isMap(constructor) || (Wire.isList(constructor) && constructor != 0x45)) {
      Wire.checkElements(a, at, end);
      values(a, Wire.elements(a, at, end), end, depth + 1);
    }
  }

  /** Arrays of simple values only. */
  private static void array(byte[] a, int at, int end) throws MalformedMessageException {
    boolean small = (a[at] & 0xFF) == 0xe0;
    int element = Wire.u8(a, at + (small ? 3 : 9), end);
    int count = small ? Wire.u8(a, at + 2, end) : Wire.i32(a, at + 5, end);
    int kind = element >>> 4;
    if (element == 0 || kind >= 0xc || count < 0 || count > end - at) {
      throw new MalformedMessageException("an array of what is not simple");
    }
  }
}
