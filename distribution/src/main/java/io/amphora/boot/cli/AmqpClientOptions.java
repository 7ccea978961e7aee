package io.amphora.boot.cli;

import io.amphora.boot.perf.wire.Login;
import io.amphora.boot.perf.wire.Target;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import picocli.CommandLine.Option;

/** Where the AMQP listener is, and who is asking. */
final class AmqpClientOptions {

  private static final int AMQP_PORT = 5672;
  private static final int AMQPS_PORT = 5671;
  private static final long OPEN_LIMIT_MILLIS = 10_000;
  private static final int MAX_FRAME_SIZE = 64 << 10;

  @Option(
      names = "--amqp-url",
      paramLabel = "URL",
      defaultValue = "${env:AMPHORA_AMQP_URL:-amqp://127.0.0.1:5672}",
      description =
          "AMQP address, amqp://[USER:PASSWORD@]HOST[:PORT] (AMPHORA_AMQP_URL; default:"
              + " amqp://127.0.0.1:5672).")
  private String amqpUrl = "";

  /** Opens a connection. */
  Connection connect(Client client) {
    URI uri = parse();
    boolean tls = "amqps".equals(uri.getScheme());
    int port = uri.getPort() >= 0 ? uri.getPort() : tls ? AMQPS_PORT : AMQP_PORT;
    ConnectionOptions options =
        new ConnectionOptions()
            .openTimeout(OPEN_LIMIT_MILLIS)
            .maxFrameSize(MAX_FRAME_SIZE)
            .sslEnabled(tls);
    credentials(uri, options);
    try {
      return client.connect(uri.getHost(), port, options).openFuture().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CliFailure.failed("interrupted");
    } catch (ClientException | java.util.concurrent.ExecutionException e) {
      if (AmqpErrors.isLogin(e)) {
        throw CliFailure.usage(
            uri.getUserInfo() == null
                ? "the broker asks for a user: --amqp-url amqp://USER:PASSWORD@HOST:PORT"
                : "wrong user or password (--amqp-url)");
      }
      throw CliFailure.usage(
          "cannot connect to "
              + uri.getScheme()
              + "://"
              + uri.getHost()
              + ":"
              + port
              + ": "
              + AmqpErrors.text(e)
              + "; is the broker running there? (--amqp-url)");
    }
  }

  /** Where it is, for a client that brings a connection of its own. */
  Target target(String address) {
    URI uri = parse();
    if (!"amqp".equals(uri.getScheme())) {
      throw CliFailure.usage("--amqp-url: this command speaks amqp:// only");
    }
    int port = uri.getPort() >= 0 ? uri.getPort() : AMQP_PORT;
    Optional<Login> login = Optional.ofNullable(uri.getUserInfo()).map(AmqpClientOptions::login);
    return new Target(uri.getHost(), port, address, List.of(), login);
  }

  private URI parse() {
    try {
      URI uri = URI.create(amqpUrl);
      if (uri.getHost() != null && String.valueOf(uri.getScheme()).matches("amqps?")) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Falls through: the message must not repeat what may hold a password.
    }
    throw CliFailure.usage("--amqp-url: expected amqp://[USER:PASSWORD@]HOST[:PORT]");
  }

  private static void credentials(URI uri, ConnectionOptions options) {
    if (uri.getUserInfo() != null) {
      Login login = login(uri.getUserInfo());
      options.user(login.user()).password(login.password());
    }
  }

  private static Login login(String info) {
    int colon = info.indexOf(':');
    return colon < 0
        ? new Login(info, "")
        : new Login(info.substring(0, colon), info.substring(colon + 1));
  }
}
