package io.amphora.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.boot.config.Config;
import io.amphora.boot.config.ConfigLoader;
import io.amphora.boot.config.ListenerKeys;
import io.amphora.core.node.Broker;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.Topology;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MaxMessageSizeTest {

  private static final long LIMIT = 1L << 20;

  private final AtomicReference<Topology> now = new AtomicReference<>(topology(1, "a"));
  private final Broker seen = new WithTopicDefaults(broker(), TopicConfig.DEFAULT, LIMIT);

  /** Knows a topology; nothing else is asked of it. */
  private Broker broker() {
    return (Broker)
        Proxy.newProxyInstance(
            Broker.class.getClassLoader(), new Class<?>[] {Broker.class}, (p, m, a) -> now.get());
  }

  private static Topology topology(long version, String topic) {
    TopicInfo info = new TopicInfo(topic, new UUID(0, 1), TopicConfig.DEFAULT, 1, List.of());
    return new Topology(
        "c", 1, version, List.of("b"), Map.of(topic, info), Map.of(), Map.of(), List.of());
  }

  private static long limit(String... overrides) throws Exception {
    Config config =
        ConfigLoader.load(new ConfigLoader.Sources(Optional.empty(), Map.of(), List.of(overrides)));
    return ListenerKeys.maxMessageBytes(config);
  }

  @Test
  void shouldTakeNoLargerMessagesThanTheBrokerTakes() {
    TopicConfig clipped = seen.topology().topics().get("a").config();
    assertThat(clipped.maxMessageBytes()).isEqualTo(LIMIT);
    assertThat(clipped.segmentBytes()).isEqualTo(TopicConfig.DEFAULT.segmentBytes());
    Broker roomy = new WithTopicDefaults(broker(), TopicConfig.DEFAULT, 1L << 30);
    assertThat(roomy.topology()).isEqualTo(now.get());
  }

  @Test
  void shouldMakeTheClippedTopologyOnceForEachVersion() {
    assertThat(seen.topology()).isSameAs(seen.topology());
    now.set(topology(2, "b"));
    assertThat(seen.topology().topics()).containsOnlyKeys("b");
  }

  @Test
  void shouldLeaveItToTheTopicUnlessSaidOtherwise() throws Exception {
    assertThat(limit()).isEqualTo(1L << 30);
    assertThat(limit("amqp.max-message-size=2MiB")).isEqualTo(2L << 20);
  }
}
