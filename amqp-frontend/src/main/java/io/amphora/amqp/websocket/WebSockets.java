package io.amphora.amqp.websocket;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;
import java.util.function.Consumer;

/** Where a WebSocket may begin. Whoever is told of a socket reads and writes AMQP on it. */
public final class WebSockets {

  private static final String HANDLER = "handler";

  private WebSockets() {}

  /**
   * Who may have a WebSocket.
   *
   * @param origins pages of browsers
   * @param handshakeMillis time for a client to say what it wants, at least 1
   */
  public record Policy(Origins origins, long handshakeMillis) {}

  /**
   * Finds out what a new socket speaks: AMQP, or HTTP that asks for a WebSocket. To be called on
   * the socket's loop before it reads.
   *
   * @param connected called once before the first bytes of AMQP, or of what is neither; never for a
   *     client that leaves or is refused earlier
   */
  public static void sniff(NetSocket socket, Policy policy, Runnable connected) {
    ((NetSocketInternal) socket)
        .channelHandlerContext()
        .pipeline()
        .addBefore(HANDLER, "first bytes", new FirstBytes(policy, connected));
  }

  /**
   * Answers an HTTP request for a WebSocket, on its loop.
   *
   * @param connected told of the socket when it is one; never when the request is refused
   */
  public static void upgrade(
      HttpServerRequest request, Origins origins, Consumer<NetSocket> connected) {
    UpgradeOnHttpPort.answer(request, origins, connected);
  }
}
