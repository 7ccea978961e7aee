package io.amphora.cluster;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends values to a map that merges. At most one send per key is under way; what comes meanwhile is
 * merged into one waiting value, so what is held is bounded by the number of keys however slow the
 * cluster is. Callable from any thread, never blocks, never throws; a failed send is lost.
 */
final class MergingSender<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(MergingSender.class);

  /** A key is present while a send is under way; the value is what waits behind it. */
  private final ConcurrentMap<K, Optional<V>> underWay = new ConcurrentHashMap<>();

  private final BinaryOperator<V> merge;
  private final BiFunction<K, V, CompletionStage<?>> send;

  /**
   * @param send starts a send; the stage ends within a bounded time
   */
  MergingSender(BinaryOperator<V> merge, BiFunction<K, V, CompletionStage<?>> send) {
    this.merge = merge;
    this.send = send;
  }

  /** Takes a value to send now, or merged with others when the send under way has ended. */
  void offer(K key, V value) {
    Optional<V> waiting =
        underWay.merge(
            key, Optional.empty(), (present, none) -> Optional.of(behind(present, value)));
    if (waiting.isEmpty()) {
      start(key, value);
    }
  }

  private V behind(Optional<V> waiting, V value) {
    return waiting.map(earlier -> merge.apply(earlier, value)).orElse(value);
  }

  private void start(K key, V value) {
    send.apply(key, value).whenComplete((result, error) -> onEnd(key, error));
  }

  private void onEnd(K key, @Nullable Throwable error) {
    if (error != null) {
      LOG.debug("a write to the live map was lost: {}", error.toString());
    }
    // Only this, one at a time for a key, empties or removes what waits: no value falls between.
    if (!underWay.remove(key, Optional.<V>empty())) {
      Optional.ofNullable(underWay.replace(key, Optional.empty()))
          .flatMap(waiting -> waiting)
          .ifPresent(value -> start(key, value));
    }
  }
}
