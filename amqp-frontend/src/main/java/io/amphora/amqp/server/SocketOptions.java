package io.amphora.amqp.server;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;

/** What Vert.x is told about a listener's sockets. */
final class SocketOptions {

  private SocketOptions() {}

  /**
   * Reads the files for TLS; blocks.
   *
   * @throws IOException when one is of no use
   */
  static NetServerOptions of(Vertx vertx, AmqpOptions options) throws IOException {
    NetServerOptions socket =
        new NetServerOptions().setTcpNoDelay(true).setReuseAddress(true).setHost(options.host());
    if (options.tls().isPresent()) {
      ServerSSLOptions tls = TlsFiles.read(vertx, options.tls().get());
      socket
          .setSsl(true)
          .setKeyCertOptions(tls.getKeyCertOptions())
          .setTrustOptions(tls.getTrustOptions())
          .setClientAuth(tls.getClientAuth());
    }
    return socket;
  }
}
