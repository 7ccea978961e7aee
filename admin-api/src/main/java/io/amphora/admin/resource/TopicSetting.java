package io.amphora.admin.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.amphora.admin.http.ProblemException;
import io.amphora.core.partition.Acks;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicConfig.PartitionerKind;
import io.amphora.core.topology.TopicSettings;
import io.amphora.wal.FlushPolicy;
import io.amphora.wal.codec.Compression;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The settings of a topic by their REST names, with what each may be. */
enum TopicSetting {
  PARTITIONS("partitions", 1, TopicSettings.MAX_PARTITIONS, false),
  RETENTION_MILLIS("retentionMillis", 1, Long.MAX_VALUE, true),
  RETENTION_BYTES("retentionBytes", 1, Long.MAX_VALUE, true),
  SEGMENT_BYTES("segmentBytes", 1L << 20, 1L << 30, false),
  SEGMENT_MILLIS("segmentMillis", 1, Long.MAX_VALUE, false),
  FLUSH("flush", words(FlushPolicy.values())),
  FLUSH_INTERVAL_MILLIS("flushIntervalMillis", 1, Long.MAX_VALUE, false),
  PARTITIONER("partitioner", words(PartitionerKind.values())),
  MAX_MESSAGE_BYTES("maxMessageBytes", 1, TopicSettings.MAX_MESSAGE_BYTES, false),
  MAX_ATTEMPTS("maxAttempts", 1, Integer.MAX_VALUE, true),
  COMPRESSION("compression", words(Compression.values())),
  ACKS("acks", Arrays.stream(Acks.values()).map(Acks::word).toList());

  private final String field;
  private final long min;
  private final long max;
  private final boolean unlimited;
  private final String words;

  /**
   * @param unlimited whether -1 stands for "no limit"
   */
  TopicSetting(String field, long min, long max, boolean unlimited) {
    this.field = field;
    this.min = min;
    this.max = max;
    this.unlimited = unlimited;
    this.words = "";
  }

  TopicSetting(String field, List<String> values) {
    this.field = field;
    this.min = 0;
    this.max = 0;
    this.unlimited = false;
    this.words = String.join(", ", values);
  }

  private static List<String> words(Enum<?>[] values) {
    return Arrays.stream(values).map(TopicSetting::word).toList();
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String field() {
    return field;
  }

  static Optional<TopicSetting> named(String field) {
    return Arrays.stream(values()).filter(setting -> setting.field.equals(field)).findFirst();
  }

  static String names() {
    return String.join(", ", Arrays.stream(values()).map(TopicSetting::field).toList());
  }

  /**
   * The value as {@link #in} gives it: a {@link Long} or a word.
   *
   * @throws ProblemException 400 that names the field
   */
  Object parse(JsonNode value) {
    if (!words.isEmpty()) {
      boolean word = value.isTextual() || value.isIntegralNumber(); // acks may be a number
      if (word && List.of(words.split(", ")).contains(value.asText())) {
        return value.asText();
      }
    } else if (value.isIntegralNumber() && value.canConvertToLong() && fits(value.longValue())) {
      boolean endless = isRetention() && value.longValue() == -1;
      return endless ? Long.MAX_VALUE : value.longValue();
    }
    throw ProblemException.invalid(field, "is " + value + ", allowed is " + allowed());
  }

  /** Kept as the largest number inside, where attempts keep -1. */
  private boolean isRetention() {
    return this == RETENTION_MILLIS || this == RETENTION_BYTES;
  }

  private boolean fits(long value) {
    return (value >= min && value <= max) || (unlimited && value == -1);
  }

  private String allowed() {
    if (!words.isEmpty()) {
      return words;
    }
    String bounds =
        max == Long.MAX_VALUE ? "a number from " + min : "a number from " + min + " to " + max;
    return unlimited ? bounds + ", or -1 for no limit" : bounds;
  }

  /** What to show: as {@link #in}, but "no limit" is always -1. */
  Object show(TopicConfig config) {
    Object value = in(config);
    return isRetention() && value.equals(Long.MAX_VALUE) ? -1L : value;
  }

  /** The value that a topic has: a {@link Long} or a word. */
  Object in(TopicConfig config) {
    return switch (this) {
      case PARTITIONS -> (long) config.partitions();
      case RETENTION_MILLIS -> config.retention().millis();
      case RETENTION_BYTES -> config.retention().bytes();
      case SEGMENT_BYTES -> config.segmentBytes();
      case SEGMENT_MILLIS -> config.segmentMillis();
      case FLUSH -> word(config.flush());
      case FLUSH_INTERVAL_MILLIS -> config.flushIntervalMillis();
      case PARTITIONER -> word(config.partitioner());
      case MAX_MESSAGE_BYTES -> config.maxMessageBytes();
      case MAX_ATTEMPTS -> (long) config.maxAttempts();
      case COMPRESSION -> word(config.compression());
      case ACKS -> config.acks().word();
    };
  }

  /** The constant that a word stands for. */
  static <E extends Enum<E>> E constant(Class<E> type, Object word) {
    return Enum.valueOf(type, word.toString().toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
