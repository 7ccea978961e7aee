package io.amphora.boot.config;

import io.amphora.core.partition.Acks;
import io.amphora.core.topology.TopicConfig;
import io.amphora.wal.FlushPolicy;
import io.amphora.wal.codec.Compression;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Settings a new topic gets when its creator leaves them open. */
public final class TopicKeys {

  public static final ConfigKey<Choice> AUTO_CREATE =
      ConfigKey.of(
          "topics.auto-create",
          ValueTypes.SWITCH,
          "auto",
          "Whether an unknown topic is made when a link is attached to it; `auto`: only while"
              + " `listeners.amqp.host` is a loopback address.");

  public static final ConfigKey<Integer> PARTITIONS =
      ConfigKey.of(
          "topics.default.partitions",
          ValueTypes.integer(1, 10_000),
          "1",
          "Number of partitions. One keeps the order of the whole topic.");

  public static final ConfigKey<Long> RETENTION_TIME =
      ConfigKey.of(
          "topics.default.retention.time",
          ValueTypes.durationOrUnlimited("1s"),
          "14d",
          "How long messages are kept.");

  public static final ConfigKey<Long> RETENTION_BYTES =
      ConfigKey.of(
          "topics.default.retention.bytes",
          ValueTypes.bytesOrUnlimited("1MiB"),
          "unlimited",
          "How much each partition keeps.");

  public static final ConfigKey<Long> SEGMENT_BYTES =
      ConfigKey.of(
          "topics.default.segment.bytes",
          ValueTypes.bytes("1MiB", "1GiB"),
          "1GiB",
          "Size at which a segment file is closed; retention deletes whole segments.");

  public static final ConfigKey<Long> SEGMENT_TIME =
      ConfigKey.of(
          "topics.default.segment.time",
          ValueTypes.duration("1s", "365d"),
          "7d",
          "Age at which a segment file is closed.");

  public static final ConfigKey<FlushPolicy> FLUSH =
      ConfigKey.of(
          "topics.default.flush",
          ValueTypes.choice(FlushPolicy.class),
          "commit",
          "When a message counts as safe: `commit` after fsync, `interval` when written (fsync at"
              + " the latest after the interval), `os` when written.");

  public static final ConfigKey<Long> FLUSH_INTERVAL =
      ConfigKey.of(
          "topics.default.flush.interval",
          ValueTypes.duration("1ms", "1h"),
          "100ms",
          "Longest time to fsync under `interval`.");

  public static final ConfigKey<Long> MAX_MESSAGE_SIZE =
      ConfigKey.of(
          "topics.default.max-message-size",
          ValueTypes.bytes("1KiB", "1GiB"),
          "64MiB",
          "Largest message accepted.");

  public static final ConfigKey<TopicConfig.PartitionerKind> PARTITIONER =
      ConfigKey.of(
          "topics.default.partitioner",
          ValueTypes.choice(TopicConfig.PartitionerKind.class),
          "sticky",
          "Where messages without key go: `sticky` keeps a producer link on one partition,"
              + " `round-robin` takes the next one for every message.");

  public static final ConfigKey<Integer> MAX_ATTEMPTS =
      ConfigKey.of(
          "topics.default.max-attempts",
          ValueTypes.countOrUnlimited(1),
          "16",
          "Failed deliveries of a message to a group before it is parked.");

  public static final ConfigKey<Compression> COMPRESSION =
      ConfigKey.of(
          "topics.default.compression",
          ValueTypes.choice(Compression.class),
          "none",
          "How batches of messages are compressed: `lz4` is pure Java, `zstd` makes them smaller and"
              + " needs a native library. Batches below 1 KiB or above 4 MiB are not.");

  public static final ConfigKey<Acks> ACKS =
      ConfigKey.of(
          "topics.default.acks",
          new ValueType<>(
              "one of 0, 1, all",
              text -> Acks.ofWord(text).orElseThrow(IllegalArgumentException::new)),
          "all",
          "When a message is answered whose link does not say it: `0` at once, `1` when the leader"
              + " has it, `all` when every replica in sync has it.");

  static final List<ConfigKey<?>> KEYS =
      List.of(
          AUTO_CREATE,
          PARTITIONS,
          RETENTION_TIME,
          RETENTION_BYTES,
          SEGMENT_BYTES,
          SEGMENT_TIME,
          FLUSH,
          FLUSH_INTERVAL,
          MAX_MESSAGE_SIZE,
          PARTITIONER,
          MAX_ATTEMPTS,
          COMPRESSION,
          ACKS);

  private TopicKeys() {}

  /** The room's record. */
  public static TopicConfig topicDefaults(Config config) {
    return new TopicConfig(
        config.get(PARTITIONS),
        new TopicConfig.Retention(config.get(RETENTION_TIME), config.get(RETENTION_BYTES)),
        config.get(SEGMENT_BYTES),
        config.get(SEGMENT_TIME),
        config.get(FLUSH),
        config.get(FLUSH_INTERVAL),
        config.get(PARTITIONER),
        config.get(MAX_MESSAGE_SIZE),
        config.get(MAX_ATTEMPTS),
        config.get(COMPRESSION),
        config.get(ACKS));
  }

  /** The same by the field names of the REST interface. */
  public static Map<String, String> restDefaults(Config config) {
    TopicConfig topic = topicDefaults(config);
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("partitions", Integer.toString(topic.partitions()));
    fields.put("retentionMillis", number(topic.retention().millis()));
    fields.put("retentionBytes", number(topic.retention().bytes()));
    fields.put("segmentBytes", Long.toString(topic.segmentBytes()));
    fields.put("segmentMillis", Long.toString(topic.segmentMillis()));
    fields.put("flush", topic.flush().name().toLowerCase(Locale.ROOT));
    fields.put("flushIntervalMillis", Long.toString(topic.flushIntervalMillis()));
    fields.put(
        "partitioner", topic.partitioner().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    fields.put("maxMessageBytes", Long.toString(topic.maxMessageBytes()));
    fields.put("maxAttempts", Integer.toString(topic.maxAttempts()));
    fields.put("compression", topic.compression().name().toLowerCase(Locale.ROOT));
    fields.put("acks", topic.acks().word());
    return fields;
  }

  /** REST writes -1 for "no limit". */
  private static String number(long value) {
    return Long.toString(value == Long.MAX_VALUE ? -1 : value);
  }
}
