package io.amphora.cluster;

import com.hazelcast.config.ClassFilter;
import com.hazelcast.config.Config;
import com.hazelcast.config.JavaSerializationFilterConfig;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.config.SerializationConfig;
import com.hazelcast.config.SerializerConfig;
import com.hazelcast.spi.merge.SplitBrainMergePolicy;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** Every setting of the Hazelcast member, in one place. Nothing is read from files. */
final class MemberConfig {
  static final String POSITIONS = "positions";
  static final String TOPOLOGY = "topology";

  /** Synchronous copies on other members (ADR 0006). */
  private static final int BACKUPS = 2;

  private MemberConfig() {}

  static Config of(ClusterOptions options, InetAddress address) {
    Config config = new Config();
    config.setClusterName(options.clusterName());
    config.setClassLoader(MemberConfig.class.getClassLoader());
    config.getJetConfig().setEnabled(false);
    config.getMetricsConfig().setEnabled(false);
    config
        .getMemberAttributeConfig()
        .setAttribute(HazelcastMembership.BROKER_ID, options.brokerId())
        .setAttribute(HazelcastMembership.RACK, options.rack());
    properties(config, options, address);
    network(config.getNetworkConfig(), options, address);
    serialization(config.getSerializationConfig());
    config.addMapConfig(map(POSITIONS, PositionMergePolicy.class));
    config.addMapConfig(map(TOPOLOGY, TopologyMergePolicy.class));
    return config;
  }

  /** A dead broker is noticed in about 5 s; two halves merge in seconds (rule 17). */
  private static void properties(Config config, ClusterOptions options, InetAddress address) {
    config.setProperty("hazelcast.merge.first.run.delay.seconds", "10");
    config.setProperty("hazelcast.merge.next.run.delay.seconds", "5");
    config.setProperty("hazelcast.heartbeat.interval.seconds", "1");
    config.setProperty("hazelcast.max.no.heartbeat.seconds", "5");
    config.setProperty(
        "hazelcast.wait.seconds.before.join", options.members().isEmpty() ? "0" : "1");
    // Positions and topology have their truth elsewhere: a stop does not wait long for a hand-over.
    config.setProperty("hazelcast.graceful.shutdown.max.wait", "10");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.shutdownhook.enabled", "false");
    config.setProperty("hazelcast.logging.type", "slf4j");
    config.setProperty("hazelcast.socket.bind.any", Boolean.toString(address.isAnyLocalAddress()));
  }

  private static void network(NetworkConfig network, ClusterOptions options, InetAddress address) {
    network.setPort(options.port()).setPortAutoIncrement(false);
    if (!address.isAnyLocalAddress()) {
      network.getInterfaces().setEnabled(true).addInterface(address.getHostAddress());
    }
    JoinConfig join = network.getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    // Enabled for a cluster of one as well: members refuse each other when this differs.
    join.getTcpIpConfig().setEnabled(true).setMembers(members(options));
  }

  private static List<String> members(ClusterOptions options) {
    List<String> members = new ArrayList<>(options.members());
    if (options.port() != 0) {
      members.add(options.host() + ":" + options.port());
    }
    return members;
  }

  /**
   * Java serialization stays open for Hazelcast's and the JDK's own exceptions: with it closed, the
   * caller of a failing remote operation would wait for its time-out instead of seeing the error.
   */
  private static void serialization(SerializationConfig serialization) {
    serialization.setJavaSerializationFilterConfig(
        new JavaSerializationFilterConfig()
            .setDefaultsDisabled(true)
            .setWhitelist(
                new ClassFilter()
                    .addPrefixes(
                        "com.hazelcast.",
                        "java.lang.",
                        "java.util.Collections$",
                        "java.util.concurrent.",
                        "[Ljava.lang."))
            .setBlacklist(new ClassFilter().addClasses("java.lang.invoke.SerializedLambda")));
    serialization.addDataSerializableFactory(SerialIds.FACTORY, new SerialIds());
    serialization.addSerializerConfig(
        new SerializerConfig()
            .setTypeClass(PositionKey.class)
            .setImplementation(new PositionKeySerializer()));
    serialization.addSerializerConfig(
        new SerializerConfig()
            .setTypeClass(Position.class)
            .setImplementation(new PositionSerializer()));
  }

  private static MapConfig map(
      String name, Class<? extends SplitBrainMergePolicy<?, ?, ?>> mergePolicy) {
    return new MapConfig(name)
        .setBackupCount(BACKUPS)
        .setAsyncBackupCount(0)
        .setMergePolicyConfig(new MergePolicyConfig().setPolicy(mergePolicy.getName()));
  }
}
