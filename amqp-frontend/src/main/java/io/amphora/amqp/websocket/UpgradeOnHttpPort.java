package io.amphora.amqp.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Answers a request for a WebSocket that came to a Vert.x HTTP server, and takes its socket over.
 * Runs on the loop of the request.
 */
final class UpgradeOnHttpPort {

  private static final String DECODER = "httpDecoder";
  private static final String HANDLER = "handler";

  private UpgradeOnHttpPort() {}

  static void answer(HttpServerRequest request, Origins origins, Consumer<NetSocket> connected) {
    Handshake.Answer answer =
        Handshake.decide(
            new Handshake.Asked(
                request.method().name(),
                request.version() == HttpVersion.HTTP_1_1,
                request.headers()::getAll),
            origins);
    answer.headers().forEach(request.response()::putHeader);
    if (answer.accepted()) {
      takeOver(request, connected);
    } else {
      request
          .response()
          .setStatusCode(answer.status())
          .putHeader("Content-Type", "text/plain")
          .end(answer.text())
          .onComplete(done -> request.connection().close());
    }
  }

  private static void takeOver(HttpServerRequest request, Consumer<NetSocket> connected) {
    ChannelPipeline pipeline =
        ((ConnectionBase) request.connection()).channelHandlerContext().pipeline();
    Behind behind = new Behind();
    pipeline.addAfter(DECODER, Behind.NAME, behind);
    request
        .toNetSocket()
        .onSuccess(
            socket -> {
              // Silence is the connection's to judge from now on.
              if (pipeline.get(IdleStateHandler.class) != null) {
                pipeline.remove(IdleStateHandler.class);
              }
              pipeline.addBefore(HANDLER, WebSocketCodec.NAME, new WebSocketCodec());
              connected.accept(socket);
              pipeline.remove(behind);
            })
        .onFailure(error -> request.connection().close());
  }

  /**
   * Keeps what the client sent without waiting for the answer, at most what one read held: Vert.x
   * would give it to what it is about to remove.
   */
  private static final class Behind extends ChannelInboundHandlerAdapter {
    static final String NAME = "behind";

    private final Queue<ByteBuf> kept = new ArrayDeque<>();

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof ByteBuf bytes) {
        kept.add(bytes);
      } else {
        ctx.fireChannelRead(message);
      }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
      kept.forEach(ctx::fireChannelRead);
      kept.clear();
      ctx.fireChannelReadComplete();
    }
  }
}
