package io.amphora.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.nio.serialization.HazelcastSerializationException;
import io.amphora.core.MembershipView;
import io.amphora.core.PositionStore.PositionLookup;
import io.amphora.core.Reply;
import io.amphora.core.position.OffsetRange;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.core.position.Reset;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two real members on loopback. Futures are bounded; nothing sleeps. */
class ClusterNodeTest {
  private static final String HOST = "127.0.0.1";
  private static final UUID GROUP = new UUID(1, 2);
  private static final UUID TOPIC = new UUID(3, 4);
  private static final BlockingQueue<MembershipView> SEEN = new LinkedBlockingQueue<>();

  private static ClusterNode first;
  private static ClusterNode second;

  @BeforeAll
  static void startTwo() {
    first = ClusterNode.start(new ClusterOptions("test", "b1", HOST, 0, List.of(), "r1"));
    first.membership().onChange(SEEN::add);
    second = ClusterNode.start(joining("b2"));
  }

  private static ClusterOptions joining(String brokerId) {
    return new ClusterOptions("test", brokerId, HOST, 0, List.of(HOST + ":" + first.port()), "");
  }

  @AfterAll
  static void stopBoth() {
    second.close();
    first.close();
  }

  private static PositionKey key(int partition) {
    return new PositionKey(GROUP, TOPIC, partition);
  }

  private static PositionLookup lookup(ClusterNode node, PositionKey key) throws Exception {
    CompletableFuture<PositionLookup> found = new CompletableFuture<>();
    node.positionStore().lookup(key, found::complete);
    return found.get(10, TimeUnit.SECONDS);
  }

  /** A merge through the entry processor that can be waited for, as the store itself sends it. */
  private static void merge(ClusterNode node, PositionKey key, Position position) throws Exception {
    submit(node, key, position).get(10, TimeUnit.SECONDS);
  }

  private static CompletableFuture<?> submit(ClusterNode node, PositionKey key, Position position) {
    return node.hazelcast()
        .<PositionKey, Position>getMap(MemberConfig.POSITIONS)
        .submitToKey(key, new MergePosition(position))
        .toCompletableFuture();
  }

  @Test
  void shouldTellTheFirstViewAndTheJoin() throws Exception {
    assertThat(SEEN.poll(10, TimeUnit.SECONDS))
        .isEqualTo(new MembershipView("b1", "b1", List.of("b1")));
    assertThat(SEEN.poll(10, TimeUnit.SECONDS))
        .isEqualTo(new MembershipView("b1", "b1", List.of("b1", "b2")));
  }

  @Test
  void shouldNameTheOldestMemberAsCandidateOnEveryMember() {
    assertThat(second.membership().view())
        .isEqualTo(new MembershipView("b2", "b1", List.of("b1", "b2")));
  }

  @Test
  void shouldShowAMergeOnTheOtherMember() throws Exception {
    Position position =
        new Position(
            new Reset(3, 1),
            10,
            List.of(new OffsetRange(12, 14), new OffsetRange(20, 21)),
            Map.of(11L, 2),
            List.of(new OffsetRange(5, 6)));
    merge(first, key(0), position);
    assertThat(lookup(second, key(0))).isEqualTo(new PositionLookup.Value(position));
  }

  @Test
  void shouldNotUndoAMergeByAnOlderWrite() throws Exception {
    merge(first, key(1), Position.at(10));
    merge(second, key(1), Position.at(4));
    assertThat(lookup(first, key(1))).isEqualTo(new PositionLookup.Value(Position.at(10)));
  }

  @Test
  void shouldKeepAllOfManyMergesWhateverTheOrder() throws Exception {
    PositionKey key = key(2);
    CompletableFuture<?>[] sent =
        IntStream.rangeClosed(1, 50)
            .mapToObj(i -> submit(i % 2 == 0 ? first : second, key, doneOnly((50 - i) * 2L + 2)))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(sent).get(10, TimeUnit.SECONDS);
    List<OffsetRange> expected =
        IntStream.rangeClosed(1, 50).mapToObj(i -> new OffsetRange(i * 2L, i * 2L + 1)).toList();
    assertThat(lookup(first, key))
        .isEqualTo(
            new PositionLookup.Value(new Position(Reset.NONE, 0, expected, Map.of(), List.of())));
  }

