package io.amphora.boot.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.boot.config.Units;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.DeliveryState;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.SenderOptions;
import org.apache.qpid.protonj2.client.Tracker;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/** One run of {@code send}: keeps many messages under way and counts what became of them. */
final class SendRun {

  /** Most messages under way; the broker's credit may allow fewer. */
  private static final int WINDOW = 2000;

  /** Large messages are fewer under way: they are held in memory. */
  private static final long AHEAD_BYTES = 64L << 20;

  private final String address;
  private final long count;
  private final long timeoutMillis;
  private final long size;
  private final long window;
  private final Deque<Tracker> pending = new ArrayDeque<>();
  private long sent;
  private long accepted;
  private long refused;
  private long nanos;
  private boolean sending;
  private String firstProblem = "";

  /**
   * @param timeoutMillis gives up when nothing moves for so long
   * @param size of each body, bytes
   */
  SendRun(String address, long count, long timeoutMillis, long size) {
    this.size = size;
    this.window = Math.max(1, Math.min(WINDOW, AHEAD_BYTES / Math.max(1, size)));
    this.address = address;
    this.count = count;
    this.timeoutMillis = timeoutMillis;
  }

  /** Sends all, unless the connection or the link breaks; then {@link #problem} says why. */
  void send(Connection connection, Supplier<Message<byte[]>> messages, GentleStop stop) {
    long start = System.nanoTime();
    try {
      Sender sender =
          connection
              .openSender(address, new SenderOptions().sendTimeout(timeoutMillis))
              .openFuture()
              .get();
      while (sent < count) {
        sending = true;
        pending.add(sender.send(messages.get()));
        sending = false;
        sent++;
        while (pending.size() >= window || settledFirst()) {
          take();
        }
      }
      while (!pending.isEmpty()) {
        take();
      }
    } catch (InterruptedException e) {
      countSettled();
      note("interrupted");
    } catch (ClientException | java.util.concurrent.ExecutionException e) {
      countSettled();
      if (AmqpErrors.isTooLarge(e)) {
        refuseAll();
      }
      note(stop.requested() ? "interrupted" : AmqpErrors.text(e));
    }
    nanos = System.nanoTime() - start;
  }

  /** All messages have one size: when one was too large, none under way has been stored. */
  private void refuseAll() {
    sent += sending ? 1 : 0;
    refused = sent - accepted;
  }

  boolean complete() {
    return accepted == count;
  }

  /** Why not all were accepted. */
  Optional<String> problem() {
    if (complete()) {
      return Optional.empty();
    }
    long unknown = sent - accepted - refused;
    return Optional.of(
        "amphora: "
            + accepted
            + " of "
            + count
            + " accepted, "
            + refused
            + " refused, "
            + unknown
            + " unknown, "
            + (count - sent)
            + " not sent: "
            + firstProblem);
  }

  /** The result in one line. */
  String summary() {
    double seconds = Math.max(nanos, 1) / 1e9;
    return String.format(
        Locale.ROOT,
        "sent %d, accepted %d, %s each, %.3f s, %.0f messages/s, %.2f MiB/s",
        sent,
        accepted,
        Units.formatBytes(size),
        seconds,
        accepted / seconds,
        accepted * size / seconds / (1 << 20));
  }

  ObjectNode json() {
    return Output.JSON
        .createObjectNode()
        .put("sent", sent)
        .put("accepted", accepted)
        .put("refused", refused)
        .put("seconds", nanos / 1e9);
  }

  private boolean settledFirst() {
    Tracker first = pending.peek();
    return first != null && first.remoteSettled();
  }

  private void take() throws ClientException {
    Tracker first = pending.element();
    first.awaitSettlement(timeoutMillis, TimeUnit.MILLISECONDS);
    pending.remove();
    count(first);
  }

  private void count(Tracker tracker) {
    DeliveryState state = tracker.remoteState();
    if (state != null && state.isAccepted()) {
      accepted++;
    } else {
      refused++;
      note(AmqpErrors.text(state));
    }
  }

  /** What the broker had answered before the connection broke counts. */
  private void countSettled() {
    for (Tracker tracker : pending) {
      if (tracker.remoteSettled()) {
        count(tracker);
      }
    }
    pending.clear();
  }

  private void note(String problem) {
    if (firstProblem.isEmpty()) {
      firstProblem = problem;
    }
  }
}
