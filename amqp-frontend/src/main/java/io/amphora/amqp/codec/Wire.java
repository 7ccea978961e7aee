package io.amphora.amqp.codec;

/**
 * The AMQP type system as far as it takes to walk over encoded values (part 1, section 1.6): where
 * a value ends, what an integer or a string is. Reads only inside the given limits.
 */
final class Wire {

  /** Nesting of described constructors and compounds that is followed. */
  private static final int MAX_DEPTH = 32;

  private Wire() {}

  static boolean isList(int constructor) {
    return constructor == 0x45 || constructor == 0xc0 || constructor == 0xd0;
  }

  static boolean isMap(int constructor) {
    return constructor == 0xc1 || constructor == 0xd1;
  }

  static boolean isBinary(int constructor) {
    return constructor == 0xa0 || constructor == 0xb0;
  }

  static boolean isText(int constructor) {
    return constructor == 0xa1 || constructor == 0xb1 || constructor == 0xa3 || constructor == 0xb3;
  }

  static boolean isSymbol(int constructor) {
    return constructor == 0xa3 || constructor == 0xb3;
  }

  static int u8(byte[] a, int at, int end) throws MalformedMessageException {
    if (at >= end) {
      throw new MalformedMessageException("a value is cut off");
    }
    return a[at] & 0xFF;
  }

  static int i32(byte[] a, int at, int end) throws MalformedMessageException {
    if (end - at < 4) {
      throw new MalformedMessageException("a value is cut off");
    }
    return (a[at] & 0xFF) << 24
        | (a[at + 1] & 0xFF) << 16
        | (a[at + 2] & 0xFF) << 8
        | (a[at + 3] & 0xFF);
  }

  /** Index after the value whose constructor is at {@code at}. */
  static int skip(byte[] a, int at, int end) throws MalformedMessageException {
    return skip(a, at, end, 0);
  }

  private static int skip(byte[] a, int at, int end, int depth) throws MalformedMessageException {
    if (depth > MAX_DEPTH) {
      throw new MalformedMessageException("values are nested too deep");
    }
    int constructor = u8(a, at, end);
    if (constructor == 0) {
      int value = skip(a, at + 1, end, depth + 1);
      return skip(a, value, end, depth + 1);
    }
    int next = at + 1 + width(a, at + 1, end, constructor);
    if (next > end || next <= at) {
      throw new MalformedMessageException("a value is cut off");
    }
    return next;
  }

  /**
   * Index after the value at {@code at}, which may lie beyond {@code end}; -1 when more bytes are
   * needed to say.
   */
  static long extent(byte[] a, int at, int end) throws MalformedMessageException {
    return extent(a, at, end, 0);
  }

  private static long extent(byte[] a, int at, int end, int depth)
      throws MalformedMessageException {
    if (depth > MAX_DEPTH) {
      throw new MalformedMessageException("values are nested too deep");
    }
    if (at >= end) {
      return -1;
    }
    if (a[at] != 0) {
      return simpleExtent(a, at, end);
    }
    long value = extent(a, at + 1, end, depth + 1);
    return value < 0 || value >= end ? -1 : extent(a, (int) value, end, depth + 1);
  }

  private static long simpleExtent(byte[] a, int at, int end) throws MalformedMessageException {
    int constructor = a[at] & 0xFF;
    int kind = constructor >>> 4;
    if (kind == 0xa || kind == 0xc || kind == 0xe) {
      return at + 2 > end ? -1 : at + 2L + (a[at + 1] & 0xFF);
    } else if (kind == 0xb || kind == 0xd || kind == 0xf) {
      return at + 5 > end ? -1 : at + 5L + (i32(a, at + 1, end) & 0xFFFFFFFFL);
    }
    return at + 1L + width(a, at + 1, end, constructor);
  }

  /** Bytes that follow the constructor. */
  private static int width(byte[] a, int at, int end, int constructor)
      throws MalformedMessageException {
    return switch (constructor >>> 4) {
      case 0x4 -> {
        if (constructor > 0x45) {
          throw unknown(constructor);
        }
        yield 0;
      }
      case 0x5 -> 1;
      case 0x6 -> 2;
      case 0x7 -> 4;
      case 0x8 -> 8;
      case 0x9 -> 16;
      case 0xa, 0xc, 0xe -> 1 + u8(a, at, end);
      case 0xb, 0xd, 0xf -> wide(i32(a, at, end), end - at);
      default -> throw unknown(constructor);
    };
  }

  private static int wide(int size, int room) throws MalformedMessageException {
    if (size < 0 || size > room - 4) {
      throw new MalformedMessageException("a value is too long");
    }
    return size + 4;
  }

  private static MalformedMessageException unknown(int constructor) {
    return new MalformedMessageException(
        "unknown constructor 0x" + Integer.toHexString(constructor));
  }

  /** Index of the first element of a list or map. */
  static int elements(byte[] a, int at, int end) throws MalformedMessageException {
    int constructor = u8(a, at, end);
    if (constructor == 0x45) {
      return at + 1;
    }
    return (constructor & 0xF0) == 0xc0 ? at + 3 : at + 9;
  }

  /** Number of elements of a list or map. */
  static int count(byte[] a, int at, int end) throws MalformedMessageException {
    int constructor = u8(a, at, end);
    if (constructor == 0x45) {
      return 0;
    }
    int count = (constructor & 0xF0) == 0xc0 ? u8(a, at + 2, end) : i32(a, at + 5, end);
    if (count < 0 || count > end - at) {
      throw new MalformedMessageException("a list or map counts more elements than it has bytes");
    }
    return count;
  }

  /** Index of the content of a binary, string or symbol. */
  static int content(byte[] a, int at, int end) throws MalformedMessageException {
    return (u8(a, at, end) & 0xF0) == 0xa0 ? at + 2 : at + 5;
  }

  /** True when the element is a string or symbol with these bytes. */
  static boolean textEquals(byte[] a, int at, int end, byte[] text)
      throws MalformedMessageException {
    if (!isText(u8(a, at, end))) {
      return false;
    }
    int next = skip(a, at, end);
    int start = content(a, at, end);
    return java.util.Arrays.equals(a, start, next, text, 0, text.length);
  }

  /** Walks all elements of a list or map and checks that they fill it exactly. */
  static void checkElements(byte[] a, int at, int end) throws MalformedMessageException {
    int count = count(a, at, end);
    int element = elements(a, at, end);
    for (int i = 0; i < count; i++) {
      element = skip(a, element, end);
    }
    if (element != end) {
      throw new MalformedMessageException("a list or map does not end where it says");
    }
  }
}
