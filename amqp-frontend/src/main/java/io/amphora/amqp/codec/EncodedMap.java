package io.amphora.amqp.codec;

import java.util.Arrays;
import java.util.Map;
import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.DroppingWritableBuffer;
import org.apache.qpid.proton.codec.EncoderImpl;
import org.apache.qpid.proton.codec.WritableBuffer;
import org.jspecify.annotations.Nullable;

/** A map as bytes; rare, so it may be slow. */
public final class EncodedMap {

  private static final byte[] NONE = new byte[0];

  private static final int SLACK = 64;

  private EncodedMap() {}

  /** Encodes a map; nothing for null or an empty one. */
  public static byte[] of(@Nullable Map<?, ?> map) {
    if (map == null || map.isEmpty()) {
      return NONE;
    }
    DecoderImpl decoder = new DecoderImpl();
    EncoderImpl encoder = new EncoderImpl(decoder);
    AMQPDefinedTypes.registerAllTypes(decoder, encoder);
    DroppingWritableBuffer measure = new DroppingWritableBuffer();
    encoder.setByteBuffer(measure);
    encoder.writeObject(map);
    // The encoder asks for a little more room than it uses.
    WritableBuffer.ByteBufferWrapper out =
        WritableBuffer.ByteBufferWrapper.allocate(measure.position() + SLACK);
    encoder.setByteBuffer(out);
    encoder.writeObject(map);
    return Arrays.copyOf(out.byteBuffer().array(), out.position());
  }
}
