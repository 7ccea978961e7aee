package io.amphora.core.topology;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.partition.Acks;
import io.amphora.wal.codec.Compression;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The topology as a JSON document. Reading is strict: a document of another format, with unknown,
 * missing or contradicting fields is an error, never an emptier topology.
 */
public final class TopologyCodec {

  /**
   * Version of the document's format. Since 2, topics have {@code compression} and {@code acks};
   * since 3, users have keys for several hashes.
   */
  public static final int FORMAT = 3;

  private static final int OLDEST_FORMAT = 1;

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .build();

  private record Document(int format, Topology topology) {}

  private TopologyCodec() {}

  /** Encodes a snapshot. */
  public static byte[] encode(Topology topology) {
    try {
      return MAPPER
          .writerWithDefaultPrettyPrinter()
          .writeValueAsBytes(new Document(FORMAT, topology));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Decodes a document.
   *
   * @throws BrokerException {@code CORRUPT} when it is not a complete document of this format
   */
  public static Topology decode(byte[] document) {
    try {
      JsonNode tree = MAPPER.readTree(document);
      JsonNode format = tree.path("format");
      int version = format.isInt() ? format.intValue() : 0;
      if (version < OLDEST_FORMAT || version > FORMAT) {
        throw corrupt(
            "has format '%s', this version reads %d to %d".formatted(format, OLDEST_FORMAT, FORMAT),
            null);
      }
      if (version == 1) {
        addWhatFormat1Lacked(tree);
      }
      if (version <= 2) {
        moveKeysOfFormat2(tree);
      }
      Topology topology = frozen(MAPPER.treeToValue(tree, Document.class).topology());
      check(topology);
      return topology;
    } catch (IOException | NullPointerException | IllegalArgumentException e) {
      throw corrupt("cannot be read: " + e.getMessage(), e);
    }
  }

  /** Topics had neither setting, and behaved like the defaults of both. */
  private static void addWhatFormat1Lacked(JsonNode tree) {
    for (JsonNode topic : tree.path("topology").path("topics")) {
      if (topic.path("config") instanceof ObjectNode config) {
        require(!config.has("compression") && !config.has("acks"), "format 1 with later settings");
        config.put("compression", Compression.NONE.name()).put("acks", Acks.ALL.name());
      }
    }
  }

  /** A user had the keys of one hash, SHA-256, among its own fields. */
  private static void moveKeysOfFormat2(JsonNode tree) {
    for (JsonNode each : tree.path("topology").path("users")) {
      if (each instanceof ObjectNode user) {
        require(!user.has("keys"), "format 2 with keys of several hashes");
        ObjectNode keys = MAPPER.createObjectNode();
        for (String field : List.of("salt", "iterations", "storedKey", "serverKey")) {
          require(user.has(field), "a user without " + field);
          keys.set(field, user.remove(field));
        }
        user.putObject("keys").set(ScramHash.SHA_256.name(), keys);
      }
    }
  }

  /** Immutable copy; fails on a null anywhere in a collection. */
  private static Topology frozen(Topology read) {
    Map<String, TopicInfo> topics = new TreeMap<>();
    read.topics().forEach((name, topic) -> topics.put(name, frozen(topic)));
    return new Topology(
        read.clusterId(),
        read.term(),
        read.version(),
        List.copyOf(read.voters()),
        Map.copyOf(topics),
        frozenUsers(read.users()),
        Map.copyOf(read.groups()),
        List.copyOf(read.deleted()));
  }

  private static Map<String, UserCredential> frozenUsers(Map<String, UserCredential> users) {
    Map<String, UserCredential> frozen = new TreeMap<>();
    users.forEach(
        (name, user) ->
            frozen.put(
                name, new UserCredential(user.name(), user.role(), Map.copyOf(user.keys()))));
    return Map.copyOf(frozen);
  }

  private static TopicInfo frozen(TopicInfo topic) {
    List<PartitionAssignment> partitions =
        topic.partitions().stream()
            .map(
                p ->
                    new PartitionAssignment(
                        p.partition(),
                        List.copyOf(p.replicas()),
                        p.leader(),
                        p.epoch(),
                        List.copyOf(p.isr())))
            .toList();
    return new TopicInfo(
        topic.name(), topic.id(), topic.config(), topic.createdMillis(), partitions);
  }

  private static void check(Topology topology) {
    require(!topology.clusterId().isEmpty(), "the cluster id is empty");
    require(topology.term() > 0 && topology.version() > 0, "term and version must be above 0");
    require(!topology.voters().isEmpty(), "there are no voters");
    Set<UUID> ids = new HashSet<>(topology.deleted());
    topology.topics().forEach((name, topic) -> checkTopic(name, topic, ids));
    topology.users().forEach(TopologyCodec::checkUser);
    topology.groups().forEach((name, g) -> require(name.equals(g.name()), "group key " + name));
  }

  private static void checkUser(String name, UserCredential user) {
    require(name.equals(user.name()), "user key " + name);
    require(user.keys().containsKey(ScramHash.SHA_256), "user " + name + " lacks keys");
  }

  private static void checkTopic(String name, TopicInfo topic, Set<UUID> ids) {
    require(name.equals(topic.name()), "topic key " + name + " names " + topic.name());
    require(TopicName.problemOfAny(name).isEmpty(), "illegal topic name " + name);
    require(TopicSettings.problem(topic.config()).isEmpty(), "illegal settings of " + name);
    require(ids.add(topic.id()), "topic id " + topic.id() + " is used twice");
    require(
        topic.partitions().size() == topic.config().partitions(),
        name + " has another number of partitions than its settings say");
    for (int i = 0; i < topic.partitions().size(); i++) {
      PartitionAssignment assignment = topic.partitions().get(i);
      require(assignment.partition() == i, name + " lacks partition " + i);
      require(!assignment.replicas().isEmpty(), name + " partition " + i + " has no replica");
      require(assignment.epoch() >= 0, name + " partition " + i + " has a negative epoch");
    }
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  private static BrokerException corrupt(String why, @Nullable Throwable e) {
    String message = "the topology document " + why;
    return e == null
        ? new BrokerException(ErrorCode.CORRUPT, message)
        : new BrokerException(ErrorCode.CORRUPT, message, e);
  }
}
