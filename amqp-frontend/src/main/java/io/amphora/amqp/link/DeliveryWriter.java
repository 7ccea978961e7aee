package io.amphora.amqp.link;

import io.amphora.amqp.codec.DeliveryEncoder;
import io.amphora.core.delivery.Delivery;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.apache.qpid.proton.engine.Sender;

/** Puts deliveries of one link into the engine. Owned by the connection loop. */
final class DeliveryWriter {

  private final Sender link;
  private final boolean settled;
  private final long maxMessageSize;
  private final DeliveryEncoder encoder = new DeliveryEncoder();
  private final long tagPrefix = ThreadLocalRandom.current().nextLong();
  private long tags;

  /**
   * @param settled whether deliveries are settled when they are sent
   */
  DeliveryWriter(Sender link, boolean settled) {
    this.link = link;
    this.settled = settled;
    UnsignedLong most = link.getRemoteMaxMessageSize();
    this.maxMessageSize = most == null ? 0 : most.longValue();
  }

  boolean isSettled() {
    return settled;
  }

  /**
   * Sends a delivery that is whole.
   *
   * @return its bytes; 0 when the peer does not take so large ones
   */
  int send(Delivery delivery, long nowMillis) {
    ReadableBuffer bytes = encoder.encode(delivery, nowMillis);
    int size = bytes.remaining();
    if (isTooLarge(size)) {
      return 0;
    }
    org.apache.qpid.proton.engine.Delivery out = begin(delivery);
    link.sendNoCopy(bytes);
    if (settled) {
      out.settle();
    } else {
      link.advance();
    }
    return size;
  }

  boolean isTooLarge(long bytes) {
    return maxMessageSize > 0 && bytes > maxMessageSize;
  }

  /** What comes before the stored bare message. */
  byte[] head(Delivery delivery, long nowMillis) {
    return encoder.head(delivery, nowMillis);
  }

  /** A new delivery in the engine; its bytes follow. */
  org.apache.qpid.proton.engine.Delivery begin(Delivery delivery) {
    org.apache.qpid.proton.engine.Delivery out = link.delivery(tag());
    out.setMessageFormat(delivery.record().messageFormat());
    out.setContext(delivery);
    return out;
  }

  /** 16 bytes, as Service Bus clients need them (conventions 5.9). */
  private byte[] tag() {
    return ByteBuffer.allocate(16).putLong(tagPrefix).putLong(tags++).array();
  }
}
