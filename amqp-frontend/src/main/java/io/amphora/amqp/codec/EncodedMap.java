package io.amphora.amqp.codec;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.DroppingWritableBuffer;
import org.apache.qpid.proton.codec.EncoderImpl;
import org.apache.qpid.proton.codec.WritableBuffer;
import org.jspecify.annotations.Nullable;

/** Annotations as bytes; rare, so it may be slow. */
public final class EncodedMap {

  private static final byte[] NONE = new byte[0];

  private static final int SLACK = 64;

  private EncodedMap() {}

  /**
   * Encodes annotations; nothing for null or an empty map. Entries whose key is no symbol, which
   * the peer may have sent but no consumer can take, are left out.
   */
  public static byte[] of(@Nullable Map<?, ?> annotations) {
    if (annotations == null) {
      return NONE;
    }
    Map<Object, Object> map = new LinkedHashMap<>(annotations);
    map.keySet().removeIf(key -> !(key instanceof Symbol));
    if (map.isEmpty()) {
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
