package io.amphora.cluster;

import java.util.List;

/**
 * Settings of the Hazelcast member.
 *
 * @param clusterName members with other names are refused
 * @param brokerId id of this broker, a member attribute
 * @param host interface to bind
 * @param port TCP port, 0 for a free one
 * @param members addresses {@code host:port} of the other brokers, empty for a cluster of one
 * @param rack rack of this broker, maybe empty
 */
public record ClusterOptions(
    String clusterName,
    String brokerId,
    String host,
    int port,
    List<String> members,
    String rack) {}
