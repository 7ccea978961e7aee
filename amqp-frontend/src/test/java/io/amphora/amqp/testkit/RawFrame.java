package io.amphora.amqp.testkit;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;

/**
 * A frame as it is on the wire, fields counted and not interpreted.
 *
 * @param code descriptor of the performative, 0 for an empty frame, -1 for a protocol header
 */
public record RawFrame(int channel, int type, int code, List<Object> fields, byte[] payload) {

  public static final int OPEN = 0x10;
  public static final int BEGIN = 0x11;
  public static final int ATTACH = 0x12;
  public static final int FLOW = 0x13;
  public static final int TRANSFER = 0x14;
  public static final int DISPOSITION = 0x15;
  public static final int DETACH = 0x16;
  public static final int END = 0x17;
  public static final int CLOSE = 0x18;
  public static final int MECHANISMS = 0x40;
  public static final int CHALLENGE = 0x42;
  public static final int OUTCOME = 0x44;
  public static final int HEADER = -1;

  /** A field. */
  public Object get(int index) {
    return fields.get(index);
  }

  /** A field that is an unsigned integer. */
  public int uint(int index) {
    return ((UnsignedInteger) fields.get(index)).intValue();
  }

  /** The condition of the error in a field, or "". */
  public String condition(int index) {
    return fields.get(index) instanceof DescribedType error
        ? String.valueOf(((List<?>) error.getDescribed()).get(0))
        : "";
  }

  /** Descriptor code of a described field, -1 when it is null. */
  public long described(int index) {
    return fields.get(index) instanceof DescribedType d
        ? ((UnsignedLong) d.getDescriptor()).longValue()
        : -1;
  }

  /** Reads all frames and headers. */
  public static List<RawFrame> parse(byte[] bytes) {
    List<RawFrame> frames = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    while (in.hasRemaining()) {
      if (in.get(in.position()) == 'A') {
        frames.add(new RawFrame(in.get(in.position() + 4), 0, HEADER, List.of(), new byte[0]));
        in.position(in.position() + 8);
        continue;
      }
      int size = in.getInt(in.position());
      frames.add(parseFrame(in.slice(in.position(), size)));
      in.position(in.position() + size);
    }
    return frames;
  }

  private static RawFrame parseFrame(ByteBuffer frame) {
    int type = frame.get(5);
    int channel = frame.getShort(6) & 0xFFFF;
    frame.position(frame.get(4) * 4);
    if (!frame.hasRemaining()) {
      return new RawFrame(channel, type, 0, List.of(), new byte[0]);
    }
    DecoderImpl decoder = new DecoderImpl();
    new EncoderImpl(decoder);
    decoder.setByteBuffer(frame);
    DescribedType body = (DescribedType) decoder.readObject();
    byte[] payload = new byte[frame.remaining()];
    frame.get(payload);
    List<Object> fields = new ArrayList<>((List<?>) body.getDescribed());
    int code = ((UnsignedLong) body.getDescriptor()).intValue();
    return new RawFrame(channel, type, code, fields, payload);
  }
}
