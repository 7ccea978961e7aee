package io.amphora.amqp.engine;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Predicate;
import org.apache.qpid.proton.engine.Transport;

/**
 * What the engine has encoded and nobody took yet: small while little is written, so that ten
 * thousand connections that say next to nothing cost next to nothing. Owned by the connection loop.
 */
final class OutputBuffer {

  /** Holds all that an idle connection writes: an answer, a heartbeat. */
  private static final int SMALL = 512;

  private static final int LARGE = 64 << 10;

  private final Predicate<ByteBuffer> source;
  private ByteBuffer bytes = ByteBuffer.allocate(SMALL);
  private boolean done;

  /**
   * @param source writes what it has into a buffer, as much as fits; true when that was the last
   */
  OutputBuffer(Predicate<ByteBuffer> source) {
    this.source = source;
  }

  /** Bytes to write, as many as fit; {@link Transport#END_OF_STREAM} when none will ever come. */
  int pending() {
    write();
    if (!done && !bytes.hasRemaining() && bytes.capacity() < LARGE) {
      bytes = ByteBuffer.allocate(LARGE).put(bytes.flip());
      write();
    }
    return done && bytes.position() == 0 ? Transport.END_OF_STREAM : bytes.position();
  }

  private void write() {
    done = done || source.test(bytes);
  }

  /** Takes out what {@link #pending} counted; the array is the caller's. */
  ByteBuffer take() {
    int count = bytes.position();
    ByteBuffer taken;
    if (count > LARGE / 2) {
      taken = bytes.flip();
      bytes = ByteBuffer.allocate(SMALL);
    } else {
      taken = ByteBuffer.wrap(Arrays.copyOf(bytes.array(), count));
      bytes = bytes.capacity() > SMALL ? ByteBuffer.allocate(SMALL) : bytes.clear();
    }
    return taken;
  }
}
