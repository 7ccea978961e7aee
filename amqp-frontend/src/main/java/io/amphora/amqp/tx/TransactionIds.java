package io.amphora.amqp.tx;

import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Binary;

/** Identities of transactions as clients know them: 16 bytes. */
final class TransactionIds {

  private TransactionIds() {}

  static Binary of(UUID id) {
    ByteBuffer bytes = ByteBuffer.allocate(16);
    bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    return new Binary(bytes.array());
  }
}
