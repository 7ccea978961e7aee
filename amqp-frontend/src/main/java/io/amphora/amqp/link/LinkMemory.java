package io.amphora.amqp.link;

/**
 * What the links of one connection hold in memory together, bytes: a bound per link alone would be
 * multiplied by a client with a thousand links. Owned by the connection loop.
 */
final class LinkMemory {

  /** Above this each link waits until little is left of what it holds. */
  private static final long OUTGOING_MOST = 16 << 20;

  /** Above this nobody else on the connection begins a message that comes in several frames. */
  private static final long UNFINISHED_MOST = 128 << 20;

  /** Large messages that come at the same time, on as many links. */
  private static final int SPOOLS_MOST = 16;

  private final NodeMemory node;
  private int spools;
  private long outgoing;
  private long unfinished;

  LinkMemory(NodeMemory node) {
    this.node = node;
  }

  /** Deliveries wait for the peer to read, or no longer. */
  void outgoing(long change) {
    outgoing += change;
    node.outgoing(change);
  }

  boolean isOutgoingFull() {
    return outgoing >= OUTGOING_MOST || node.isOutgoingFull();
  }

  /** Frames of unfinished messages came, or are handed on. */
  void unfinished(long change) {
    unfinished += change;
    node.unfinished(change);
  }

  /**
   * Whether there is room for more of a message.
   *
   * @param own what the message has already: it alone may be as large as the topic allows
   */
  boolean isUnfinishedFull(long own) {
    return unfinished - own >= UNFINISHED_MOST || node.isUnfinishedFull(own);
  }

  /**
   * A large message begins to come.
   *
   * @return false when there are too many
   */
  boolean takeSpool() {
    if (spools >= SPOOLS_MOST) {
      return false;
    }
    spools++;
    return true;
  }

  /** It is complete, or given up. */
  void releaseSpool() {
    spools--;
  }
}
