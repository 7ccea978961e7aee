package io.amphora.boot.config;

import io.amphora.core.HeapShare;
import io.amphora.core.node.CoreOptions;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Settings of the core: memory and intervals. */
public final class CoreKeys {

  /** An eighth each for pending appends and the tail cache; the front end takes three more. */
  private static final int HEAP_SHARE = 8;

  private static final long SMALLEST_BUDGET = 1L << 20;

  public static final ConfigKey<OptionalLong> APPEND_BUDGET =
      ConfigKey.of(
          "memory.append-budget",
          ValueTypes.bytesOrAuto("1MiB"),
          "auto",
          "Memory for messages received and not yet accepted; `auto`: an eighth of the heap"
              + " without the first 32 MiB.");

  public static final ConfigKey<OptionalLong> TAIL_CACHE =
      ConfigKey.of(
          "memory.tail-cache",
          ValueTypes.bytesOrAuto("1MiB"),
          "auto",
          "Memory for the newest messages, so that consumers that keep up read no file; `auto`: an"
              + " eighth of the heap without the first 32 MiB.");

  public static final ConfigKey<Long> POSITIONS_INTERVAL =
      ConfigKey.of(
          "positions.interval",
          ValueTypes.duration("1ms", "1m"),
          "100ms",
          "How often changed positions of groups are made durable. After a crash at most this much"
              + " is delivered again.");

  public static final ConfigKey<Long> RETENTION_INTERVAL =
      ConfigKey.of(
          "retention.interval",
          ValueTypes.duration("100ms", "24h"),
          "60s",
          "How often retention is applied.");

  static final List<ConfigKey<?>> KEYS =
      Stream.concat(
              Stream.of(APPEND_BUDGET, TAIL_CACHE, POSITIONS_INTERVAL, RETENTION_INTERVAL),
              TransactionKeys.KEYS.stream())
          .toList();

  private CoreKeys() {}

  /**
   * The room's record.
   *
   * @param heapBytes largest size of the heap
   */
  public static CoreOptions coreOptions(Config config, long heapBytes) {
    long share = Math.max(SMALLEST_BUDGET, HeapShare.forMessages(heapBytes) / HEAP_SHARE);
    return new CoreOptions(
        config.get(APPEND_BUDGET).orElse(share),
        config.get(TAIL_CACHE).orElse(share),
        config.get(POSITIONS_INTERVAL),
        CoreOptions.DEFAULT.ackWindow(),
        CoreOptions.DEFAULT.positionsPartitions(),
        config.get(RETENTION_INTERVAL),
        TransactionKeys.limits(config, share));
  }
}
