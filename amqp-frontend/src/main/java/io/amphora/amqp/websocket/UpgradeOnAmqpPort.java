package io.amphora.amqp.websocket;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers the one HTTP request of a socket that asks for a WebSocket on an AMQP port, and makes way
 * for the codec. Owned by the connection loop.
 */
final class UpgradeOnAmqpPort extends ChannelInboundHandlerAdapter {

  static final String NAME = "upgrade";
  static final String DECODER = "http";

  private final Origins origins;
  private final Runnable connected;
  private @Nullable HttpRequest request;
  private boolean refused;

  UpgradeOnAmqpPort(Origins origins, Runnable connected) {
    this.origins = origins;
    this.connected = connected;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      if (refused) {
        return;
      }
      if (message instanceof HttpRequest begun) {
        onRequest(ctx, begun);
      } else if (message instanceof LastHttpContent && request != null) {
        // Not before: what the decoder holds then follows the request.
        accept(ctx, decide(request));
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void onRequest(ChannelHandlerContext ctx, HttpRequest begun) {
    Handshake.Answer answer =
        begun.decoderResult().isFailure()
            ? unreadable(begun.decoderResult().cause())
            : decide(begun);
    if (answer.accepted()) {
      request = begun;
    } else {
      refused = true;
      Object unused =
          ctx.writeAndFlush(Unpooled.wrappedBuffer(answer.bytes()))
              .addListener(ChannelFutureListener.CLOSE);
    }
  }

  private Handshake.Answer decide(HttpRequest asked) {
    return Handshake.decide(
        new Handshake.Asked(
            asked.method().name(),
            asked.protocolVersion().equals(HttpVersion.HTTP_1_1),
            asked.headers()::getAll),
        origins);
  }

  private static Handshake.Answer unreadable(Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      return new Handshake.Answer(414, "URI Too Long", Map.of(), "the first line is too long\n");
    }
    if (cause instanceof TooLongHttpHeaderException) {
      return new Handshake.Answer(
          431, "Request Header Fields Too Large", Map.of(), "too many headers\n");
    }
    return new Handshake.Answer(400, "Bad Request", Map.of(), "this is no HTTP request\n");
  }

  private void accept(ChannelHandlerContext ctx, Handshake.Answer answer) {
    ChannelPipeline pipeline = ctx.pipeline();
    Object unused = ctx.writeAndFlush(Unpooled.wrappedBuffer(answer.bytes()));
    pipeline.replace(this, WebSocketCodec.NAME, new WebSocketCodec());
    connected.run();
    // Hands on what the client sent without waiting for the answer.
    pipeline.remove(DECODER);
  }
}
