package io.amphora.core.transaction;

import io.amphora.core.Loop;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.AppendRequest;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.partition.PartitionRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Writes down which intents are applied, many at a time. Nobody waits for it: what is not written
 * down is found to be applied by the next start. Owned by the loop of the transaction log.
 */
final class AppliedMarkers {
  private static final long RETRY_NANOS = 1_000_000_000L;

  /** Intents that one marker names at most. */
  private static final int MOST = 10_000;

  /** Told of what is written. */
  interface Written {
    /**
     * A marker is committed.
     *
     * @param intents that it names
     * @param offset of the marker: whatever was appended before it is known by now
     */
    void onMarker(List<Long> intents, long offset);
  }

  private final Loop loop;
  private final Supplier<Optional<PartitionRef>> log;
  private final Written written;
  private List<Long> waiting = new ArrayList<>();
  private boolean busy;
  private boolean stopped;

  /**
   * @param log the partition of the log
   */
  AppliedMarkers(Loop loop, Supplier<Optional<PartitionRef>> log, Written written) {
    this.loop = loop;
    this.log = log;
    this.written = written;
  }

  void stop() {
    stopped = true;
  }

  /** The intent at this offset is applied. */
  void add(long offset) {
    waiting.add(offset);
    next();
  }

  private void next() {
    Optional<PartitionRef> to = log.get();
    if (busy || stopped || waiting.isEmpty() || to.isEmpty()) {
      return;
    }
    busy = true;
    int most = Math.min(MOST, waiting.size());
    List<Long> taken = List.copyOf(waiting.subList(0, most));
    waiting = new ArrayList<>(waiting.subList(most, waiting.size()));
    to.get()
        .append(
            new AppendRequest(
                IntentCodec.applied(taken),
                Acks.ALL,
                loop,
                (request, result) -> onAppended(taken, result)));
  }

  private void onAppended(List<Long> taken, AppendResult result) {
    busy = false;
    if (stopped) {
      return;
    }
    if (result instanceof AppendResult.Appended appended) {
      written.onMarker(taken, appended.baseOffset());
      next();
    } else if (result instanceof AppendResult.Refused) {
      waiting.addAll(taken);
      busy = true;
      loop.schedule(
          RETRY_NANOS,
          () -> {
            busy = false;
            next();
          });
    }
  }
}
