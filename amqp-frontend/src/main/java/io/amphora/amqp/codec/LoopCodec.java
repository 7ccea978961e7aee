package io.amphora.amqp.codec;

import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;

/**
 * The codec of the stock engine, one for all connections of a loop: it takes 11 KiB, and whoever
 * uses it is done with it before the next connection gets its turn. Owned by the thread that asks.
 *
 * @param decoder with all types of the protocol
 * @param encoder the same
 */
public record LoopCodec(DecoderImpl decoder, EncoderImpl encoder) {

  private static final ThreadLocal<LoopCodec> OWN = ThreadLocal.withInitial(LoopCodec::create);

  /** The codec of this thread. */
  public static LoopCodec get() {
    return OWN.get();
  }

  /** Something failed in it: the next one who asks gets another. */
  public static void discard() {
    OWN.remove();
  }

  private static LoopCodec create() {
    DecoderImpl decoder = new DecoderImpl();
    EncoderImpl encoder = new EncoderImpl(decoder);
    AMQPDefinedTypes.registerAllTypes(decoder, encoder);
    return new LoopCodec(decoder, encoder);
  }
}
