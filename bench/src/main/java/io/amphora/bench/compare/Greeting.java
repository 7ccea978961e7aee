package io.amphora.bench.compare;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * What a broker answers as soon as it serves.
 *
 * @param said what is said to it
 * @param complete whether so much of an answer is the one that is waited for
 */
record Greeting(int port, byte[] said, Predicate<byte[]> complete) {

  private static final byte[] SASL_HEADER = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};
  private static final byte[] AMQP_HEADER = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};
  private static final int ANSWER_MILLIS = 2_000;
  private static final int MOST_BYTES = 64 << 10;

  /**
   * @param answered bytes of the answer to wait for
   */
  Greeting(int port, byte[] said, int answered) {
    this(port, said, answer -> answer.length >= answered);
  }

  /** The header of AMQP with SASL, which comes back. */
  static Greeting amqp(int port) {
    return new Greeting(port, SASL_HEADER, SASL_HEADER.length);
  }

  /**
   * A session, which begins: for a broker that answers on its port before there is anything behind
   * it, and then opens with a frame size of 0 only to close.
   */
  static Greeting session(int port, String host) {
    byte[] name = host.getBytes(StandardCharsets.US_ASCII);
    byte[] init = {
      0,
      0x53,
      0x41,
      (byte) 0xc0,
      15,
      2,
      (byte) 0xa3,
      9,
      'A',
      'N',
      'O',
      'N',
      'Y',
      'M',
      'O',
      'U',
      'S',
      (byte) 0xa0,
      0
    };
    byte[] open =
        joined(
            new byte[] {0, 0x53, 0x10, (byte) 0xc0, (byte) (name.length + 6), 2},
            new byte[] {(byte) 0xa1, 1, 'c', (byte) 0xa1, (byte) name.length},
            name);
    byte[] begin = {0, 0x53, 0x11, (byte) 0xc0, 7, 4, 0x40, 0x43, 0x52, 9, 0x52, 9};
    byte[] said = joined(SASL_HEADER, frame(1, init), AMQP_HEADER, frame(0, open), frame(0, begin));
    return new Greeting(port, said, answer -> contains(answer, new byte[] {0, 0x53, 0x11}));
  }

  private static byte[] frame(int type, byte[] body) {
    return joined(new byte[] {0, 0, 0, (byte) (8 + body.length), 2, (byte) type, 0, 0}, body);
  }

  private static byte[] joined(byte[]... parts) {
    byte[] all = new byte[0];
    for (byte[] part : parts) {
      int at = all.length;
      all = Arrays.copyOf(all, at + part.length);
      System.arraycopy(part, 0, all, at, part.length);
    }
    return all;
  }

  private static boolean contains(byte[] bytes, byte[] wanted) {
    for (int at = 0; at + wanted.length <= bytes.length; at++) {
      if (Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
        return true;
      }
    }
    return false;
  }

  /** True when the answer came. */
  boolean returned() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      socket.setSoTimeout(ANSWER_MILLIS);
      socket.getOutputStream().write(said);
      byte[] answer = new byte[MOST_BYTES];
      int length = 0;
      while (!complete.test(Arrays.copyOf(answer, length))) {
        int count = socket.getInputStream().read(answer, length, MOST_BYTES - length);
        if (count <= 0) {
          return false;
        }
        length += count;
      }
      return true;
    } catch (IOException e) {
      return false; // not yet
    }
  }
}
