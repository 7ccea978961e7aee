package io.amphora.boot.config;

import io.amphora.cluster.ClusterOptions;
import java.util.List;

/** Settings of the cluster, which is one broker for now. */
public final class ClusterKeys {

  private static final String NAME = "[A-Za-z0-9._-]{1,64}";
  private static final String NAME_ALLOWED = "1 to 64 letters, digits, dots, dashes, underscores";

  /** A cluster of one talks to itself only. */
  public static final String HOST = "127.0.0.1";

  public static final ConfigKey<String> BROKER_ID =
      ConfigKey.of(
          "broker.id",
          ValueTypes.matching(NAME, NAME_ALLOWED),
          "broker-1",
          "Name of this broker. It belongs to the data directory: never change it later.");

  public static final ConfigKey<String> CLUSTER_NAME =
      ConfigKey.of(
          "cluster.name",
          ValueTypes.matching(NAME, NAME_ALLOWED),
          "amphora",
          "Brokers with another cluster name are refused.");

  public static final ConfigKey<Integer> SIZE =
      ConfigKey.of(
          "cluster.size",
          ValueTypes.integer(1, 1),
          "1",
          "Number of brokers. This version does not replicate between brokers yet.");

  public static final ConfigKey<List<String>> MEMBERS =
      ConfigKey.of(
          "cluster.members",
          ValueTypes.list("(?!.*)", "nothing, because cluster.size is 1"),
          "",
          "Addresses of the other brokers; none in this version.");

  public static final ConfigKey<Integer> HAZELCAST_PORT =
      ConfigKey.of(
          "cluster.hazelcast.port",
          ValueTypes.PORT,
          "5701",
          "Port of the membership service, on loopback.");

  public static final ConfigKey<String> RACK =
      ConfigKey.of(
          "cluster.rack",
          ValueTypes.matching("[A-Za-z0-9._-]{0,64}", "up to 64 letters, digits, dots, dashes"),
          "",
          "Rack or machine room of this broker.");

  static final List<ConfigKey<?>> KEYS =
      List.of(BROKER_ID, CLUSTER_NAME, SIZE, MEMBERS, HAZELCAST_PORT, RACK);

  private ClusterKeys() {}

  /** The room's record. */
  public static ClusterOptions clusterOptions(Config config) {
    return new ClusterOptions(
        config.get(CLUSTER_NAME),
        config.get(BROKER_ID),
        HOST,
        config.get(HAZELCAST_PORT),
        config.get(MEMBERS),
        config.get(RACK));
  }
}
