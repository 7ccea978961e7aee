package io.amphora.amqp.server;

import java.util.Optional;

/**
 * Settings of one AMQP listener.
 *
 * @param host address to listen on
 * @param port TCP port, 0 for a free one
 * @param anonymous whether clients may come without a user
 * @param autoCreate whether an unknown topic is created when a link is attached to it
 * @param limits bounds
 * @param tls empty for plain TCP
 */
public record AmqpOptions(
    String host,
    int port,
    boolean anonymous,
    boolean autoCreate,
    Limits limits,
    Optional<TlsOptions> tls) {

  /**
   * Bounds per connection.
   *
   * @param maxFrameSize largest frame accepted and announced, bytes, 512 to 1 MiB
   * @param channelMax largest channel number
   * @param handleMax largest link handle
   * @param idleTimeoutMillis silence after which a client is dropped; half of it is announced
   * @param linkCredit credit given to a producer link
   * @param saslTimeoutMillis time to finish SASL and open
   */
  public record Limits(
      int maxFrameSize,
      int channelMax,
      int handleMax,
      int idleTimeoutMillis,
      int linkCredit,
      int saslTimeoutMillis) {
    public static final Limits DEFAULT = new Limits(64 << 10, 255, 1023, 120_000, 1000, 30_000);
  }
}
