package io.amphora.boot.config;

import io.amphora.amqp.server.AmqpOptions;
import io.amphora.amqp.server.TlsOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Settings of the AMQP listener with TLS. */
public final class TlsKeys {

  public static final ConfigKey<String> HOST =
      ConfigKey.of(
          "listeners.amqps.host",
          ValueTypes.HOST,
          "127.0.0.1",
          "Address the AMQP listener with TLS binds to.");

  public static final ConfigKey<Integer> PORT =
      ConfigKey.of(
          "listeners.amqps.port",
          ValueTypes.PORT,
          "5671",
          "Port of the AMQP listener with TLS; it exists when there is a certificate.");

  public static final ConfigKey<String> CERTIFICATE =
      ConfigKey.of(
          "listeners.amqps.certificate",
          ValueTypes.text("a PEM file"),
          "",
          "The broker's certificate and those between it and the root, in that order, PEM. With"
              + " it there is a listener with TLS.");

  public static final ConfigKey<String> KEY =
      ConfigKey.of(
          "listeners.amqps.key",
          ValueTypes.text("a PEM file"),
          "",
          "Private key of the certificate, PEM (PKCS#8).");

  public static final ConfigKey<String> CLIENT_CA =
      ConfigKey.of(
          "listeners.amqps.client-ca",
          ValueTypes.text("a PEM file"),
          "",
          "Who signs the certificates of clients, PEM. With it clients may log in with EXTERNAL,"
              + " as the common name of their certificate.");

  public static final ConfigKey<ClientCertificate> CLIENT_CERTIFICATE =
      ConfigKey.of(
          "listeners.amqps.client-certificate",
          ValueTypes.choice(ClientCertificate.class),
          "optional",
          "Whether clients without a certificate are refused; `required` needs a client-ca.");

  public static final ConfigKey<Long> RELOAD_INTERVAL =
      ConfigKey.of(
          "listeners.reload-interval",
          ValueTypes.duration("100ms", "1h"),
          "10s",
          "How often certificates, keys and the files of `auth.jwt.keys` are looked at; changed"
              + " ones are taken for new connections, without a restart.");

  /** What a client has to show. */
  public enum ClientCertificate {
    OPTIONAL,
    REQUIRED
  }

  static final List<ConfigKey<?>> KEYS =
      List.of(HOST, PORT, CERTIFICATE, KEY, CLIENT_CA, CLIENT_CERTIFICATE, RELOAD_INTERVAL);

  private TlsKeys() {}

  /** The files of the listener. */
  public static List<Path> files(Config config) {
    return Stream.of(CERTIFICATE, KEY, CLIENT_CA)
        .map(config::get)
        .filter(file -> !file.isEmpty())
        .map(Path::of)
        .toList();
  }

  /** The listener, when it has a certificate. */
  public static Optional<AmqpOptions> amqpOptions(Config config) {
    if (config.get(CERTIFICATE).isEmpty()) {
      return Optional.empty();
    }
    TlsOptions tls =
        new TlsOptions(
            Path.of(config.get(CERTIFICATE)),
            Path.of(config.get(KEY)),
            Optional.of(config.get(CLIENT_CA)).filter(ca -> !ca.isEmpty()).map(Path::of),
            config.get(CLIENT_CERTIFICATE) == ClientCertificate.REQUIRED);
    return Optional.of(
        ListenerKeys.amqpOptions(config, config.get(HOST), config.get(PORT), Optional.of(tls)));
  }
}