  private static Position doneOnly(long offset) {
    return new Position(
        Reset.NONE, 0, List.of(new OffsetRange(offset, offset + 1)), Map.of(), List.of());
  }

  @Test
  void shouldSayMissingForAnUnknownKey() throws Exception {
    assertThat(lookup(second, key(99))).isEqualTo(new PositionLookup.Missing());
  }

  @Test
  void shouldListAllPositions() throws Exception {
    merge(first, key(50), Position.at(7));
    CompletableFuture<Reply<Map<PositionKey, Position>>> all = new CompletableFuture<>();
    second.positionStore().all(all::complete);
    assertThat(all.get(10, TimeUnit.SECONDS).orThrow()).containsEntry(key(50), Position.at(7));
  }

  @Test
  void shouldKeepTheTopologyWithTheHighestTermAndVersion() throws Exception {
    publish(first, 2, 5, "new");
    publish(second, 2, 4, "older version");
    publish(first, 1, 9, "older term");
    TopologyDocument kept =
        second
            .hazelcast()
            .<String, TopologyDocument>getMap(MemberConfig.TOPOLOGY)
            .get(HazelcastTopologyStore.KEY);
    assertThat(new String(kept.bytes(), StandardCharsets.UTF_8)).isEqualTo("new");
    assertThat(kept.term()).isEqualTo(2);
    assertThat(kept.version()).isEqualTo(5);
  }

  private static void publish(ClusterNode node, long term, long version, String text)
      throws Exception {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    node.hazelcast()
        .<String, TopologyDocument>getMap(MemberConfig.TOPOLOGY)
        .submitToKey(
            HazelcastTopologyStore.KEY,
            new PublishTopology(new TopologyDocument(term, version, bytes)))
        .toCompletableFuture()
        .get(10, TimeUnit.SECONDS);
  }

  @Test
  void shouldRefuseJavaSerializationOfOurOwnTypes() {
    var map = first.hazelcast().<String, Object>getMap("any");
    map.set("k", new Harmful("x"));
    assertThatThrownBy(() -> map.get("k")).isInstanceOf(HazelcastSerializationException.class);
    map.set("k", (Runnable & Serializable) () -> {});
    assertThatThrownBy(() -> map.get("k")).isInstanceOf(HazelcastSerializationException.class);
  }

  private record Harmful(String text) implements Serializable {}

  @Test
  void shouldBringTheErrorOfARemoteCallAtOnce() {
    PositionKey remote = ownedBy(second);
    var raw = first.hazelcast().<PositionKey, Object>getMap("wrong");
    raw.set(remote, "not a position");
    // Far below Hazelcast's own call time-out of 60 s, which a refused exception would run into.
    assertThatThrownBy(
            () ->
                first
                    .hazelcast()
                    .<PositionKey, Position>getMap("wrong")
                    .submitToKey(remote, new MergePosition(Position.at(1)))
                    .toCompletableFuture()
                    .get(10, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseInstanceOf(ClassCastException.class);
  }

  private static PositionKey ownedBy(ClusterNode node) {
    var partitions = first.hazelcast().getPartitionService();
    UUID owner = node.hazelcast().getCluster().getLocalMember().getUuid();
    return IntStream.range(1000, 3000)
        .mapToObj(ClusterNodeTest::key)
        .filter(key -> partitions.getPartition(key).getOwner().getUuid().equals(owner))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldRefuseASecondBrokerWithTheSameId() {
    assertThatThrownBy(() -> ClusterNode.start(joining("b1"), Duration.ofMillis(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("b1");
  }

  @Test
  void shouldListenOnAllAddressesWhenAsked() {
    try (ClusterNode node =
        ClusterNode.start(new ClusterOptions("other", "b9", "0.0.0.0", 0, List.of(), ""))) {
      assertThat(node.port()).isPositive();
      assertThat(node.membership().view().members()).containsExactly("b9");
    }
  }

  @Test
  void shouldSayThatThePortIsTaken() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
      int port = taken.getLocalPort();
      assertThatThrownBy(
              () -> ClusterNode.start(new ClusterOptions("other", "b9", HOST, port, List.of(), "")))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(HOST + ":" + port);
    }
  }
}
