package io.amphora.core.topology;

import io.amphora.wal.Spool;
import java.util.Optional;

/** Which settings of a topic are legal. Pure. */
public final class TopicSettings {

  /** Most partitions of one topic. */
  public static final int MAX_PARTITIONS = 10_000;

  /** Largest {@link TopicConfig#maxMessageBytes}: what one spool holds. */
  public static final long MAX_MESSAGE_BYTES = Spool.MAX_BYTES;

  private static final long MIN_SEGMENT_BYTES = 1L << 20;
  private static final long MAX_SEGMENT_BYTES = 1L << 30;

  private TopicSettings() {}

  /** The first setting that is out of bounds, with its bounds; empty when all are legal. */
  public static Optional<String> problem(TopicConfig config) {
    if (outside(config.partitions(), 1, MAX_PARTITIONS)) {
      return wrong("partitions", config.partitions(), "1 to " + MAX_PARTITIONS);
    }
    if (config.retention().millis() < 1) {
      return wrong("retention time", config.retention().millis(), "at least 1 ms");
    }
    if (config.retention().bytes() < 1) {
      return wrong("retention size", config.retention().bytes(), "at least 1 byte");
    }
    if (outside(config.segmentBytes(), MIN_SEGMENT_BYTES, MAX_SEGMENT_BYTES)) {
      return wrong("segment size", config.segmentBytes(), "1 MiB to 1 GiB");
    }
    if (config.segmentMillis() < 1) {
      return wrong("segment time", config.segmentMillis(), "at least 1 ms");
    }
    if (config.flushIntervalMillis() < 1) {
      return wrong("flush interval", config.flushIntervalMillis(), "at least 1 ms");
    }
    if (outside(config.maxMessageBytes(), 1, MAX_MESSAGE_BYTES)) {
      return wrong("largest message", config.maxMessageBytes(), "1 byte to 1 GiB");
    }
    if (config.maxAttempts() != -1 && config.maxAttempts() < 1) {
      return wrong("attempts", config.maxAttempts(), "at least 1, or -1 for no limit");
    }
    return Optional.empty();
  }

  private static boolean outside(long value, long from, long to) {
    return value < from || value > to;
  }

  private static Optional<String> wrong(String what, long value, String bounds) {
    return Optional.of(what + " is " + value + ", allowed is " + bounds);
  }
}
