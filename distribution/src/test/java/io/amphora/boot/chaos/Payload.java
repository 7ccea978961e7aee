package io.amphora.boot.chaos;

import java.nio.ByteBuffer;
import java.util.Random;

/** Message bodies that prove who sent them: identity first, then bytes that follow from it. */
record Payload(int publisher, int sequence) {

  static final int MAX_SIZE = 3000;

  /** Every publisher writes under three keys, so that its messages spread over partitions. */
  String key() {
    return "p" + publisher + "-" + sequence % 3;
  }

  byte[] encode() {
    Random random = new Random(publisher * 1_000_003L + sequence);
    byte[] body = new byte[8 + random.nextInt(MAX_SIZE)];
    random.nextBytes(body);
    ByteBuffer.wrap(body).putInt(publisher).putInt(sequence);
    return body;
  }

  static Payload decode(byte[] body) {
    ByteBuffer buffer = ByteBuffer.wrap(body);
    return new Payload(buffer.getInt(), buffer.getInt());
  }
}
