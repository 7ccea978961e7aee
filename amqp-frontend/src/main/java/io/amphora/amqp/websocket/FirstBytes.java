package io.amphora.amqp.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells by a socket's first bytes whether it speaks AMQP or asks for a WebSocket, and then is gone:
 * it costs nothing afterwards. What is neither is the connection's to refuse. Owned by the
 * connection loop.
 */
final class FirstBytes extends ByteToMessageDecoder {

  /** Names in a request line are short; some clients have a token in it. */
  private static final int MOST_IN_A_LINE = 8192;

  private static final int MOST_IN_HEADERS = 16_384;

  private static final byte[] GET = "GET ".getBytes(StandardCharsets.US_ASCII);

  /** What they may be. */
  enum Protocol {
    AMQP,
    HTTP,
    UNDECIDED
  }

  private final WebSockets.Policy policy;
  private final Runnable connected;
  private @Nullable ScheduledFuture<?> limit;

  FirstBytes(WebSockets.Policy policy, Runnable connected) {
    this.policy = policy;
    this.connected = connected;
  }

  static Protocol of(ByteBuf bytes) {
    int common = Math.min(bytes.readableBytes(), GET.length);
    for (int i = 0; i < common; i++) {
      if (bytes.getByte(bytes.readerIndex() + i) != GET[i]) {
        return Protocol.AMQP;
      }
    }
    return common == GET.length ? Protocol.HTTP : Protocol.UNDECIDED;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    limit =
        ctx.executor().schedule(() -> close(ctx), policy.handshakeMillis(), TimeUnit.MILLISECONDS);
  }

  private static void close(ChannelHandlerContext ctx) {
    Object unused = ctx.close();
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    switch (of(in)) {
      case UNDECIDED -> {}
      case AMQP -> {
        stopClock();
        connected.run();
        ctx.pipeline().remove(this);
      }
      case HTTP -> {
        readHttp(ctx.pipeline(), ctx.name());
        ctx.pipeline().remove(this);
      }
      default -> {}
    }
  }

  private void readHttp(ChannelPipeline pipeline, String own) {
    HttpDecoderConfig bounds =
        new HttpDecoderConfig()
            .setMaxInitialLineLength(MOST_IN_A_LINE)
            .setMaxHeaderSize(MOST_IN_HEADERS);
    pipeline.addAfter(own, UpgradeOnAmqpPort.DECODER, new HttpRequestDecoder(bounds));
    pipeline.addAfter(
        UpgradeOnAmqpPort.DECODER,
        UpgradeOnAmqpPort.NAME,
        new UpgradeOnAmqpPort(
            policy.origins(),
            () -> {
              stopClock();
              connected.run();
            }));
  }

  private void stopClock() {
    if (limit != null) {
      limit.cancel(false);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    stopClock();
    super.channelInactive(ctx);
  }
}
