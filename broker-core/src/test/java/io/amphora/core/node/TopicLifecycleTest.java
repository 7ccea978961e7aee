package io.amphora.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import io.amphora.core.partition.Acks;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.ScramHash;
import io.amphora.core.topology.ScramKeys;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.TopicName;
import io.amphora.core.topology.TopologyCodec;
import io.amphora.core.topology.UserCredential;
import io.amphora.wal.FlushPolicy;
import io.amphora.wal.LogName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TopicLifecycleTest {

  private final NodeHarness node = new NodeHarness(3);

  @BeforeEach
  void start() {
    node.start();
  }

  private ErrorCode failure(Reply<?> reply) {
    assertThat(reply).isInstanceOf(Reply.Failed.class);
    BrokerException error = ((Reply.Failed<?>) reply).error();
    return error.code();
  }

  private Reply<TopicInfo> tryCreate(String name, TopicConfig config) {
    return node.ask(done -> node.broker.createTopic(name, config, node.client, done));
  }

  @Test
  void shouldCreateLedPartitions() {
    TopicInfo topic = node.create("orders", TopicConfig.DEFAULT.withPartitions(3));
    assertThat(topic.partitions()).extracting(p -> p.leader()).containsOnly("b1");
    assertThat(topic.partitions()).extracting(p -> p.epoch()).containsOnly(1);
    assertThat(node.broker.topology().topics().get("orders")).isEqualTo(topic);
    assertThat(node.broker.partition(topic, 2)).isPresent();
    assertThat(node.broker.partition(topic, 3)).isEmpty();
    assertThat(node.broker.partition(topic, -1)).isEmpty();
  }

  @Test
  void shouldRefuseWhatIsNotLegal() {
    node.create("orders");
    assertThat(failure(tryCreate("orders", TopicConfig.DEFAULT)))
        .isEqualTo(ErrorCode.ALREADY_EXISTS);
    assertThat(failure(tryCreate("a::b", TopicConfig.DEFAULT))).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(failure(tryCreate("__mine", TopicConfig.DEFAULT)))
        .isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(failure(tryCreate("x", TopicConfig.DEFAULT.withPartitions(0))))
        .isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(failure(node.delete("nothing"))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(failure(node.delete("__positions"))).isEqualTo(ErrorCode.NOT_ALLOWED);
  }

  /** The first waits for the disk; the others are answered in one go, without a deep stack. */
  @Test
  void shouldAnswerThousandsOfChangesThatWaited() {
    node.wal.thread().hold(true);
    List<Reply<TopicInfo>> replies = new ArrayList<>();
    for (int i = 0; i < 9_000; i++) {
      node.broker.createTopic("orders", TopicConfig.DEFAULT, node.client, replies::add);
    }
    node.scheduler.runUntilIdle();
    assertThat(replies).isEmpty();
    node.wal.thread().hold(false);
    node.scheduler.runUntilIdle();
    assertThat(replies).hasSize(9_000);
    assertThat(replies.get(0)).isInstanceOf(Reply.Ok.class);
    assertThat(replies.subList(1, 9_000))
        .allMatch(reply -> failure(reply) == ErrorCode.ALREADY_EXISTS);
    assertThat(node.append("orders", 0, "a")).isEqualTo(new AppendResult.Appended(1));
  }

  @Test
  void shouldForgetTemporaryTopicsAtTheNextStart() {
    TopicInfo kept = node.create("orders");
    TopicInfo temporary =
        node.ask(
                (Consumer<Reply<TopicInfo>> done) ->
                    node.broker.createTemporaryTopic(node.client, done))
            .orThrow();
    assertThat(TopicName.isTemporary(temporary.name())).isTrue();
    assertThat(temporary.config().flush()).isEqualTo(FlushPolicy.OS);
    node.append(temporary.name(), 0, "request");
    assertThat(failure(tryCreate(temporary.name() + "x", TopicConfig.DEFAULT)))
        .isEqualTo(ErrorCode.INVALID_FIELD);
    node.crash();
    node.start();
    assertThat(node.broker.topology().topics()).containsKey("orders");
    assertThat(node.broker.topology().topics()).doesNotContainKey(temporary.name());
    assertThat(node.broker.topology().deleted()).isEmpty();
    assertThat(node.disk.logNames())
        .extracting(name -> name.topicId())
        .contains(kept.id())
        .doesNotContain(temporary.id());
  }

  @Test
  void shouldStartWithoutTheDataOfATemporaryTopic() {
    TopicInfo temporary =
        node.ask(
                (Consumer<Reply<TopicInfo>> done) ->
                    node.broker.createTemporaryTopic(node.client, done))
            .orThrow();
    node.crash();
    List<LogName> logs = new ArrayList<>();
    node.disk.logNames().forEach(logs::add);
    logs.removeIf(name -> !name.topicId().equals(temporary.id()));
    assertThat(logs).hasSize(1);
    logs.forEach(node.disk::lose);
    node.start();
    assertThat(node.broker.topology().topics()).doesNotContainKey(temporary.name());
  }

  @Test
  void shouldGiveARecreatedTopicANewIdAndNoOldData() {
    TopicInfo first = node.create("orders");
    node.append("orders", 0, "old");
    node.delete("orders").orThrow();
    assertThat(node.quiet.events).contains("deleted orders", "stopped orders-0 RESOURCE_DELETED");
    assertThat(node.broker.topology().topics()).doesNotContainKey("orders");
    assertThat(node.broker.topology().deleted()).isEmpty();

    TopicInfo second = node.create("orders");
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(node.messages("orders", 0)).isEmpty();
    assertThat(node.broker.partition(first, 0)).isEmpty();
  }

  @Test
  void shouldFinishADeletionAfterACrash() {
    TopicInfo topic = node.create("orders");
    node.append("orders", 0, "old");
    NodeHarness.Answer<TopicInfo> answer = new NodeHarness.Answer<>();
    node.broker.deleteTopic("orders", node.client, answer);
    while (node.broker.topology().topics().containsKey("orders")) {
      assertThat(node.scheduler.step()).isTrue();
    }
    assertThat(answer.isThere()).isFalse();
    node.crash();
    assertThat(node.disk.logNames()).extracting(n -> n.topicId()).contains(topic.id());

    node.start();

    assertThat(node.broker.topology().topics()).doesNotContainKey("orders");
    assertThat(node.disk.logNames()).extracting(n -> n.topicId()).doesNotContain(topic.id());
    assertThat(node.broker.topology().deleted()).isEmpty();
  }

  @Test
  void shouldLeaveNoHalfTopicWhereverACreationIsKilled() {
    for (int steps = 1; steps < 60; steps++) {
      NodeHarness each = new NodeHarness(steps);
      each.start();
      NodeHarness.Answer<TopicInfo> answer = new NodeHarness.Answer<>();
      each.broker.createTopic("orders", TopicConfig.DEFAULT.withPartitions(2), each.client, answer);
      for (int i = 0; i < steps && each.scheduler.step(); i++) {}
      boolean answered = answer.isThere();
      each.crash();
      each.start();
      boolean there = each.broker.topology().topics().containsKey("orders");
      assertThat(there || !answered).as("%d steps", steps).isTrue();
      if (there) {
        each.append("orders", 0, "a");
        assertThat(each.messages("orders", 0)).as("%d steps", steps).containsExactly("a");
      }
    }
  }

  @Test
  void shouldTakeACreationBackWhenTheLogCannotBeOpened() {
    NodeHarness.Answer<TopicInfo> answer = new NodeHarness.Answer<>();
    node.broker.createTopic("orders", TopicConfig.DEFAULT, node.client, answer);
    while (!TopologyCodec.decode(node.disk.document("topology.json"))
        .topics()
        .containsKey("orders")) {
      assertThat(node.scheduler.step()).isTrue();
    }
    node.disk.full = true;
    node.scheduler.runUntilIdle();
    assertThat(failure(answer.get())).isEqualTo(ErrorCode.RESOURCE_LIMIT);

    node.disk.full = false;
    node.scheduler.advanceMillis(1500);

    assertThat(node.broker.topology().topics()).doesNotContainKey("orders");
    assertThat(node.broker.topology().deleted()).isEmpty();
    assertThat(node.disk.logNames()).extracting(n -> n.topic()).doesNotContain("orders");
    node.create("orders");
    assertThat(node.append("orders", 0, "a")).isInstanceOf(AppendResult.Appended.class);
  }

  @Test
  void shouldSerialiseChanges() {
    List<Reply<TopicInfo>> replies = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      node.broker.createTopic("t" + i % 10, TopicConfig.DEFAULT, node.client, replies::add);
    }
    node.scheduler.runUntilIdle();
    assertThat(replies).hasSize(20);
    assertThat(replies.stream().filter(Reply.Ok.class::isInstance)).hasSize(10);
    assertThat(node.broker.topology().topics()).hasSize(12);
  }

  @Test
  void shouldAnswerPendingAppendsOfADeletedTopicAsInDoubt() {
    node.create("orders");
    List<AppendResult> results = new ArrayList<>();
    node.wal.thread().hold(true);
    node.appendLater(node.partition("orders", 0), Acks.ALL, results::add, "a");
    node.scheduler.runUntilIdle();
    node.broker.deleteTopic("orders", node.client, reply -> {});
    node.wal.thread().hold(false);
    node.scheduler.runUntilIdle();
    assertThat(results).hasSize(1);
    assertThat(node.broker.topology().topics()).doesNotContainKey("orders");
  }

  @Test
  void shouldKeepUsersAndGroups() {
    ScramKeys keys = new ScramKeys("c2E=", 4096, "c3Q=", "c2U=");
    UserCredential user = new UserCredential("u", "admin", Map.of(ScramHash.SHA_256, keys));
    node.ask((Consumer<Reply<UserCredential>> d) -> node.broker.putUser(user, node.client, d))
        .orThrow();
    NodeServices services = (NodeServices) node.broker;
    GroupInfo wanted = new GroupInfo("g", new UUID(1, 1), GroupInfo.Mode.SHARED, false);
    GroupInfo other = new GroupInfo("g", new UUID(2, 2), GroupInfo.Mode.ORDERED, false);
    assertThat(ensure(services, wanted)).isEqualTo(wanted);
    assertThat(ensure(services, other)).as("the existing one counts").isEqualTo(wanted);

    node.crash();
    node.start();

    assertThat(node.broker.topology().users()).containsEntry("u", user);
    assertThat(node.broker.topology().groups()).containsEntry("g", wanted);
    node.ask((Consumer<Reply<String>> d) -> node.broker.deleteUser("u", node.client, d)).orThrow();
    assertThat(
            failure(
                node.ask(
                    (Consumer<Reply<String>> d) -> node.broker.deleteUser("u", node.client, d))))
        .isEqualTo(ErrorCode.NOT_FOUND);
  }

  /** Deletion of the topic raced with a join: the group would stay for ever. */
  @Test
  void shouldMakeNoGroupOfATopicThatIsGone() {
    node.create("orders");
    NodeServices services = (NodeServices) node.broker;
    GroupInfo queue =
        new GroupInfo("orders::$queue", UUID.randomUUID(), GroupInfo.Mode.SHARED, false);
    List<Reply<GroupInfo>> replies = new ArrayList<>();
    node.broker.deleteTopic("orders", node.client, reply -> {});
    services.control().execute(() -> services.ensureGroup(queue, replies::add));
    node.scheduler.runUntilIdle();
    assertThat(replies).hasSize(1);
    assertThat(failure(replies.get(0))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(node.broker.topology().groups()).isEmpty();
  }

  private GroupInfo ensure(NodeServices services, GroupInfo wanted) {
    return node.ask(
            (Consumer<Reply<GroupInfo>> done) ->
                services.control().execute(() -> services.ensureGroup(wanted, done)))
        .orThrow();
  }
}
