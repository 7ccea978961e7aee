package io.amphora.amqp.link;

import io.amphora.amqp.codec.StreamScanner;
import io.amphora.amqp.large.LargeMessage;
import org.apache.qpid.proton.codec.ReadableBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The message of a link that is not complete yet: in memory while it is small, in a spool from then
 * on. Owned by the connection loop.
 */
final class Unfinished implements LargeMessage.Account {

  /** A message of which this much has come, and which is still not complete, goes to a spool. */
  static final int SMALL = StreamScanner.HEAD_BYTES;

  private final LinkContext context;
  private final PartialMessage partial;
  private @Nullable LargeMessage large;
  private long size;

  Unfinished(LinkContext context) {
    this.context = context;
    this.partial = new PartialMessage(context.memory());
  }

  /** Bytes that have come. */
  long size() {
    return size;
  }

  boolean isLarge() {
    return large != null;
  }

  /**
   * Takes the next bytes.
   *
   * @param most bytes of it that are kept in memory before it goes to a spool
   * @return false when there is no room, for which this message is not to blame alone
   */
  boolean add(ReadableBuffer chunk, int format, long most) {
    size += chunk.remaining();
    if (large != null) {
      addTo(large, chunk);
      return true;
    }
    if (!partial.hasRoom()) {
      return false;
    }
    partial.add(chunk);
    return partial.size() < most || spool(format);
  }

  private static void addTo(LargeMessage message, ReadableBuffer chunk) {
    if (chunk.hasArray()) {
      message.add(chunk.array(), chunk.arrayOffset() + chunk.position(), chunk.remaining());
    } else {
      byte[] copy = new byte[chunk.remaining()];
      chunk.get(copy);
      message.add(copy, 0, copy.length);
    }
  }

  private boolean spool(int format) {
    if (!context.memory().takeSpool()) {
      return false;
    }
    large = new LargeMessage(context.loop(), this);
    large.begin(
        format, context.broker().openSpool(context.loop()), partial.bytes(), partial.size());
    partial.clear();
    return true;
  }

  /** The message, put together; valid until {@link #clear}. */
  PartialMessage partial() {
    return partial;
  }

  /** The message is complete: whoever takes it must see to its end. */
  LargeMessage takeLarge() {
    LargeMessage taken = large;
    if (taken == null) {
      throw new IllegalStateException("not a large message");
    }
    large = null;
    context.memory().releaseSpool();
    clear();
    return taken;
  }

  /** Forgets what has come. */
  void clear() {
    if (large != null) {
      large.discard();
      large = null;
      context.memory().releaseSpool();
    }
    partial.clear();
    size = 0;
  }

  @Override
  public void waiting(long change) {
    context.traffic().pendingBytes(change);
    if (change < 0) {
      // The socket may be read again.
      context.wake().run();
    }
  }

  @Override
  public void kept(long change) {
    context.memory().unfinished(change);
  }
}
