package io.amphora.core.topology;

import io.amphora.core.partition.Acks;
import io.amphora.wal.FlushPolicy;
import io.amphora.wal.codec.Compression;
import java.util.function.Consumer;

/**
 * Settings of a topic.
 *
 * @param partitions number of partitions, 1 to 10,000
 * @param retention how long and how much is kept
 * @param segmentBytes size at which a segment is closed, 1 MiB to 1 GiB
 * @param segmentMillis age at which a segment is closed, milliseconds
 * @param flush when an append counts as durable
 * @param flushIntervalMillis longest time to a force under {@code interval}
 * @param partitioner how records without key are spread
 * @param maxMessageBytes largest message accepted, bytes
 * @param maxAttempts failed deliveries before a message is parked; -1 for no limit
 * @param compression how batches of messages are compressed
 * @param acks when messages of a link that does not ask for anything are answered
 */
public record TopicConfig(
    int partitions,
    Retention retention,
    long segmentBytes,
    long segmentMillis,
    FlushPolicy flush,
    long flushIntervalMillis,
    PartitionerKind partitioner,
    long maxMessageBytes,
    int maxAttempts,
    Compression compression,
    Acks acks) {

  /** What is kept. */
  public record Retention(long millis, long bytes) {
    /** 14 days, any size. */
    public static final Retention DEFAULT = new Retention(14L * 24 * 3600 * 1000, Long.MAX_VALUE);

    /** Nothing is ever deleted. */
    public static final Retention FOREVER = new Retention(Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /** How records without key and without a named partition are spread. */
  public enum PartitionerKind {
    /** One producer link stays on one partition, so that its own order holds. */
    STICKY,
    /** Every record goes to the next partition. */
    ROUND_ROBIN
  }

  /** One partition, 14 days, forced before accepted, 64 MiB messages, 16 attempts, plain. */
  public static final TopicConfig DEFAULT =
      new TopicConfig(
          1,
          Retention.DEFAULT,
          1L << 30,
          7L * 24 * 3600 * 1000,
          FlushPolicy.COMMIT,
          100,
          PartitionerKind.STICKY,
          64L << 20,
          16,
          Compression.NONE,
          Acks.ALL);

  /** The settings while one of them is changed. */
  private static final class Draft {
    private int partitions;
    private Retention retention;
    private long segmentBytes;
    private FlushPolicy flush;
    private long maxMessageBytes;
    private Compression compression;
    private Acks acks;

    Draft(TopicConfig from) {
      partitions = from.partitions;
      retention = from.retention;
      segmentBytes = from.segmentBytes;
      flush = from.flush;
      maxMessageBytes = from.maxMessageBytes;
      compression = from.compression;
      acks = from.acks;
    }
  }

  private TopicConfig with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return new TopicConfig(
        draft.partitions,
        draft.retention,
        draft.segmentBytes,
        segmentMillis,
        draft.flush,
        flushIntervalMillis,
        partitioner,
        draft.maxMessageBytes,
        maxAttempts,
        draft.compression,
        draft.acks);
  }

  /** The same with another number of partitions. */
  public TopicConfig withPartitions(int number) {
    return with(draft -> draft.partitions = number);
  }

  /** The same with another flush policy. */
  public TopicConfig withFlush(FlushPolicy other) {
    return with(draft -> draft.flush = other);
  }

  /** The same with another retention. */
  public TopicConfig withRetention(Retention other) {
    return with(draft -> draft.retention = other);
  }

  /** The same with segments of another size, bytes. */
  public TopicConfig withSegmentBytes(long other) {
    return with(draft -> draft.segmentBytes = other);
  }

  /** The same with another largest message, bytes. */
  public TopicConfig withMaxMessageBytes(long other) {
    return with(draft -> draft.maxMessageBytes = other);
  }

  /** The same with another compression. */
  public TopicConfig withCompression(Compression other) {
    return with(draft -> draft.compression = other);
  }

  /** The same with other acks. */
  public TopicConfig withAcks(Acks other) {
    return with(draft -> draft.acks = other);
  }
}
