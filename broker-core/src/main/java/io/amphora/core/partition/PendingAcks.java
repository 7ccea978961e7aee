package io.amphora.core.partition;

import io.amphora.core.BrokerException;
import io.amphora.core.CoreMetrics;
import io.amphora.core.Loop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Appends that wait for their answer, in order per owner loop. Each move of the high watermark
 * posts once per owner loop, however many appends it answers. Owned by the partition loop.
 */
final class PendingAcks {

  /** How far the log is. */
  record Reached(long highWatermark, long leaderEnd, long nowNanos) {}

  private static final class Pending {
    final AppendRequest request;
    final long baseOffset;
    final long endOffset;
    final int bytes;
    final int cost;
    final long sinceNanos;
    @Nullable AppendResult result;

    Pending(AppendRequest request, Sealed sealed) {
      this(request, sealed, request.records().sizeInBytes(), null);
    }

    Pending(AppendRequest request, Sealed sealed, int bytes, @Nullable AppendResult result) {
      this.request = request;
      this.cost = bytes == 0 ? 0 : AppendBudget.costOf(request.records());
      this.baseOffset = sealed.baseOffset;
      this.endOffset = sealed.endOffset;
      this.sinceNanos = sealed.nanos;
      this.bytes = bytes;
      this.result = result;
    }
  }

  /** Where and when an append got its place. */
  record Sealed(long baseOffset, long endOffset, long nanos) {}

  private record Answer(AppendRequest request, AppendResult result) {}

  private static final Sealed NOWHERE = new Sealed(-1, -1, 0);

  private final AppendBudget budget;
  private final CoreMetrics metrics;
  private final IdentityHashMap<Loop, Deque<Pending>> byOwner = new IdentityHashMap<>();
  private Reached reached = new Reached(0, 0, 0);
  private long bytes;

  PendingAcks(AppendBudget budget, CoreMetrics metrics) {
    this.budget = budget;
    this.metrics = metrics;
  }

  /** Bytes of batches that wait, spooled bodies included. */
  long bytes() {
    return bytes;
  }

  boolean isEmpty() {
    return byOwner.values().stream().allMatch(Deque::isEmpty);
  }

  /** Waits for its offsets; its cost is already taken from the budget. */
  void add(AppendRequest request, Sealed sealed) {
    Pending added = new Pending(request, sealed);
    bytes += added.bytes;
    queueOf(request.owner()).add(added);
  }

  /** Answers at once, but behind what the same owner waits for already. */
  void refuse(AppendRequest request, BrokerException error) {
    metrics.appendsRefused.inc();
    Deque<Pending> queue = queueOf(request.owner());
    queue.add(new Pending(request, NOWHERE, 0, new AppendResult.Refused(error)));
    if (queue.size() == 1) {
      drain(request.owner(), queue);
    }
  }

  /** The log or its committed part grew. */
  void onReached(Reached now) {
    reached = now;
    byOwner.forEach(this::drain);
  }

  /** The batches from {@code offset} on were not written. */
  void onRejected(long offset, BrokerException error) {
    for (Deque<Pending> queue : byOwner.values()) {
      Iterator<Pending> newestFirst = queue.descendingIterator();
      while (newestFirst.hasNext()) {
        Pending pending = newestFirst.next();
        if (pending.result == null && pending.baseOffset >= offset) {
          metrics.appendsRefused.inc();
          pending.result = new AppendResult.Refused(error);
        }
      }
    }
    byOwner.forEach(this::drain);
  }

  /** Leadership or the log is lost: nobody knows what became of what waits (house rule 4). */
  void onLost(String reason) {
    for (Deque<Pending> queue : byOwner.values()) {
      for (Pending pending : queue) {
        if (pending.result == null) {
          metrics.appendsIndeterminate.inc();
          pending.result = new AppendResult.Indeterminate(reason);
        }
      }
    }
    byOwner.forEach(this::drain);
  }

  private Deque<Pending> queueOf(Loop owner) {
    return byOwner.computeIfAbsent(owner, o -> new ArrayDeque<>());
  }

  private void drain(Loop owner, Deque<Pending> queue) {
    Pending head = queue.peek();
    if (head == null || !isAnswered(head)) {
      return;
    }
    List<Answer> answers = new ArrayList<>();
    long released = 0;
    long cost = 0;
    long messages = 0;
    long oldest = head.sinceNanos;
    for (; head != null && isAnswered(head); head = queue.peek()) {
      queue.remove();
      released += head.bytes;
      cost += head.cost;
      AppendResult result = resultOf(head);
      if (result instanceof AppendResult.Appended) {
        messages += head.endOffset - head.baseOffset;
      }
      if (isTold(head.request.acks(), result)) {
        answers.add(new Answer(head.request, result));
      }
    }
    budget.release(cost);
    settle(released, messages, oldest);
    if (!answers.isEmpty()) {
      owner.execute(() -> answers.forEach(a -> a.request.done().accept(a.request, a.result)));
    }
  }

  private void settle(long released, long messages, long oldestNanos) {
    bytes -= released;
    if (messages > 0) {
      metrics.messagesIn.mark(messages);
      metrics.bytesIn.mark(released);
      metrics.appendLatency.update(reached.nowNanos - oldestNanos, TimeUnit.NANOSECONDS);
    }
  }

  /** With acks none only a refusal is told. */
  private static boolean isTold(Acks acks, AppendResult result) {
    return acks != Acks.NONE || result instanceof AppendResult.Refused;
  }

  private boolean isAnswered(Pending pending) {
    return pending.result != null
        || pending.endOffset
            <= (pending.request.acks() == Acks.ALL ? reached.highWatermark : reached.leaderEnd);
  }

  private static AppendResult resultOf(Pending pending) {
    AppendResult result = pending.result;
    return result != null ? result : new AppendResult.Appended(pending.baseOffset);
  }
}
