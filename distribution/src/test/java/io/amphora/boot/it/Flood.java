package io.amphora.boot.it;

import io.amphora.amqp.testkit.RawClient;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** A client that sends settled messages as fast as it can, on a thread of its own, until closed. */
final class Flood implements AutoCloseable {

  private static final int PAYLOAD = 48 << 10;

  /** Enough for any disk; it is not filled. */
  private static final long MOST_BYTES = 4L << 30;

  private final int port;
  private final String address;
  private final boolean heedsCredit;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong connections = new AtomicLong();
  private final Thread thread = new Thread(this::run, "flood");
  private volatile boolean stopping;

  /**
   * @param heedsCredit whether it waits for credit; one that does not is cut again and again, or
   *     ignored, and comes back
   */
  Flood(int port, String address, boolean heedsCredit) {
    this.port = port;
    this.address = address;
    this.heedsCredit = heedsCredit;
    thread.setDaemon(true);
    thread.start();
  }

  /** Bytes that the broker's side of the sockets took. */
  long bytes() {
    return bytes.get();
  }

  /** Whether it still goes on, and reached the broker. */
  boolean goesOn() {
    return thread.isAlive() && connections.get() > 0;
  }

  private void run() {
    while (!stopping && bytes.get() < MOST_BYTES) {
      try (RawClient client = new RawClient(port)) {
        client.send(Wire.AMQP, Wire.open(), Wire.begin(0));
        client.send(Wire.sender(0, 0, "flood", Wire.target(address)));
        client.until(RawFrame.ATTACH);
        connections.incrementAndGet();
        pour(client);
      } catch (IOException cut) {
        // as it should be for one that ignores its credit
      }
    }
  }

  private void pour(RawClient client) throws IOException {
    byte[] payload = Wire.data(new byte[PAYLOAD]);
    long credit = 0;
    for (long id = 0; !stopping && bytes.get() < MOST_BYTES; id++) {
      while (heedsCredit && id >= credit) {
        RawFrame flow = client.next();
        boolean ofLink = flow.code() == RawFrame.FLOW && flow.get(4) != null;
        credit = ofLink ? flow.uint(5) + (long) flow.uint(6) : credit;
      }
      client.send(Wire.transfer(0, id, payload, true, false));
      bytes.addAndGet(payload.length);
    }
  }

  @Override
  public void close() throws InterruptedException {
    stopping = true;
    thread.join();
  }
}
