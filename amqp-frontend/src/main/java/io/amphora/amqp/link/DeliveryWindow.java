package io.amphora.amqp.link;

import io.amphora.core.delivery.Delivery;
import io.amphora.wal.LogRecord;
import java.util.ArrayDeque;

/**
 * Deliveries that a link was given and has not sent yet, and how many more are worth waiting for.
 * Owned by the connection loop.
 */
final class DeliveryWindow {

  /** Credit passed on at most: a client may give 2^31. */
  private static final int MOST = 1024;

  /** Bytes that wait for the client above which nothing more is asked for. */
  private static final long BYTES = 4 << 20;

  /** The same when the links of the connection hold much together. */
  private static final long LEAST_BYTES = 64 << 10;

  /** What a message counts of which only the head is here: the pieces that it will be read in. */
  private static final int LARGE_COUNTS_AS = 1 << 20;

  private final LinkMemory memory;
  private final ArrayDeque<Delivery> pending = new ArrayDeque<>();
  private long pendingBytes;

  /** Moving average; the start is a guess that keeps the first burst small. */
  private long averageBytes = 32 << 10;

  DeliveryWindow(LinkMemory memory) {
    this.memory = memory;
  }

  int size() {
    return pending.size();
  }

  boolean isEmpty() {
    return pending.isEmpty();
  }

  void add(Delivery delivery) {
    int bytes = weight(delivery);
    averageBytes += (bytes - averageBytes) / 8;
    pending.add(delivery);
    change(bytes);
  }

  /** The next one; it counts until {@link #done}. */
  Delivery next() {
    return pending.remove();
  }

  void done(Delivery delivery) {
    change(-weight(delivery));
  }

  private static int weight(Delivery delivery) {
    LogRecord record = delivery.record();
    return record.isWhole() ? record.payloadSize() : record.heldSize() + LARGE_COUNTS_AS;
  }

  private void change(long bytes) {
    pendingBytes += bytes;
    memory.outgoing(bytes);
  }

  /** How many messages more are worth waiting here, if they are as large as those before. */
  int room() {
    long fit = Math.max(0, limit() - pendingBytes) / Math.max(1, averageBytes);
    if (pending.isEmpty()) {
      fit = Math.max(1, fit);
    }
    return (int) Math.min(fit, Math.max(0, MOST - pending.size()));
  }

  private long limit() {
    return memory.isOutgoingFull() ? LEAST_BYTES : BYTES;
  }

  boolean isFull() {
    return pendingBytes >= limit();
  }

  /**
   * Whether it is time to ask for more.
   *
   * @param granted messages that were asked for and did not come yet
   */
  boolean isLow(int granted) {
    return granted + pending.size() <= MOST / 2 && pendingBytes <= limit() / 2;
  }

  void clear() {
    pending.clear();
    change(-pendingBytes);
  }
}
