package io.amphora.amqp.engine;

/**
 * What an engine announces and enforces.
 *
 * @param containerId container-id of the broker
 * @param anonymous whether clients may come without a user, also without a SASL layer
 * @param maxFrameSize largest frame accepted, bytes, at least 512
 * @param channelMax largest channel number accepted
 * @param handleMax largest link handle accepted
 * @param idleTimeoutMillis silence after which the peer is dropped; half of it is announced
 * @param openTimeoutMillis time to finish SASL and Open
 * @param counterStart added to all transfer ids, delivery-ids and delivery-counts that we hand out:
 *     0 except where their wrap is tried
 */
public record EngineSettings(
    String containerId,
    boolean anonymous,
    int maxFrameSize,
    int channelMax,
    int handleMax,
    int idleTimeoutMillis,
    int openTimeoutMillis,
    int counterStart) {

  /**
   * Transfer frames a client may send before it needs a flow. The bound on memory is the pause of
   * the socket, so this is only large enough never to slow a client down.
   */
  static final int INCOMING_WINDOW = 8192;

  /** Clients such as pyamqp send a little over their credit; more is an error. */
  static final int CREDIT_TOLERANCE = 100;

  public EngineSettings(
      String containerId,
      boolean anonymous,
      int maxFrameSize,
      int channelMax,
      int handleMax,
      int idleTimeoutMillis,
      int openTimeoutMillis) {
    this(
        containerId,
        anonymous,
        maxFrameSize,
        channelMax,
        handleMax,
        idleTimeoutMillis,
        openTimeoutMillis,
        0);
  }

  /** The same with other counters. */
  public EngineSettings countingFrom(int start) {
    return new EngineSettings(
        containerId,
        anonymous,
        maxFrameSize,
        channelMax,
        handleMax,
        idleTimeoutMillis,
        openTimeoutMillis,
        start);
  }

  /** Clients refuse less than 5 s (conventions 2.3); half of what is enforced. */
  int announcedIdleMillis() {
    return Math.max(5000, idleTimeoutMillis / 2);
  }
}
