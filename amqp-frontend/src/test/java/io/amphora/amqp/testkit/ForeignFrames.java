package io.amphora.amqp.testkit;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Frames as the encoders of other clients write them, field by field; null is what they omit. */
public enum ForeignFrames {
  /** go-amqp: list32 whatever the size, nothing behind the last field that is set. */
  GO(false),
  /** AMQP.NET Lite: list8 where it fits, nothing behind the last field that is set. */
  LITE(true);

  /** Null on the wire in a place that the client does not trim. */
  public static final Object NULL = new Object();

  private final boolean small;

  ForeignFrames(boolean small) {
    this.small = small;
  }

  /** A described list as a field of another. */
  public record Part(byte[] bytes) {}

  public Part part(int code, @Nullable Object... fields) {
    return new Part(list(code, fields));
  }

  public byte[] frame(int type, int channel, byte[] body) {
    return Wire.frame(type, channel, body, new byte[0]);
  }

  public byte[] frame(int code, @Nullable Object... fields) {
    return frame(0, 0, list(code, fields));
  }

  /** A transfer with its payload. */
  public byte[] transfer(byte[] payload, @Nullable Object... fields) {
    return Wire.frame(0, 0, list(RawFrame.TRANSFER, fields), payload);
  }

  /** The body of a frame. */
  public byte[] list(int code, @Nullable Object... fields) {
    int count = fields.length;
    while (count > 0 && fields[count - 1] == null) {
      count--;
    }
    byte[] descriptor = {0, 0x53, (byte) code};
    if (count == 0) {
      return Wire.join(descriptor, new byte[] {0x45});
    }
    List<byte[]> encoded = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      encoded.add(encode(fields[i]));
    }
    byte[] content = Wire.join(encoded);
    if (small && content.length < 255) {
      byte[] head = {(byte) 0xc0, (byte) (content.length + 1), (byte) count};
      return Wire.join(descriptor, head, content);
    }
    ByteBuffer head = ByteBuffer.allocate(9).put((byte) 0xd0);
    head.putInt(content.length + 4).putInt(count);
    return Wire.join(descriptor, head.array(), content);
  }

  private static byte[] encode(@Nullable Object field) {
    if (field == null || field == NULL) {
      return new byte[] {0x40};
    }
    return field instanceof Part part ? part.bytes() : Wire.encode(field);
  }
}
