package io.amphora.core.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import io.amphora.core.position.PositionJournal;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.GroupInfo.Mode;
import io.amphora.core.topology.SubscriptionName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Subscriptions: what a name stands for, and how it ends. */
class SubscriptionsTest {
  private static final SubscriptionName DURABLE = new SubscriptionName("app", "sub", true);
  private static final SubscriptionName PASSING = new SubscriptionName("app", "sub", false);

  private final FakeNode node = FakeNode.started(11);
  private final List<Reply<GroupInfo>> replies = new ArrayList<>();

  @BeforeEach
  void topics() {
    node.createTopic("t", 2);
    node.createTopic("u", 1);
    node.run();
  }

  private TestMember join(SubscriptionName name, String topic, Mode mode) {
    TestMember member =
        node.subscribe(node.request(topic, name.groupOn(topic), mode, StartPosition.LATEST));
    member.credit(100);
    node.run();
    return member;
  }

  private void append(String topic, int count) {
    node.log(topic, 0).append(count);
    node.run();
  }

  private void delete(String group) {
    node.control.execute(() -> node.hub.deleteGroup(group, replies::add));
  }

  private static ErrorCode code(TestMember refused) {
    return refused.detached.orElseThrow().code();
  }

  private ErrorCode answer() {
    return ((Reply.Failed<GroupInfo>) replies.get(replies.size() - 1)).error().code();
  }

  @Test
  void shouldStartAfreshAfterADeletion() {
    TestMember first = join(DURABLE, "t", Mode.ORDERED);
    append("t", 3);
    first.accept(first.take());
    first.close();
    node.run(200);
    append("t", 4);
    String group = DURABLE.groupOn("t");
    GroupInfo old = node.groups.get(group);
    delete(group);
    node.run();
    assertThat(replies).containsExactly(Reply.ok(old));
    assertThat(node.groups).doesNotContainKey(group);
    TestMember again = join(DURABLE, "t", Mode.ORDERED);
    assertThat(again.deliveries).as("what came while nobody subscribed").isEmpty();
    assertThat(node.groups.get(group).id()).isNotEqualTo(old.id());
    append("t", 1);
    assertThat(again.deliveries).hasSize(1);
  }

  @Test
  void shouldLeaveNoPositionBehind() {
    TestMember member = join(DURABLE, "t", Mode.ORDERED);
    append("t", 3);
    member.accept(member.take());
    member.loop.execute(
        () -> {
          member.member.close();
          delete(DURABLE.groupOn("t"));
        });
    node.run(500);
    assertThat(replies).hasOnlyElementsOfType(Reply.Ok.class);
    node.crash();
    node.run(500);
    int left = 0;
    for (FakeLog log : node.logs.get(node.topics.get(PositionJournal.TOPIC).id())) {
      PositionJournal journal =
          new PositionJournal(
              node.topics.get(PositionJournal.TOPIC),
              log.partition,
              log.loop,
              node,
              new java.util.HashMap<>());
      log.lead(journal);
      node.run(500);
      left += journal.size();
    }
    assertThat(left).isZero();
  }

  @Test
  void shouldNotDeleteWhatIsInUse() {
    TestMember member = join(DURABLE, "t", Mode.ORDERED);
    append("t", 3);
    delete(DURABLE.groupOn("t"));
    node.run();
    assertThat(answer()).isEqualTo(ErrorCode.RESOURCE_LOCKED);
    assertThat(member.detached).isEmpty();
    append("t", 1);
    assertThat(member.deliveries).hasSize(4);
  }

  @Test
  void shouldNotDeleteWhatSomebodyIsJoining() {
    node.subscribe(node.request("t", DURABLE.groupOn("t"), Mode.ORDERED, StartPosition.LATEST));
    delete(DURABLE.groupOn("t"));
    node.run();
    assertThat(answer()).isEqualTo(ErrorCode.RESOURCE_LOCKED);
    assertThat(node.groups).containsKey(DURABLE.groupOn("t"));
  }

