package io.amphora.cluster;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous part of a Hazelcast map that this module uses. The stages may end late, never,
 * or with any exception; calls may throw.
 */
interface LiveMap<K, V> {
  /** The value, or null when there is none. */
  CompletionStage<@Nullable V> get(K key);

  /** Merges a value into the entry, where the entry lives. */
  CompletionStage<?> merge(K key, V value);

  /** All entries; fails when there are too many to hold in memory twice. */
  CompletionStage<Map<K, V>> all();
}
