package io.amphora.amqp.server;

import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;

/** What Vert.x is told about a listener's sockets. */
final class SocketOptions {

  private SocketOptions() {}

  static NetServerOptions of(AmqpOptions options) {
    NetServerOptions socket =
        new NetServerOptions().setTcpNoDelay(true).setReuseAddress(true).setHost(options.host());
    options.tls().ifPresent(tls -> secure(socket, tls));
    return socket;
  }

  private static void secure(NetServerOptions socket, TlsOptions tls) {
    socket
        .setSsl(true)
        .setKeyCertOptions(
            new PemKeyCertOptions()
                .setCertPath(tls.certificate().toString())
                .setKeyPath(tls.key().toString()))
        .setClientAuth(ClientAuth.NONE);
    tls.clientCa()
        .ifPresent(
            ca ->
                socket
                    .setTrustOptions(new PemTrustOptions().addCertPath(ca.toString()))
                    .setClientAuth(
                        tls.clientRequired() ? ClientAuth.REQUIRED : ClientAuth.REQUEST));
  }
}
