package io.amphora.wal.disk;

import io.amphora.wal.RecordBatch;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The bounded hand-over to the disk thread: many loops put, the disk thread takes. It holds no
 * state but what is on its way.
 */
final class CommandQueue {

  /** What the disk thread is asked to do. */
  sealed interface Command {

    /** Bytes of batches and pieces that it keeps in memory. */
    default int heldBytes() {
      return 0;
    }

    /** Append a batch to a log. */
    record Append(SegmentedLog log, RecordBatch batch) implements Command {
      @Override
      public int heldBytes() {
        return batch.heldBytes();
      }
    }

    /**
     * Something that touches no log, and so needs not wait for the end of a round.
     *
     * @param bytes memory that waits with it
     */
    record Aside(Runnable work, int bytes) implements Command {
      @Override
      public int heldBytes() {
        return bytes;
      }
    }

    /** Anything else; all batches before it are written and forced first. */
    record Task(Runnable work) implements Command {}
  }

  private final Queue<Command> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger commands = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private final int maxCommands;
  private final long maxBytes;
  private volatile @Nullable Thread consumer;
  private volatile boolean waiting;

  CommandQueue(int maxCommands, long maxBytes) {
    this.maxCommands = maxCommands;
    this.maxBytes = maxBytes;
  }

  /** Queues a batch; false when commands or bytes are at their bound. */
  boolean offer(Command.Append append) {
    return offerSized(append);
  }

  /** Queues a piece of a spool; false when commands or bytes are at their bound. */
  boolean offer(Command.Aside aside) {
    return offerSized(aside);
  }

  /** Queues what gives room back: it is never refused, its sender bounds how many there are. */
  void put(Runnable work) {
    enqueue(new Command.Aside(work, 0), Long.MAX_VALUE);
  }

  private boolean offerSized(Command append) {
    int size = append.heldBytes();
    long before = bytes.getAndAdd(size);
    if (before > 0 && before + size > maxBytes) {
      bytes.addAndGet(-size);
      return false;
    }
    if (!enqueue(append, maxCommands)) {
      bytes.addAndGet(-size);
      return false;
    }
    return true;
  }

  /** Queues another command. These have room of their own, so that a flood of batches leaves it. */
  boolean offer(Command.Task task) {
    return enqueue(task, 2L * maxCommands);
  }

  private boolean enqueue(Command command, long limit) {
    if (commands.incrementAndGet() > limit) {
      commands.decrementAndGet();
      return false;
    }
    queue.add(command);
    wake();
    return true;
  }

  void wake() {
    if (waiting) {
      waiting = false;
      LockSupport.unpark(consumer);
    }
  }

  /** Moves waiting commands to {@code target}, up to {@code maxCount} and about {@code maxSize}. */
  void drain(List<Command> target, int maxCount, long maxSize) {
    long size = 0;
    while (target.size() < maxCount && size < maxSize) {
      Command next = queue.poll();
      if (next == null) {
        return;
      }
      target.add(next);
      size += next.heldBytes();
    }
  }

  /** Gives back the room of commands that were carried out. */
  void release(int count, long size) {
    commands.addAndGet(-count);
    bytes.addAndGet(-size);
  }

  /** Waits until something is queued, at most {@code nanos}. May return early. */
  void await(long nanos) {
    consumer = Thread.currentThread();
    waiting = true;
    if (queue.isEmpty()) {
      LockSupport.parkNanos(this, nanos);
    }
    waiting = false;
  }

  int queuedCommands() {
    return commands.get();
  }

  long queuedBytes() {
    return bytes.get();
  }
}
