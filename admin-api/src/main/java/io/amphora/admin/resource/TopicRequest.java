package io.amphora.admin.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.admin.http.ProblemException;
import io.amphora.core.partition.Acks;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicConfig.PartitionerKind;
import io.amphora.core.topology.TopicConfig.Retention;
import io.amphora.wal.FlushPolicy;
import io.amphora.wal.codec.Compression;
import java.math.BigInteger;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The settings that somebody gave for a topic; the others are left open. */
final class TopicRequest {
  private final Map<TopicSetting, Object> given = new EnumMap<>(TopicSetting.class);

  private TopicRequest() {}

  /**
   * Reads the settings of a body, either at its top or in an object {@code config}, which is how
   * topics are shown.
   *
   * @throws ProblemException 400 that names the field
   */
  static TopicRequest of(ObjectNode body) {
    TopicRequest request = new TopicRequest();
    for (Map.Entry<String, JsonNode> field : body.properties()) {
      if (field.getKey().equals("config") && field.getValue() instanceof ObjectNode config) {
        config.properties().forEach(inner -> request.add(inner.getKey(), inner.getValue()));
      } else {
        request.add(field.getKey(), field.getValue());
      }
    }
    return request;
  }

  /**
   * Settings given as text, from the broker's configuration.
   *
   * @throws ProblemException for an unknown name or a bad value
   */
  static TopicRequest ofText(Map<String, String> settings) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    settings.forEach(
        (name, value) -> {
          if (value.matches("-?[0-9]{1,19}")) {
            body.put(name, new BigInteger(value));
          } else {
            body.put(name, value);
          }
        });
    return of(body);
  }

  private void add(String field, JsonNode value) {
    Optional<TopicSetting> setting = TopicSetting.named(field);
    if (setting.isEmpty()) {
      throw ProblemException.invalid(field, "unknown; known are " + TopicSetting.names());
    }
    if (given.put(setting.get(), setting.get().parse(value)) != null) {
      throw ProblemException.invalid(field, "given twice");
    }
  }

  /** True when a topic already is as asked; what was left open may be anything. */
  boolean isMetBy(TopicConfig config) {
    return given.entrySet().stream()
        .allMatch(asked -> asked.getValue().equals(asked.getKey().in(config)));
  }

  /** The settings asked for, the others as in {@code base}. */
  TopicConfig over(TopicConfig base) {
    return new TopicConfig(
        (int) number(TopicSetting.PARTITIONS, base),
        new Retention(
            number(TopicSetting.RETENTION_MILLIS, base),
            number(TopicSetting.RETENTION_BYTES, base)),
        number(TopicSetting.SEGMENT_BYTES, base),
        number(TopicSetting.SEGMENT_MILLIS, base),
        TopicSetting.constant(FlushPolicy.class, value(TopicSetting.FLUSH, base)),
        number(TopicSetting.FLUSH_INTERVAL_MILLIS, base),
        TopicSetting.constant(PartitionerKind.class, value(TopicSetting.PARTITIONER, base)),
        number(TopicSetting.MAX_MESSAGE_BYTES, base),
        (int) number(TopicSetting.MAX_ATTEMPTS, base),
        TopicSetting.constant(Compression.class, value(TopicSetting.COMPRESSION, base)),
        Acks.ofWord(value(TopicSetting.ACKS, base).toString()).orElseThrow());
  }

  private long number(TopicSetting setting, TopicConfig base) {
    return (Long) value(setting, base);
  }

  private Object value(TopicSetting setting, TopicConfig base) {
    return given.getOrDefault(setting, setting.in(base));
  }
}
