package io.amphora.core.topology;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Everything that exists, one immutable snapshot of one versioned document.
 *
 * @param clusterId made when the cluster is bootstrapped
 * @param term controller term under which it was written
 * @param version grows by one with each change
 * @param voters broker ids whose majority decides about the topology
 * @param topics by name
 * @param users by name
 * @param groups created groups by name
 * @param deleted ids of deleted topics whose data may still have to be erased
 */
public record Topology(
    String clusterId,
    long term,
    long version,
    List<String> voters,
    Map<String, TopicInfo> topics,
    Map<String, UserCredential> users,
    Map<String, GroupInfo> groups,
    List<UUID> deleted) {}
