package io.amphora.boot.perf.wire;

import java.util.concurrent.atomic.AtomicLong;

/** How many messages several consumers may ask for together. Any thread takes. */
public final class Quota {

  private final AtomicLong left;

  /**
   * @param messages {@link Long#MAX_VALUE} for no limit
   */
  public Quota(long messages) {
    this.left = new AtomicLong(messages);
  }

  /** Takes as many of those wanted as are left. */
  int take(int wanted) {
    long before = left.getAndUpdate(now -> now - Math.min(now, wanted));
    return (int) Math.min(before, wanted);
  }
}
