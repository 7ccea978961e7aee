package io.amphora.core.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Next versions of a topology. Pure; the version grows by one with each. */
public final class TopologyChange {

  private TopologyChange() {}

  /** The first document of a new cluster. */
  public static Topology bootstrap(String clusterId, String broker, long term) {
    return new Topology(
        clusterId, term, 1, List.of(broker), Map.of(), Map.of(), Map.of(), List.of());
  }

  /** The same content under a new controller term (safety rule 9). */
  public static Topology adopt(Topology t, long term) {
    return new Topology(
        t.clusterId(),
        term,
        t.version() + 1,
        t.voters(),
        t.topics(),
        t.users(),
        t.groups(),
        t.deleted());
  }

  /** With a topic created or replaced. */
  public static Topology withTopic(Topology t, TopicInfo topic) {
    return withTopics(t, List.of(topic));
  }

  /** With topics created or replaced. */
  public static Topology withTopics(Topology t, List<TopicInfo> changed) {
    Map<String, TopicInfo> topics = new HashMap<>(t.topics());
    changed.forEach(topic -> topics.put(topic.name(), topic));
    return next(t, Map.copyOf(topics), t.users(), t.groups(), t.deleted());
  }

  /** Without a topic and the groups of its own; its id stays as a tombstone. */
  public static Topology withoutTopic(Topology t, TopicInfo topic) {
    return withoutTopics(t, List.of(topic));
  }

  /** Without topics and the groups of their own; their ids stay as tombstones. */
  public static Topology withoutTopics(Topology t, List<TopicInfo> gone) {
    Map<String, TopicInfo> topics = new HashMap<>(t.topics());
    Map<String, GroupInfo> groups = new HashMap<>(t.groups());
    List<UUID> deleted = new ArrayList<>(t.deleted());
    for (TopicInfo topic : gone) {
      topics.remove(topic.name());
      groups.keySet().removeIf(name -> name.startsWith(topic.name() + "::"));
      deleted.add(topic.id());
    }
    return next(t, Map.copyOf(topics), t.users(), Map.copyOf(groups), List.copyOf(deleted));
  }

  /** Without tombstones whose data is erased. */
  public static Topology erased(Topology t, List<UUID> ids) {
    List<UUID> deleted = t.deleted().stream().filter(id -> !ids.contains(id)).toList();
    return next(t, t.topics(), t.users(), t.groups(), deleted);
  }

  /** With a user created or replaced. */
  public static Topology withUser(Topology t, UserCredential user) {
    Map<String, UserCredential> users = changed(t.users(), m -> put(m, user.name(), user));
    return next(t, t.topics(), users, t.groups(), t.deleted());
  }

  /** Without a user. */
  public static Topology withoutUser(Topology t, String name) {
    Map<String, UserCredential> users = changed(t.users(), m -> remove(m, name));
    return next(t, t.topics(), users, t.groups(), t.deleted());
  }

  /** With a group created or replaced. */
  public static Topology withGroup(Topology t, GroupInfo group) {
    Map<String, GroupInfo> groups = changed(t.groups(), m -> put(m, group.name(), group));
    return next(t, t.topics(), t.users(), groups, t.deleted());
  }

  /** Without a group. */
  public static Topology withoutGroup(Topology t, String name) {
    Map<String, GroupInfo> groups = changed(t.groups(), m -> remove(m, name));
    return next(t, t.topics(), t.users(), groups, t.deleted());
  }

  private static <V> Map<String, V> changed(
      Map<String, V> map, UnaryOperator<Map<String, V>> change) {
    return Map.copyOf(change.apply(new HashMap<>(map)));
  }

  private static <V> Map<String, V> put(Map<String, V> map, String key, V value) {
    map.put(key, value);
    return map;
  }

  private static <V> Map<String, V> remove(Map<String, V> map, String key) {
    map.remove(key);
    return map;
  }

  private static Topology next(
      Topology t,
      Map<String, TopicInfo> topics,
      Map<String, UserCredential> users,
      Map<String, GroupInfo> groups,
      List<UUID> deleted) {
    return new Topology(
        t.clusterId(), t.term(), t.version() + 1, t.voters(), topics, users, groups, deleted);
  }
}
