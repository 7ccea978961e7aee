package io.amphora.core.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.position.OffsetRange;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionCodec;
import io.amphora.core.position.PositionKey;
import io.amphora.core.position.Reset;
import io.amphora.core.replication.PartitionMeta;
import io.amphora.core.replication.ReplicaKey;
import io.amphora.core.replication.ReplicaState;
import io.amphora.core.replication.ReplicaStatesCodec;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.NodeIdentity;
import io.amphora.core.topology.PartitionAssignment;
import io.amphora.core.topology.PartitionAssignment.ReplicaId;
import io.amphora.core.topology.ScramHash;
import io.amphora.core.topology.ScramKeys;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.Topology;
import io.amphora.core.topology.TopologyCodec;
import io.amphora.core.topology.UserCredential;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * A document that is read strictly.
 *
 * @param name for messages
 * @param samples good ones
 * @param again reads it and writes what it read
 * @param checksum whether its last four bytes are a CRC-32C of the others
 */
record DocumentKind(
    String name, List<byte[]> samples, UnaryOperator<byte[]> again, boolean checksum) {

  private static final UUID ID = new UUID(1, 2);

  static List<DocumentKind> all() {
    return List.of(
        new DocumentKind(
            "topology",
            List.of(TopologyCodec.encode(topology(1)), TopologyCodec.encode(topology(5))),
            bytes -> TopologyCodec.encode(TopologyCodec.decode(bytes)),
            false),
        new DocumentKind(
            "node",
            List.of(NodeIdentity.of("b1", "c", 7).encode(), NodeIdentity.of("b", "", 0).encode()),
            bytes -> NodeIdentity.decode(bytes).encode(),
            false),
        new DocumentKind(
            "promises",
            List.of(ReplicaStatesCodec.encode(states()), ReplicaStatesCodec.encode(Map.of())),
            bytes -> ReplicaStatesCodec.encode(ReplicaStatesCodec.decode(bytes)),
            true),
        new DocumentKind(
            "partition.meta",
            List.of(new PartitionMeta("a/b=c é", 3, "x-1").encode()),
            bytes -> PartitionMeta.decode(bytes).encode(),
            false),
        new DocumentKind(
            "position",
            List.of(PositionCodec.encode(Position.at(7)), PositionCodec.encode(position())),
            bytes -> PositionCodec.encode(PositionCodec.decode(ByteBuffer.wrap(bytes))),
            false),
        new DocumentKind(
            "position key",
            List.of(PositionCodec.encodeKey(new PositionKey(ID, new UUID(3, 4), 2))),
            bytes -> PositionCodec.encodeKey(PositionCodec.decodeKey(ByteBuffer.wrap(bytes))),
            false));
  }

  /** What it says, written again; empty when it is refused as it should be. */
  Optional<byte[]> writtenAgain(byte[] bytes) {
    try {
      return Optional.of(again.apply(bytes));
    } catch (BrokerException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT);
      assertThat(e.getMessage()).isNotBlank();
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      // Documents of the replication package: the start of the node makes it CORRUPT.
      assertThat(name).isIn("promises", "partition.meta");
      assertThat(e.getMessage()).isNotBlank();
      return Optional.empty();
    }
  }

  private static Topology topology(int partitions) {
    TopicInfo topic =
        new TopicInfo(
            "orders/ü",
            ID,
            TopicConfig.DEFAULT.withPartitions(partitions),
            1234,
            java.util.stream.IntStream.range(0, partitions).mapToObj(DocumentKind::part).toList());
    UserCredential user =
        new UserCredential(
            "u",
            "admin",
            Map.of(
                ScramHash.SHA_256,
                new ScramKeys("c2E=", 4096, "c3Q=", "c2U="),
                ScramHash.SHA_512,
                new ScramKeys("c2I=", 8192, "c3R=", "c2V=")));
    String queue = "orders/ü::$queue";
    GroupInfo group = new GroupInfo(queue, new UUID(3, 4), GroupInfo.Mode.SHARED, false);
    return new Topology(
        "c",
        3,
        9,
        List.of("b1"),
        Map.of("orders/ü", topic),
        Map.of("u", user),
        Map.of(queue, group),
        List.of(new UUID(5, 6)));
  }

  private static PartitionAssignment part(int number) {
    return new PartitionAssignment(
        number, List.of(new ReplicaId("b1", "i" + number)), "b1", 7, List.of("b1"));
  }

  /** One entry: the order of more is that of a hash. */
  private static Map<ReplicaKey, ReplicaState> states() {
    return Map.of(new ReplicaKey(ID, 3), new ReplicaState(9, new UUID(7, 8), 8));
  }

  private static Position position() {
    return new Position(
        new Reset(3, 1),
        1000,
        List.of(new OffsetRange(1005, 1010), new OffsetRange(1_000_000, 2_000_000)),
        Map.of(1001L, 3, 1010L, 1),
        List.of(new OffsetRange(4, 5), new OffsetRange(900, 1003)));
  }
}
