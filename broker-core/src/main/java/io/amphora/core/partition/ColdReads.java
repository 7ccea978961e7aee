package io.amphora.core.partition;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Bounds the reads from disk that the partitions of one loop have under way, and those that wait.
 * Owned by the loop.
 */
public final class ColdReads {

  private final int limit;
  private final int queueLimit;
  private final Deque<Consumer<Runnable>> waiting = new ArrayDeque<>();
  private int running;

  /**
   * @param limit reads under way at once
   * @param queueLimit reads that wait for their turn
   */
  public ColdReads(int limit, int queueLimit) {
    this.limit = limit;
    this.queueLimit = queueLimit;
  }

  /**
   * Starts a read, now or later.
   *
   * @param read starts the read, and calls what it is given when it is finished, on the loop
   * @return false when too many wait; nothing will happen
   */
  boolean submit(Consumer<Runnable> read) {
    if (running < limit) {
      start(read);
      return true;
    }
    return waiting.size() < queueLimit && waiting.add(read);
  }

  private void start(Consumer<Runnable> read) {
    running++;
    read.accept(this::onFinished);
  }

  private void onFinished() {
    running--;
    Consumer<Runnable> next = waiting.poll();
    if (next != null) {
      start(next);
    }
  }
}
