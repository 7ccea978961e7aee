package io.amphora.amqp.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;

/**
 * In a socket's pipeline: bytes above, WebSocket frames below, nothing kept in between. Owned by
 * the connection loop.
 */
final class WebSocketCodec extends ChannelDuplexHandler {

  static final String NAME = "websocket";

  /** Time for the peer to answer our Close (RFC 6455 section 7.1.1: it should hang up first). */
  private static final long CLOSE_MILLIS = 500;

  private final FrameReader reader = new FrameReader();
  private final FrameWriter writer = new FrameWriter();
  private boolean closeSent;

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      ctx.fireChannelRead(message);
      return;
    }
    reader.read(bytes);
    if (bytes.isReadable() && !closeSent) {
      ctx.fireChannelRead(bytes);
    } else {
      bytes.release();
    }
    answerPing(ctx);
    reader.end().ifPresent(end -> onEnd(ctx, end));
  }

  /** Only when it can be written: a client that pings and does not read gets the newest answer. */
  private void answerPing(ChannelHandlerContext ctx) {
    if (ctx.channel().isWritable() && !closeSent) {
      reader.takePing().ifPresent(text -> write(ctx, FrameWriter.pong(text, ctx.alloc())));
    }
  }

  private static void write(ChannelHandlerContext ctx, ByteBuf frame) {
    Object unused = ctx.writeAndFlush(frame, ctx.voidPromise());
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    answerPing(ctx);
    ctx.fireChannelWritabilityChanged();
  }

  private void onEnd(ChannelHandlerContext ctx, FrameReader.End end) {
    if (closeSent) {
      Object unused = ctx.close();
    } else {
      closeSent = true;
      closeLater(ctx);
      Object unused =
          ctx.writeAndFlush(FrameWriter.close(end, ctx.alloc()))
              .addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (closeSent) {
      ReferenceCountUtil.release(message);
      promise.tryFailure(new ClosedChannelException());
    } else if (message instanceof ByteBuf bytes && bytes.isReadable()) {
      ByteBuf framed = writer.write(bytes, ctx.alloc());
      bytes.release();
      Object unused = ctx.write(framed, promise);
    } else {
      Object unused = ctx.write(message, promise);
    }
  }

  /** A second close does not wait. */
  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    if (closeSent || !ctx.channel().isActive()) {
      Object unused = ctx.close(promise);
      return;
    }
    closeSent = true;
    closeLater(ctx);
    Object unused = ctx.channel().closeFuture().addListener(done -> promise.trySuccess());
    write(ctx, FrameWriter.close(FrameReader.NORMAL, ctx.alloc()));
  }

  private static void close(ChannelHandlerContext ctx) {
    Object unused = ctx.close();
  }

  private static void closeLater(ChannelHandlerContext ctx) {
    var timer = ctx.executor().schedule(() -> close(ctx), CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    Object unused = ctx.channel().closeFuture().addListener(done -> timer.cancel(false));
  }
}
