package io.amphora.core.transaction;

import io.amphora.core.Loop;
import io.amphora.core.node.NodeServices;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.core.position.Positions;
import java.util.HashMap;
import java.util.Map;

/**
 * Does what committed intents say, until it is done: messages into partitions, outcomes into
 * positions. Owned by the loop of the transaction log.
 */
final class IntentApply {
  private static final long RETRY_NANOS = 100_000_000L;

  private final Loop loop;
  private final NodeServices services;
  private final Positions positions;
  private final TransactionMetrics metrics;
  private final PartAppends appends;
  private boolean stopped;

  /**
   * Where an intent is.
   *
   * @param search whether some of it may be applied already
   */
  record At(int epoch, long offset, boolean search) {}

  private static final class Countdown {
    private final Runnable done;
    private int left;

    Countdown(int left, Runnable done) {
      this.left = left;
      this.done = done;
    }

    void count() {
      if (--left == 0) {
        done.run();
      }
    }
  }

  IntentApply(Loop loop, NodeServices services, Positions positions, TransactionMetrics metrics) {
    this.loop = loop;
    this.services = services;
    this.positions = positions;
    this.metrics = metrics;
    this.appends = new PartAppends(loop, services, metrics);
  }

  /** Nobody is told anything any more. */
  void stop() {
    stopped = true;
    appends.stop();
  }

  /**
   * Applies an intent.
   *
   * @param done called once when all of it is durable; never after a stop
   */
  void apply(Intent intent, At at, Runnable done) {
    Countdown left = new Countdown(intent.parts().size() + 1, done);
    for (Intent.Part part : intent.parts()) {
      appends.append(new PartAppends.Job(part, at.epoch(), at.offset(), at.search(), left::count));
    }
    change(intent.changes(), left::count);
  }

  /** A merge may be repeated, so it is, until the journal has it (safety rule 16). */
  private void change(Map<PositionKey, Position> changes, Runnable done) {
    Map<PositionKey, Position> wanted = new HashMap<>(changes);
    wanted.keySet().removeIf(key -> !isThere(key));
    if (wanted.size() < changes.size()) {
      metrics.dropped.mark();
    }
    if (wanted.isEmpty()) {
      done.run();
      return;
    }
    positions.submit(wanted, loop, ok -> onSubmitted(wanted, ok, done));
  }

  private boolean isThere(PositionKey key) {
    return services.topology().topics().values().stream()
        .anyMatch(topic -> topic.id().equals(key.topicId()));
  }

  private void onSubmitted(Map<PositionKey, Position> changes, boolean ok, Runnable done) {
    if (stopped) {
      return;
    }
    if (ok) {
      done.run();
    } else {
      loop.schedule(RETRY_NANOS, () -> again(changes, done));
    }
  }

  private void again(Map<PositionKey, Position> changes, Runnable done) {
    if (!stopped) {
      change(changes, done);
    }
  }
}
