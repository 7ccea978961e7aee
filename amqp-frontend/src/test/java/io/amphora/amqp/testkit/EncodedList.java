package io.amphora.amqp.testkit;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * A described list as bytes, cut into fields by the constructors of part 1, section 1.6; nothing is
 * decoded. Fails on anything but the small numeric descriptor and list8 or list32.
 *
 * @param code the descriptor
 * @param fields each with its constructor
 * @param rest what follows the list: the payload of a transfer
 */
public record EncodedList(int code, List<byte[]> fields, byte[] rest) {

  private static final int NULL = 0x40;

  /** The body of a frame, header included in {@code frame}. */
  public static EncodedList ofFrame(byte[] frame) {
    ByteBuffer in = ByteBuffer.wrap(frame);
    in.position(frame[4] * 4);
    return read(in);
  }

  /** A described list inside another. */
  public static EncodedList of(byte[] value) {
    return read(ByteBuffer.wrap(value));
  }

  private static EncodedList read(ByteBuffer in) {
    if (in.get() != 0 || in.get() != 0x53) {
      throw new AssertionError("no small numeric descriptor: " + hex(in.array()));
    }
    int code = in.get() & 0xFF;
    int constructor = in.get() & 0xFF;
    boolean small = constructor == 0xc0;
    if (!small && constructor != 0xd0) {
      throw new AssertionError("neither list8 nor list32: " + hex(in.array()));
    }
    int size = small ? in.get() & 0xFF : in.getInt();
    int end = in.position() + size;
    int count = small ? in.get() & 0xFF : in.getInt();
    List<byte[]> fields = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int start = in.position();
      skip(in);
      fields.add(Arrays.copyOfRange(in.array(), start, in.position()));
    }
    if (in.position() != end) {
      throw new AssertionError("the size of the list is wrong: " + hex(in.array()));
    }
    byte[] rest = new byte[in.remaining()];
    in.get(rest);
    return new EncodedList(code, fields, rest);
  }

  private static void skip(ByteBuffer in) {
    int constructor = in.get() & 0xFF;
    if (constructor == 0) {
      skip(in);
      skip(in);
      return;
    }
    int width =
        switch (constructor >> 4) {
          case 0x4 -> 0;
          case 0x5 -> 1;
          case 0x6 -> 2;
          case 0x7 -> 4;
          case 0x8 -> 8;
          case 0x9 -> 16;
          case 0xa, 0xc, 0xe -> in.get() & 0xFF;
          default -> in.getInt();
        };
    in.position(in.position() + width);
  }

  /** The constructor of a field. */
  public int constructor(int index) {
    return fields.get(index)[0] & 0xFF;
  }

  public boolean isNull(int index) {
    return constructor(index) == NULL;
  }

  /** A field in hex. */
  public String hex(int index) {
    return hex(fields.get(index));
  }

  /** A field that is a described list. */
  public EncodedList list(int index) {
    return of(fields.get(index));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** Cuts what was written into frames and headers. */
  public static List<byte[]> frames(byte[] written) {
    List<byte[]> frames = new ArrayList<>();
    for (int at = 0; at < written.length; ) {
      int size = written[at] == 'A' ? 8 : ByteBuffer.wrap(written).getInt(at);
      frames.add(Arrays.copyOfRange(written, at, at + size));
      at += size;
    }
    return frames;
  }
}