  @Test
  void shouldGiveWhoJoinsDuringTheDeletionANewGroup() {
    join(DURABLE, "t", Mode.ORDERED).close();
    node.run(200);
    append("t", 2);
    delete(DURABLE.groupOn("t"));
    TestMember next =
        node.subscribe(node.request("t", DURABLE.groupOn("t"), Mode.ORDERED, StartPosition.LATEST));
    next.credit(100);
    node.run(200);
    assertThat(replies).hasOnlyElementsOfType(Reply.Ok.class);
    assertThat(next.deliveries).isEmpty();
    append("t", 1);
    assertThat(next.deliveries).hasSize(1);
    assertThat(node.groups).containsKey(DURABLE.groupOn("t"));
  }

  /** A consumer that is closed right before. */
  @Test
  void shouldWaitForWhatAMemberHeld() {
    TestMember member = join(DURABLE, "t", Mode.ORDERED);
    append("t", 50);
    assertThat(member.deliveries).hasSize(50);
    member.loop.execute(
        () -> {
          member.member.close();
          delete(DURABLE.groupOn("t"));
        });
    node.run(500);
    assertThat(replies).hasSize(1).hasOnlyElementsOfType(Reply.Ok.class);
    assertThat(node.groups).doesNotContainKey(DURABLE.groupOn("t"));
  }

  @Test
  void shouldSayThatThereIsNothingToDelete() {
    delete("t::app|other");
    node.run();
    assertThat(answer()).isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void shouldMoveANameToAnotherTopic() {
    join(DURABLE, "t", Mode.ORDERED).close();
    node.run();
    TestMember moved = join(DURABLE, "u", Mode.ORDERED);
    assertThat(node.groups).containsOnlyKeys(DURABLE.groupOn("u"));
    append("u", 1);
    assertThat(moved.deliveries).hasSize(1);
  }

  @Test
  void shouldNotMoveANameThatIsInUse() {
    TestMember first = join(DURABLE, "t", Mode.SHARED);
    assertThat(code(join(DURABLE, "u", Mode.SHARED))).isEqualTo(ErrorCode.RESOURCE_LOCKED);
    assertThat(first.detached).isEmpty();
    TestMember passing = join(PASSING, "t", Mode.SHARED);
    assertThat(code(join(PASSING, "u", Mode.SHARED))).isEqualTo(ErrorCode.RESOURCE_LOCKED);
    assertThat(passing.detached).isEmpty();
  }

  @Test
  void shouldNotShareWhatIsNotSharedNorTheOtherWayRound() {
    join(DURABLE, "t", Mode.ORDERED).close();
    node.run();
    assertThat(code(join(DURABLE, "t", Mode.SHARED))).isEqualTo(ErrorCode.NOT_ALLOWED);
    assertThat(code(join(DURABLE, "u", Mode.SHARED))).isEqualTo(ErrorCode.NOT_ALLOWED);
    SubscriptionName other = new SubscriptionName("app", "other", true);
    join(other, "t", Mode.SHARED);
    assertThat(code(join(other, "t", Mode.ORDERED))).isEqualTo(ErrorCode.NOT_ALLOWED);
  }

  @Test
  void shouldKeepDurableAndPassingOnesOfANameApart() {
    TestMember durable = join(DURABLE, "t", Mode.SHARED);
    TestMember passing = join(PASSING, "t", Mode.SHARED);
    append("t", 2);
    assertThat(durable.deliveries).hasSize(2);
    assertThat(passing.deliveries).hasSize(2);
  }

  @Test
  void shouldShareAPassingOneAndEndItWithItsLastMember() {
    TestMember first = join(PASSING, "t", Mode.SHARED);
    TestMember second = join(PASSING, "t", Mode.SHARED);
    append("t", 4);
    assertThat(first.deliveries.size() + second.deliveries.size()).isEqualTo(4);
    first.close();
    node.run();
    append("t", 1);
    assertThat(second.deliveries).as("with what the first held").hasSize(5);
    second.close();
    node.run(200);
    append("t", 3);
    TestMember later = join(PASSING, "t", Mode.SHARED);
    assertThat(later.deliveries).isEmpty();
    assertThat(node.groups).isEmpty();
    assertThat(node.journalAppends).as("nothing of it is written down").isZero();
    later.close();
    node.run();
    TestMember elsewhere = join(PASSING, "u", Mode.SHARED);
    append("u", 1);
    assertThat(elsewhere.deliveries).hasSize(1);
  }
}
