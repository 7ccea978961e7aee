package io.amphora.boot.chaos;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/** Message bodies that prove who sent them: identity first, then bytes that follow from it. */
record Payload(int publisher, int sequence) {

  /** Publishers from here on send messages of many frames. */
  static final int FIRST_LARGE = 100;

  private static final int SMALL = 3_000;
  private static final int LARGE = 900_000;
  private static final int HUGE = 3 << 20;
  private static final int IDENTITY = 8;
  private static final byte[] FILLER = new byte[HUGE + IDENTITY + (1 << 16)];

  static {
    new Random(1).nextBytes(FILLER);
  }

  /** Every publisher writes under three keys, so that its messages spread over partitions. */
  String key() {
    return "p" + publisher + "-" + sequence % 3;
  }

  byte[] encode() {
    int mixed = new Random(publisher * 1_000_003L + sequence).nextInt(1 << 30);
    int from = mixed % (1 << 16);
    byte[] body = Arrays.copyOfRange(FILLER, from, from + IDENTITY + size(mixed));
    ByteBuffer.wrap(body).putInt(publisher).putInt(sequence);
    return body;
  }

  private int size(int mixed) {
    if (publisher < FIRST_LARGE) {
      return mixed % SMALL;
    }
    return sequence % 16 == 0 ? HUGE - mixed % LARGE : LARGE / 9 + mixed % (8 * LARGE / 9);
  }

  /**
   * Who sent these bytes.
   *
   * @throws IllegalStateException when they are not what was sent
   */
  static Payload decode(byte[] body) {
    if (body.length < IDENTITY) {
      throw new IllegalStateException("a body of " + body.length + " bytes");
    }
    ByteBuffer buffer = ByteBuffer.wrap(body);
    Payload payload = new Payload(buffer.getInt(), buffer.getInt());
    if (!Arrays.equals(payload.encode(), body)) {
      throw new IllegalStateException("changed: " + payload + ", " + body.length + " bytes");
    }
    return payload;
  }
}
