package io.amphora.bench.compare;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * What a broker answers as soon as it serves.
 *
 * @param said what is said to it
 * @param answered bytes of the answer to wait for
 */
record Greeting(int port, byte[] said, int answered) {

  private static final byte[] SASL_HEADER = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};
  private static final int ANSWER_MILLIS = 2_000;

  /** The header of AMQP with SASL, which comes back. */
  static Greeting amqp(int port) {
    return new Greeting(port, SASL_HEADER, SASL_HEADER.length);
  }

  /** True when the answer came. */
  boolean returned() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      socket.setSoTimeout(ANSWER_MILLIS);
      socket.getOutputStream().write(said);
      return socket.getInputStream().readNBytes(answered).length == answered;
    } catch (IOException e) {
      return false; // not yet
    }
  }
}
