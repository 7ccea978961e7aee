package io.amphora.boot.cli;

import java.net.URI;
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
    String info = uri.getUserInfo();
    if (info != null) {
      int colon = info.indexOf(':');
      options.user(colon < 0 ? info : info.substring(0, colon));
      options.password(colon < 0 ? "" : info.substring(colon + 1));
    }
  }
}
