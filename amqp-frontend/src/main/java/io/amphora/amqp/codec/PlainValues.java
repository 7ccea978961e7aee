package io.amphora.amqp.codec;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decodes AMQP values (part 1, section 1.6) into the objects that plugins see: {@link
 * io.amphora.plugin.MessageView} lists them. Pure.
 */
final class PlainValues {

  /** Deeper values are refused. */
  private static final int MAX_DEPTH = 8;

  private static final BigInteger TWO_64 = BigInteger.ONE.shiftLeft(64);

  private PlainValues() {}

  /** The value whose constructor is at {@code at}. */
  static @Nullable Object read(byte[] a, int at, int end) throws MalformedMessageException {
    return read(a, at, end, 0);
  }

  private static @Nullable Object read(byte[] a, int at, int end, int depth)
      throws MalformedMessageException {
    if (depth > MAX_DEPTH) {
      throw new MalformedMessageException("values are nested too deep");
    }
    int constructor = Wire.u8(a, at, end);
    if (constructor == 0) {
      return read(a, Wire.skip(a, at + 1, end), end, depth + 1);
    }
    int next = Wire.skip(a, at, end);
    return switch (constructor) {
      case 0x45, 0xc0, 0xd0 -> list(a, at, next, depth);
      case 0xc1, 0xd1 -> map(a, at, next, depth);
      case 0xe0, 0xf0 -> array(a, at, next, depth);
      default -> simple(constructor, a, at + 1, next);
    };
  }

  private static @Nullable Object simple(int constructor, byte[] a, int at, int end) {
    ByteBuffer in = ByteBuffer.wrap(a, at, end - at);
    return switch (constructor) {
      case 0x41 -> true;
      case 0x42 -> false;
      case 0x56 -> in.get() != 0;
      case 0x43, 0x44 -> 0L;
      case 0x50, 0x52, 0x53 -> in.get() & 0xFFL;
      case 0x51, 0x54, 0x55 -> (long) in.get();
      case 0x60 -> in.getShort() & 0xFFFFL;
      case 0x61 -> (long) in.getShort();
      case 0x70 -> in.getInt() & 0xFFFFFFFFL;
      case 0x71 -> (long) in.getInt();
      case 0x80 -> unsigned(in.getLong());
      case 0x81 -> in.getLong();
      case 0x72 -> (double) in.getFloat();
      case 0x82 -> in.getDouble();
      case 0x73 -> character(in.getInt());
      case 0x83 -> Instant.ofEpochMilli(in.getLong());
      case 0x98 -> new UUID(in.getLong(), in.getLong());
      case 0xa0 -> Arrays.copyOfRange(a, at + 1, end);
      case 0xb0 -> Arrays.copyOfRange(a, at + 4, end);
      case 0xa1, 0xa3 -> new String(a, at + 1, end - at - 1, StandardCharsets.UTF_8);
      case 0xb1, 0xb3 -> new String(a, at + 4, end - at - 4, StandardCharsets.UTF_8);
      default -> null;
    };
  }

  private static Object unsigned(long bits) {
    return bits >= 0 ? (Object) bits : BigInteger.valueOf(bits).add(TWO_64);
  }

  private static @Nullable String character(int codePoint) {
    return Character.isValidCodePoint(codePoint) ? Character.toString(codePoint) : null;
  }

  private static List<@Nullable Object> list(byte[] a, int at, int end, int depth)
      throws MalformedMessageException {
    int count = Wire.count(a, at, end);
    int element = Wire.elements(a, at, end);
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(read(a, element, end, depth + 1));
      element = Wire.skip(a, element, end);
    }
    return values;
  }

  private static Map<Object, @Nullable Object> map(byte[] a, int at, int end, int depth)
      throws MalformedMessageException {
    List<@Nullable Object> flat = list(a, at, end, depth);
    Map<Object, @Nullable Object> values = new HashMap<>();
    for (int i = 0; i + 1 < flat.size(); i += 2) {
      Object key = flat.get(i);
      if (key != null) {
        values.put(key, flat.get(i + 1));
      }
    }
    return values;
  }

  /** Elements share one constructor, which is written once (part 1, section 1.6.24). */
  private static List<@Nullable Object> array(byte[] a, int at, int end, int depth)
      throws MalformedMessageException {
    boolean small = Wire.u8(a, at, end) == 0xe0;
    int count = small ? Wire.u8(a, at + 2, end) : Wire.i32(a, at + 5, end);
    int constructor = at + (small ? 3 : 9);
    while (Wire.u8(a, constructor, end) == 0) {
      constructor = Wire.skip(a, constructor + 1, end);
    }
    if (count < 0 || count > end - constructor) {
      throw new MalformedMessageException("an array counts more elements than it has bytes");
    }
    List<@Nullable Object> values = new ArrayList<>();
    byte[] one = Arrays.copyOfRange(a, constructor, end);
    byte kind = one[0];
    int element = 0;
    for (int i = 0; i < count; i++) {
      // The constructor is put in front of each element, over the end of the one before.
      one[element] = kind;
      values.add(read(one, element, one.length, depth + 1));
      element = Wire.skip(one, element, one.length) - 1;
    }
    return values;
  }
}
