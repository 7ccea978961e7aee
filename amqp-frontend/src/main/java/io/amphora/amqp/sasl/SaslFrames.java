package io.amphora.amqp.sasl;

import io.amphora.amqp.codec.LoopCodec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;
import org.jspecify.annotations.Nullable;

/** SASL frames as bytes (part 5, section 5.3). One per connection, until SASL is over. */
final class SaslFrames {

  private static final int FRAME_HEADER = 8;

  /** The mechanisms, always as an array. */
  byte[] mechanisms(List<String> names) {
    Symbol[] symbols = names.stream().map(Symbol::valueOf).toArray(Symbol[]::new);
    return frame(0x40, new Object[] {symbols});
  }

  byte[] challenge(byte[] content) {
    return frame(0x42, new Binary(content));
  }

  /** An outcome has two fields, also when it failed: some clients index them. */
  byte[] outcome(int code) {
    return frame(0x44, UnsignedByte.valueOf((byte) code), null);
  }

  /**
   * Decodes the body of a SASL frame.
   *
   * @param body what follows the frame header
   * @throws RuntimeException when it is no AMQP value
   */
  Object decode(ByteBuffer body) {
    DecoderImpl decoder = LoopCodec.get().decoder();
    decoder.setByteBuffer(body);
    try {
      return decoder.readObject();
    } catch (RuntimeException e) {
      LoopCodec.discard();
      throw e;
    } finally {
      decoder.setByteBuffer(null);
    }
  }

  private byte[] frame(int code, @Nullable Object... fields) {
    ByteBuffer out = ByteBuffer.allocate(1024);
    out.position(FRAME_HEADER);
    EncoderImpl encoder = LoopCodec.get().encoder();
    encoder.setByteBuffer(out);
    encoder.writeObject(new Body(UnsignedLong.valueOf(code), Arrays.asList(fields)));
    int size = out.position();
    out.putInt(0, size).put(4, (byte) 2).put(5, (byte) 1).putShort(6, (short) 0);
    return Arrays.copyOf(out.array(), size);
  }

  private record Body(Object descriptor, List<@Nullable Object> fields) implements DescribedType {
    @Override
    public Object getDescriptor() {
      return descriptor;
    }

    @Override
    public Object getDescribed() {
      return fields;
    }
  }
}
