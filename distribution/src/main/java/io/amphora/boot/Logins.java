package io.amphora.boot;

import io.amphora.amqp.server.LoginOptions;
import io.amphora.amqp.server.LoginOptions.Claims;
import io.amphora.amqp.token.JwtOptions;
import io.amphora.amqp.token.Jwts;
import io.amphora.boot.config.Choice;
import io.amphora.boot.config.Config;
import io.amphora.boot.config.JwtKeys;
import io.amphora.boot.config.ListenerKeys;
import io.amphora.boot.config.TlsKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How clients may prove who they are: what the configuration says, and the files it names. */
final class Logins {

  private static final Logger log = LoggerFactory.getLogger(Logins.class);
  private static final int LEAST_SECRET_BYTES = 32;

  private Logins() {}

  /**
   * Reads the keys for tokens; refuses what cannot work.
   *
   * @param watch sees to it that changed keys are taken
   */
  static LoginOptions read(Config config, FileWatch watch) throws StartException {
    Optional<JwtOptions> options = JwtKeys.options(config);
    Optional<Jwts> tokens =
        options.isEmpty() ? Optional.empty() : Optional.of(jwts(options.get(), watch));
    Choice cbs = config.get(JwtKeys.CBS);
    boolean strict =
        Stream.concat(
                Stream.of(ListenerKeys.amqpOptions(config)), TlsKeys.amqpOptions(config).stream())
            .anyMatch(listener -> !listener.anonymous());
    if (cbs == Choice.ON && strict && tokens.isEmpty()) {
      throw refused(
          JwtKeys.CBS.name()
              + " is on, but nothing can check tokens on a listener that is not for anonymous"
              + " clients: set "
              + JwtKeys.KEY_FILES.name());
    }
    return new LoginOptions(
        tokens,
        switch (cbs) {
          case OFF -> Claims.NOWHERE;
          case AUTO -> Claims.WHERE_ANONYMOUS;
          case ON -> Claims.EVERYWHERE;
        });
  }

  private static Jwts jwts(JwtOptions options, FileWatch watch) throws StartException {
    int bytes =
        options
            .secret()
            .map(secret -> secret.getBytes(StandardCharsets.UTF_8).length)
            .orElse(LEAST_SECRET_BYTES);
    if (bytes < LEAST_SECRET_BYTES) {
      throw refused(JwtKeys.SECRET.name() + ": needs at least 32 bytes, for HS256");
    }
    if (options.issuer().isEmpty() && options.audiences().isEmpty()) {
      log.warn("neither auth.jwt.issuer nor auth.jwt.audience is set: tokens for others are taken");
    }
    String seen = FileWatch.print(options.keys());
    try {
      Jwts jwts = new Jwts(options);
      watch.add("keys for tokens", options.keys(), seen, vertx -> reload(jwts, vertx));
      return jwts;
    } catch (IOException e) {
      throw refused(JwtKeys.KEY_FILES.name() + ": " + e.getMessage());
    }
  }

  private static Future<Void> reload(Jwts jwts, Vertx vertx) {
    return vertx
        .executeBlocking(
            () -> {
              jwts.reload();
              return true;
            },
            false)
        .mapEmpty();
  }

  private static StartException refused(String why) {
    return new StartException(StartException.ENVIRONMENT, why);
  }
}
