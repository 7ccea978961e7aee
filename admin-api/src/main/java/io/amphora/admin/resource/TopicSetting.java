package io.amphora.admin.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.amphora.admin.http.ProblemException;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicConfig.PartitionerKind;
import io.amphora.core.topology.TopicSettings;
import io.amphora.wal.FlushPolicy;
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
  FLUSH("flush", FlushPolicy.values()),
  FLUSH_INTERVAL_MILLIS("flushIntervalMillis", 1, Long.MAX_VALUE, false),
  PARTITIONER("partitioner", PartitionerKind.values()),
  MAX_MESSAGE_BYTES("maxMessageBytes", 1, TopicSettings.MAX_MESSAGE_BYTES, false),
  MAX_ATTEMPTS("maxAttempts", 1, Integer.MAX_VALUE, true);

  private final String field;
  private final long min;
  private final long max;
  private final boolean unlimited;
  private final List<String> words;

  /**
   * @param unlimited whether -1 stands for "no limit"
   */
  TopicSetting(String field, long min, long max, boolean unlimited) {
    this.field = field;
    this.min = min;
    this.max = max;
    this.unlimited = unlimited;
    this.words = List.of();
  }

  TopicSetting(String field, Enum<?>[] values) {
    this.field = field;
    this.min = 0;
    this.max = values.length - 1L;
    this.unlimited = false;
    this.words = Arrays.stream(values).map(TopicSetting::word).toList();
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
   * The value as a number; words give their place in the list.
   *
   * @throws ProblemException 400 that names the field
   */
  long parse(JsonNode value) {
    if (!words.isEmpty()) {
      int index = value.isTextual() ? words.indexOf(value.textValue()) : -1;
      if (index >= 0) {
        return index;
      }
    } else if (value.isIntegralNumber() && value.canConvertToLong() && fits(value.longValue())) {
      return value.longValue();
    }
    throw ProblemException.invalid(field, "is " + value + ", allowed is " + allowed());
  }

  private boolean fits(long value) {
    return (value >= min && value <= max) || (unlimited && value == -1);
  }

  private String allowed() {
    if (!words.isEmpty()) {
      return String.join(", ", words);
    }
    String bounds = max == Long.MAX_VALUE ? "a number from " + min : "a number from " + min + " to " + max;
    return unlimited ? bounds + ", or -1 for no limit" : bounds;
  }

  /** What to show: a word, or a number where -1 is "no limit". */
  Object show(TopicConfig config) {
    return switch (this) {
      case FLUSH -> word(config.flush());
      case PARTITIONER -> word(config.partitioner());
      case RETENTION_MILLIS, RETENTION_BYTES -> {
        long value = numberIn(config);
        yield value == Long.MAX_VALUE ? -1L : value;
      }
      default -> numberIn(config);
    };
  }

  /** The setting as a number, as {@link #parse} gives it. */
  long numberIn(TopicConfig config) {
    return switch (this) {
      case PARTITIONS -> config.partitions();
      case RETENTION_MILLIS -> config.retention().millis();
      case RETENTION_BYTES -> config.retention().bytes();
      case SEGMENT_BYTES -> config.segmentBytes();
      case SEGMENT_MILLIS -> config.segmentMillis();
      case FLUSH -> config.flush().ordinal();
      case FLUSH_INTERVAL_MILLIS -> config.flushIntervalMillis();
      case PARTITIONER -> config.partitioner().ordinal();
      case MAX_MESSAGE_BYTES -> config.maxMessageBytes();
      case MAX_ATTEMPTS -> config.maxAttempts();
    };
  }
}
