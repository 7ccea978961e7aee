package io.amphora.boot.config;

import io.amphora.amqp.server.AmqpOptions;
import io.amphora.amqp.server.TlsOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Settings of the AMQP and HTTP listeners. */
public final class ListenerKeys {

  public static final ConfigKey<String> AMQP_HOST =
      ConfigKey.of(
          "listeners.amqp.host",
          ValueTypes.HOST,
          "127.0.0.1",
          "Address the AMQP listener binds to; `0.0.0.0` for all.");

  public static final ConfigKey<Integer> AMQP_PORT =
      ConfigKey.of("listeners.amqp.port", ValueTypes.PORT, "5672", "Port of the AMQP listener.");

  public static final ConfigKey<String> HTTP_HOST =
      ConfigKey.of(
          "listeners.http.host",
          ValueTypes.HOST,
          "127.0.0.1",
          "Address the HTTP listener (REST, metrics, health) binds to.");

  public static final ConfigKey<Integer> HTTP_PORT =
      ConfigKey.of("listeners.http.port", ValueTypes.PORT, "8672", "Port of the HTTP listener.");

  public static final ConfigKey<List<String>> WEBSOCKET_ORIGINS =
      ConfigKey.of(
          "listeners.websocket.origins",
          ValueTypes.list("\\*|https?://[^,/\\s]+", "origins, separated by commas, or *"),
          "",
          "Web pages of which origins may connect over WebSocket, beside those of the host that is"
              + " asked itself: `https://host:port`, as browsers write it; `*`: all.");

  public static final ConfigKey<Long> MAX_FRAME_SIZE =
      ConfigKey.of(
          "amqp.max-frame-size",
          ValueTypes.bytes("512B", "1MiB"),
          "64KiB",
          "Largest AMQP frame, announced to clients.");

  public static final ConfigKey<Long> IDLE_TIMEOUT =
      ConfigKey.of(
          "amqp.idle-timeout",
          ValueTypes.duration("2s", "24h"),
          "120s",
          "Silence after which a client is dropped; half of it is announced.");

  public static final ConfigKey<Integer> LINK_CREDIT =
      ConfigKey.of(
          "amqp.link-credit",
          ValueTypes.integer(1, 100_000),
          "1000",
          "Messages a producer link may send before it hears back.");

  public static final ConfigKey<OptionalLong> MAX_MESSAGE_SIZE =
      ConfigKey.of(
          "amqp.max-message-size",
          ValueTypes.bytesOrAuto("1KiB", "1GiB"),
          "auto",
          "Largest message taken, whatever its topic allows; `auto`: 1 GiB, so that the topic"
              + " decides.");

  static final List<ConfigKey<?>> KEYS =
      List.of(
          AMQP_HOST,
          AMQP_PORT,
          HTTP_HOST,
          HTTP_PORT,
          WEBSOCKET_ORIGINS,
          MAX_FRAME_SIZE,
          MAX_MESSAGE_SIZE,
          IDLE_TIMEOUT,
          LINK_CREDIT);

  private static final long LARGEST_MESSAGE = 1L << 30;

  private ListenerKeys() {}

  /** The room's record, for the listener without TLS. */
  public static AmqpOptions amqpOptions(Config config) {
    return amqpOptions(config, config.get(AMQP_HOST), config.get(AMQP_PORT), Optional.empty());
  }

  /** The same for clients that come over WebSocket to the HTTP listener. */
  public static AmqpOptions webSocketOptions(Config config) {
    return amqpOptions(config, config.get(HTTP_HOST), config.get(HTTP_PORT), Optional.empty());
  }

  static AmqpOptions amqpOptions(Config config, String host, int port, Optional<TlsOptions> tls) {
    boolean loopback = isLoopback(host);
    AmqpOptions.Limits limits = AmqpOptions.Limits.DEFAULT;
    return new AmqpOptions(
        host,
        port,
        config.get(AuthKeys.ANONYMOUS).resolve(loopback),
        config.get(TopicKeys.AUTO_CREATE).resolve(loopback),
        new AmqpOptions.Limits(
            Math.toIntExact(config.get(MAX_FRAME_SIZE)),
            limits.channelMax(),
            limits.handleMax(),
            Math.toIntExact(config.get(IDLE_TIMEOUT)),
            config.get(LINK_CREDIT),
            limits.saslTimeoutMillis()),
        tls);
  }

  /** Largest message taken, whatever its topic allows, bytes. */
  public static long maxMessageBytes(Config config) {
    return config.get(MAX_MESSAGE_SIZE).orElse(LARGEST_MESSAGE);
  }

  /** Whether REST requests may come without a user. */
  public static boolean httpAnonymous(Config config) {
    return config.get(AuthKeys.ANONYMOUS).resolve(isLoopback(config.get(HTTP_HOST)));
  }

  /** True when only this machine can reach a listener on that host. */
  public static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
