package io.amphora.cluster;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.IMap;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A Hazelcast map that is only changed by entry processors that merge. */
final class HazelcastLiveMap<K, V> implements LiveMap<K, V> {
  /** Most entries that {@link #all} gives. */
  private static final int MAX_ENTRIES = 200_000;

  private final IMap<K, V> map;
  private final Function<V, EntryProcessor<K, V, ?>> mergeOf;
  private final Executor blocking;

  /**
   * @param mergeOf makes the processor that merges a value
   * @param blocking where the scan over all entries may block; refuses when it is full
   */
  HazelcastLiveMap(
      IMap<K, V> map, Function<V, EntryProcessor<K, V, ?>> mergeOf, Executor blocking) {
    this.map = map;
    this.mergeOf = mergeOf;
    this.blocking = blocking;
  }

  @Override
  public CompletionStage<@Nullable V> get(K key) {
    return map.getAsync(key);
  }

  @Override
  public CompletionStage<?> merge(K key, V value) {
    return map.submitToKey(key, mergeOf.apply(value));
  }

  @Override
  public CompletionStage<Map<K, V>> all() {
    return CompletableFuture.supplyAsync(this::scan, blocking);
  }

  private Map<K, V> scan() {
    int size = map.size();
    if (size > MAX_ENTRIES) {
      throw new BrokerException(
          ErrorCode.RESOURCE_LIMIT, size + " positions are too many to list; ask for one group");
    }
    Map<K, V> entries = new HashMap<>();
    map.entrySet().forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    return entries;
  }
}
