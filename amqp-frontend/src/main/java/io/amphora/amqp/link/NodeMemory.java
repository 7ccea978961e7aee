package io.amphora.amqp.link;

import io.amphora.core.HeapShare;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the links of all connections hold together, bytes: a bound per connection alone would be
 * multiplied by a client with many connections, and the heap would be used up. Shared by all loops;
 * a look may miss what other loops add at that moment, which is a few frames.
 */
public final class NodeMemory {

  private final long unfinishedMost;
  private final long outgoingMost;
  private final LongAdder unfinished = new LongAdder();
  private final LongAdder outgoing = new LongAdder();
  private final LongAdder incoming = new LongAdder();

  /**
   * @param unfinishedMost bytes of messages that are not complete before nobody else begins one
   * @param outgoingMost bytes for peers that do not read before each link gets the least window;
   *     half of it is what may be on its way to disk before each socket gets the least
   */
  public NodeMemory(long unfinishedMost, long outgoingMost) {
    this.unfinishedMost = unfinishedMost;
    this.outgoingMost = outgoingMost;
  }

  /** A quarter and an eighth of what messages may take: the core takes another quarter. */
  public static NodeMemory ofHeap() {
    long share = HeapShare.forMessages(Runtime.getRuntime().maxMemory());
    return new NodeMemory(share / 4, share / 8);
  }

  void unfinished(long change) {
    unfinished.add(change);
  }

  /**
   * Whether there is no room for more of a message.
   *
   * @param own what the message has already: it alone may be as large as the topic allows
   */
  boolean isUnfinishedFull(long own) {
    return unfinished.sum() - own >= unfinishedMost;
  }

  /** What is held now, bytes: 0 when no client has anything unfinished or unread. */
  public long held() {
    return unfinished.sum() + outgoing.sum();
  }

  void outgoing(long change) {
    outgoing.add(change);
  }

  boolean isOutgoingFull() {
    return outgoing.sum() >= outgoingMost;
  }

  /** Bytes given to the core and not yet answered, and what waits for a spool. */
  public void incoming(long change) {
    incoming.add(change);
  }

  /**
   * Whether messages come faster than the disk takes them, over all connections: half of what the
   * core takes before it refuses, which is an eighth of that share.
   */
  public boolean isIncomingFull() {
    return incoming.sum() >= outgoingMost / 2;
  }
}
