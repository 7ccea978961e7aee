package io.amphora.boot.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.server.AmqpOptions;
import io.amphora.core.node.CoreOptions;
import io.amphora.core.topology.TopicConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConfigTableTest {

  private static Config config(String... overrides) throws ConfigException {
    return ConfigLoader.load(
        new ConfigLoader.Sources(Optional.empty(), Map.of(), List.of(overrides)));
  }

  @Test
  void shouldHaveADefaultForEveryKeyThatItsOwnTypeAllows() throws ConfigException {
    Config config = config();
    for (ConfigKey<?> key : ConfigKeys.ALL) {
      assertThat((Object) config.get(key)).as(key.name()).isNotNull();
      assertThat(key.doc()).as(key.name()).endsWith(".");
      assertThat(key.type().allowed()).as(key.name()).isNotBlank();
    }
  }

  @Test
  void shouldNameEveryKeyAndVariableOnce() {
    assertThat(ConfigKeys.ALL).extracting(ConfigKey::name).doesNotHaveDuplicates();
    assertThat(ConfigKeys.ALL).extracting(ConfigKey::variable).doesNotHaveDuplicates();
    assertThat(ListenerKeys.AMQP_PORT.variable()).isEqualTo("AMPHORA_LISTENERS_AMQP_PORT");
  }

  @Test
  void shouldGiveTheRoomsTheirOwnDefaults() throws ConfigException {
    Config config = config();
    assertThat(TopicKeys.topicDefaults(config)).isEqualTo(TopicConfig.DEFAULT);
    // Shares are of what is left beside the broker's own need.
    long heap = (1L << 30) + (32L << 20);
    assertThat(CoreKeys.coreOptions(config, heap)).isEqualTo(CoreOptions.DEFAULT);
    AmqpOptions amqp = ListenerKeys.amqpOptions(config);
    assertThat(amqp)
        .isEqualTo(new AmqpOptions("127.0.0.1", 5672, true, true, amqp.limits(), Optional.empty()));
    assertThat(amqp.limits()).isEqualTo(AmqpOptions.Limits.DEFAULT);
    assertThat(StorageKeys.dataDir(config)).isEqualTo(Path.of("data").toAbsolutePath());
  }

  @Test
  void shouldLeaveHalfOfASmallHeapFree() throws ConfigException {
    CoreOptions small = CoreKeys.coreOptions(config(), 256L << 20);
    assertThat(small.appendBudgetBytes() + small.tailCacheBytes()).isBetween(32L << 20, 128L << 20);
  }

  @Test
  void shouldLetAnonymousClientsInOnLoopbackOnly() throws ConfigException {
    String everywhere = "listeners.amqp.host=0.0.0.0";
    assertThat(ListenerKeys.amqpOptions(config(everywhere)).anonymous()).isFalse();
    assertThat(ListenerKeys.amqpOptions(config(everywhere)).autoCreate()).isFalse();
    assertThat(ListenerKeys.amqpOptions(config(everywhere, "auth.anonymous=on")).anonymous())
        .isTrue();
    assertThat(ListenerKeys.amqpOptions(config("auth.anonymous=off")).anonymous()).isFalse();
    assertThat(ListenerKeys.amqpOptions(config("listeners.amqp.host=::1")).anonymous()).isTrue();
  }

  @Test
  void shouldPassEverySettingOfATopicOn() throws ConfigException {
    TopicConfig topic =
        TopicKeys.topicDefaults(
            config(
                "topics.default.partitions=3",
                "topics.default.retention.time=unlimited",
                "topics.default.retention.bytes=5MiB",
                "topics.default.segment.bytes=2MiB",
                "topics.default.segment.time=1h",
                "topics.default.flush=interval",
                "topics.default.flush.interval=7ms",
                "topics.default.partitioner=round-robin",
                "topics.default.max-message-size=1MiB",
                "topics.default.max-attempts=unlimited",
                "topics.default.compression=zstd",
                "topics.default.acks=1"));
    assertThat(topic.partitions()).isEqualTo(3);
    assertThat(topic.retention()).isEqualTo(new TopicConfig.Retention(Long.MAX_VALUE, 5L << 20));
    assertThat(topic.segmentBytes()).isEqualTo(2L << 20);
    assertThat(topic.segmentMillis()).isEqualTo(3_600_000);
    assertThat(topic.flush()).hasToString("INTERVAL");
    assertThat(topic.flushIntervalMillis()).isEqualTo(7);
    assertThat(topic.partitioner()).isEqualTo(TopicConfig.PartitionerKind.ROUND_ROBIN);
    assertThat(topic.maxMessageBytes()).isEqualTo(1L << 20);
    assertThat(topic.maxAttempts()).isEqualTo(-1);
    assertThat(topic.compression()).hasToString("ZSTD");
    assertThat(topic.acks()).hasToString("LEADER");
  }
}
