package io.amphora.core.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import io.amphora.core.node.MemberView;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.GroupInfo.Mode;
import io.amphora.core.topology.Topology;
import io.amphora.core.topology.TopologyChange;
import io.amphora.core.topology.TopologyCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GroupsTest {
  private static final byte[] NONE = new byte[0];

  private final FakeNode node = FakeNode.started(3);

  private FakeLog topic(String name, int partitions) {
    node.createTopic(name, partitions);
    node.run();
    return node.log(name, 0);
  }

  @Test
  void shouldServeOneMemberOfAnOrderedGroupAtATime() {
    FakeLog log = topic("t", 1);
    log.append(6);
    TestMember first = node.subscribe("t", "g", Mode.ORDERED);
    node.run();
    TestMember second = node.subscribe("t", "g", Mode.ORDERED);
    second.credit(10);
    first.credit(4);
    node.run();
    assertThat(second.attached).isEqualTo(1);
    assertThat(second.deliveries).isEmpty();
    assertThat(first.offsets()).containsExactly(1L, 2L, 3L, 4L);
    first.accept(first.deliveries.subList(0, 2));
    first.close();
    node.run();
    assertThat(second.offsets()).containsExactly(3L, 4L, 5L, 6L);
    assertThat(second.attached).isEqualTo(1);
  }

  @Test
  void shouldTakeOverInJoinOrderAndSkipWhoLeft() {
    topic("t", 1).append(3);
    List<TestMember> members = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      members.add(node.subscribe("t", "g", Mode.ORDERED));
      members.get(i).credit(1);
      node.run();
    }
    members.get(1).close();
    node.run();
    members.get(0).close();
    node.run();
    assertThat(members.get(2).offsets()).containsExactly(1L);
    assertThat(members.get(3).deliveries).isEmpty();
  }

  @Test
  void shouldAnswerADrainOfAWaitingMember() {
    topic("t", 1).append(3);
    node.subscribe("t", "g", Mode.ORDERED);
    TestMember second = node.subscribe("t", "g", Mode.ORDERED);
    node.run();
    second.credit(3);
    second.drain();
    node.run();
    assertThat(second.drained).containsExactly(3);
  }

  @Test
  void shouldDeliverAReturnedMessageBeforeItsSuccessorsWhenOrdered() {
    topic("t", 1).append(10);
    TestMember member = node.subscribe("t", "g", Mode.ORDERED);
    member.credit(3);
    node.run();
    List<Delivery> sent = member.take();
    member.settle(Outcome.RELEASED, sent.get(1));
    member.settle(new Outcome.Modified(true, false, NONE), sent.get(2));
    node.run();
    member.credit(3);
    node.run();
    assertThat(member.offsets()).containsExactly(2L, 3L, 4L);
    assertThat(member.deliveries.get(1).attempts()).isEqualTo(1);
  }

  @Test
  void shouldParkWhatAnOrderedMemberCannotTake() {
    topic("t", 1).append(2);
    TestMember member = node.subscribe("t", "g", Mode.ORDERED);
    member.credit(1);
    node.run();
    member.settle(new Outcome.Modified(false, true, NONE), member.take());
    member.credit(1);
    node.run(150);
    assertThat(member.offsets()).containsExactly(2L);
    assertThat(node.position("g", "t", 0).parked()).hasSize(1);
  }

  @Test
  void shouldLetTheModeOfTheGroupWin() {
    topic("t", 1).append(4);
    TestMember first = node.subscribe("t", "g", Mode.SHARED);
    node.run();
    TestMember second = node.subscribe("t", "g", Mode.ORDERED);
    first.credit(1);
    node.run();
    second.credit(10);
    node.run();
    assertThat(second.offsets()).containsExactly(2L, 3L, 4L);
  }

  @Test
  void shouldKeepOneGroupOverSeveralTopics() {
    topic("a", 1).append(1);
    topic("b", 1).append(1);
    TestMember onA = node.subscribe("a", "g", Mode.ORDERED);
    TestMember onB = node.subscribe("b", "g", Mode.ORDERED);
    onA.credit(5);
    onB.credit(5);
    node.run();
    assertThat(onA.deliveries).hasSize(1);
    assertThat(onB.deliveries).hasSize(1);
    Map<GroupInfo, List<MemberView>> views = views();
    assertThat(views).hasSize(1);
    assertThat(views.get(node.groups.get("g")))
        .extracting(MemberView::topic)
        .containsExactlyInAnyOrder("a", "b");
  }

  private TestMember subscriber(String container, String link, boolean steals) {
    SubscribeRequest.Options options = SubscribeRequest.Options.DEFAULT;
    return node.subscribe(
        new SubscribeRequest(
            "t",
            "t::app|sub",
            Mode.ORDERED,
            new MemberId(container, link, node.connections),
            StartPosition.EARLIEST,
            steals ? options.stealing() : options));
  }

  @Test
  void shouldLetALinkThatIsAttachedAgainTakeOver() {
    topic("t", 2);
    node.log("t", 0).append(3);
    node.log("t", 1).append(3);
    TestMember first = subscriber("app", "sub", true);
    first.credit(10);
    node.run();
    assertThat(first.take()).hasSize(6);
    TestMember second = subscriber("app", "sub", true);
    second.credit(10);
    node.run();
    assertThat(first.detached.orElseThrow().code()).isEqualTo(ErrorCode.LINK_STOLEN);
    assertThat(second.deliveries).as("with what the first held").hasSize(6);
    TestMember third = subscriber("app", "sub", true);
    third.credit(10);
    node.run();
    assertThat(first.deliveries).isEmpty();
    assertThat(second.detached.orElseThrow().code()).isEqualTo(ErrorCode.LINK_STOLEN);
    assertThat(third.detached).isEmpty();
    assertThat(third.deliveries).hasSize(6);
    assertThat(views().values()).singleElement().satisfies(all -> assertThat(all).hasSize(1));
  }

  @Test
  void shouldTakeOverFromWhoWaits() {
    topic("t", 1).append(1);
    TestMember active = subscriber("app", "sub|1", true);
    node.run();
    TestMember waiting = subscriber("app", "sub|2", true);
    node.run();
    TestMember again = subscriber("app", "sub|2", true);
    node.run();
    assertThat(active.detached).isEmpty();
    assertThat(waiting.detached).isPresent();
    active.close();
    again.credit(1);
    node.run();
    assertThat(again.deliveries).hasSize(1);
  }

  @Test
  void shouldNotTakeOverFromAnotherLink() {
    topic("t", 1);
    TestMember first = subscriber("app", "sub", true);
    subscriber("other", "sub", true);
    subscriber("app", "sub2", true);
    subscriber("app", "sub", false);
    node.run();
    assertThat(first.detached).isEmpty();
  }

  private Map<GroupInfo, List<MemberView>> views() {
    List<Map<GroupInfo, List<MemberView>>> got = new ArrayList<>();
    node.hub.groupMembers(node.control, reply -> got.add(reply.orThrow()));
    node.run();
    return got.get(0);
  }

  @Test
  void shouldShowWaitingMembersWithoutPartitions() {
    topic("t", 2);
    node.subscribe("t", "g", Mode.ORDERED);
    node.run();
    TestMember second = node.subscribe("t", "g", Mode.ORDERED);
    node.run();
    assertThat(views().get(node.groups.get("g")))
        .extracting(MemberView::partitions)
        .containsExactly(List.of(0, 1), List.of());
    second.close();
    node.run();
    assertThat(views().get(node.groups.get("g"))).hasSize(1);
  }

  @Test
  void shouldForgetAnEphemeralGroup() {
    FakeLog log = topic("t", 1);
    log.append(3);
    SubscribeRequest request = node.request("t", "", Mode.SHARED, StartPosition.LATEST);
    TestMember first = node.subscribe(request);
    first.credit(10);
    node.run();
    log.append(2);
    node.run(200);
    assertThat(first.offsets()).containsExactly(4L, 5L);
    first.accept(first.take());
    first.close();
    node.run(200);
    assertThat(node.groups).isEmpty();
    assertThat(node.journalAppends).isZero();
    assertThat(views()).isEmpty();
    TestMember second = node.subscribe("t", "", Mode.SHARED);
    second.credit(10);
    node.run();
    assertThat(second.deliveries).hasSize(5);
  }

  @Test
  void shouldKeepWhatCameWhileADurableSubscriberWasAway() {
    FakeLog log = topic("t", 1);
    log.append(3);
    SubscribeRequest request = node.request("t", "sub", Mode.SHARED, StartPosition.LATEST);
    TestMember first = node.subscribe(request);
    node.run();
    first.close();
    node.run();
    log.append(2);
    node.crash();
    node.run();
    TestMember second = node.subscribe(request);
    second.credit(10);
    node.run(100);
    assertThat(second.offsets()).containsExactly(4L, 5L);
  }

  @Test
  void shouldStartAtAnOffsetOrATime() {
    FakeLog log = topic("t", 1);
    log.append(2);
    node.run(1000);
    long time = node.sim.millis();
    log.append(2);
    TestMember byOffset =
        node.subscribe(node.request("t", "", Mode.SHARED, new StartPosition.AtOffset(2)));
    TestMember byTime =
        node.subscribe(node.request("t", "g", Mode.SHARED, new StartPosition.AtTime(time)));
    byOffset.credit(10);
    byTime.credit(10);
    node.run();
    assertThat(byOffset.offsets()).containsExactly(2L, 3L, 4L);
    assertThat(byTime.offsets()).containsExactly(3L, 4L);
  }

  @Test
  void shouldRefuseTopicsThatAreNotThereOrInternal() {
    TestMember missing = node.queue("nope");
    TestMember internal = node.queue("__positions");
    node.run();
    assertThat(missing.detached.orElseThrow().code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(internal.detached.orElseThrow().code()).isEqualTo(ErrorCode.NOT_ALLOWED);
  }

  @Test
  void shouldDetachMembersOfADeletedTopicAndStartAfreshWhenItComesAgain() {
    topic("t", 1).append(3);
    TestMember active = node.subscribe("t", "g", Mode.ORDERED);
    TestMember standby = node.subscribe("t", "g", Mode.ORDERED);
    active.credit(2);
    node.run();
    active.accept(active.take());
    node.run(200);
    node.deleteTopic("t");
    node.run();
    assertThat(active.detached.orElseThrow().code()).isEqualTo(ErrorCode.RESOURCE_DELETED);
    assertThat(standby.detached.orElseThrow().code()).isEqualTo(ErrorCode.RESOURCE_DELETED);
    topic("t", 1).append(2);
    TestMember again = node.subscribe("t", "g", Mode.ORDERED);
    again.credit(5);
    node.run();
    assertThat(again.offsets()).containsExactly(1L, 2L);
  }

  @Test
  void shouldDetachWhenLeadershipEnds() {
    FakeLog log = topic("t", 1);
    TestMember member = node.queue("t");
    node.run();
    log.stop(ErrorCode.NOT_LEADER);
    node.run();
    assertThat(member.detached.orElseThrow().code()).isEqualTo(ErrorCode.NOT_LEADER);
    TestMember late = node.queue("t");
    node.run();
    assertThat(late.detached.orElseThrow().code()).isEqualTo(ErrorCode.NOT_LEADER);
  }

  @Test
  void shouldResumeFromThePositionAfterACrash() {
    topic("t", 1).append(5);
    TestMember first = node.subscribe("t", "g", Mode.ORDERED);
    first.credit(5);
    node.run();
    first.accept(first.take().subList(0, 3));
    node.run(200);
    node.crash();
    node.run();
    TestMember second = node.subscribe("t", "g", Mode.ORDERED);
    second.credit(5);
    node.run();
    assertThat(second.offsets()).containsExactly(4L, 5L);
  }

  @Test
  void shouldNotTakeUnknownForAbsent() {
    topic("t", 1).append(5);
    TestMember first = node.subscribe("t", "g", Mode.ORDERED);
    first.credit(5);
    node.run();
    first.accept(first.take());
    node.run(200);
    for (int p = 0; p < 2; p++) {
      node.log("__positions", p).failure = java.util.Optional.of(ErrorCode.TIMEOUT);
    }
    node.crash();
    TestMember second = node.subscribe("t", "g", Mode.ORDERED);
    second.credit(5);
    node.run(5000);
    assertThat(second.attached).isZero();
    assertThat(second.deliveries).isEmpty();
    for (int p = 0; p < 2; p++) {
      node.log("__positions", p).failure = java.util.Optional.empty();
    }
    node.run(5000);
    assertThat(second.attached).isEqualTo(1);
    assertThat(second.deliveries).isEmpty();
  }

  @Test
  void shouldJournalAndDetachWhenTheNodeStops() {
    topic("t", 2).append(3);
    TestMember member = node.queue("t");
    member.credit(10);
    node.run();
    member.accept(member.take());
    List<String> done = new ArrayList<>();
    node.run();
    node.control.execute(() -> node.hub.stop(() -> done.add("stopped")));
    node.run();
    assertThat(done).containsExactly("stopped");
    assertThat(member.detached.orElseThrow().code()).isEqualTo(ErrorCode.SHUTTING_DOWN);
    TestMember late = node.queue("t");
    node.run();
    assertThat(late.detached.orElseThrow().code()).isEqualTo(ErrorCode.SHUTTING_DOWN);
    node.crash();
    node.run();
    TestMember next = node.queue("t");
    next.credit(10);
    node.run();
    assertThat(next.attached).isEqualTo(1);
    assertThat(next.deliveries).isEmpty();
  }

  @Test
  void shouldStopInBoundedTimeWithoutAJournal() {
    topic("t", 1).append(3);
    TestMember member = node.queue("t");
    member.credit(10);
    node.run();
    node.journalRefuses = true;
    member.accept(member.take());
    node.run();
    List<String> done = new ArrayList<>();
    node.control.execute(() -> node.hub.stop(() -> done.add("stopped")));
    node.run(6000);
    assertThat(done).containsExactly("stopped");
  }

  @Test
  void shouldJournalOnePositionPerRoundAndNothingWhenEqual() {
    topic("t", 1).append(50);
    TestMember member = node.queue("t");
    member.credit(50);
    node.run();
    int before = node.journalAppends;
    for (Delivery delivery : member.take()) {
      member.settle(Outcome.ACCEPTED, delivery);
      node.run();
    }
    node.run(1000);
    assertThat(node.journalAppends).isEqualTo(before + 1);
    node.run(1000);
    assertThat(node.journalAppends).isEqualTo(before + 1);
  }

  @Test
  void shouldAnswerGroupMembersWithOk() {
    List<Object> got = new ArrayList<>();
    node.hub.groupMembers(node.control, got::add);
    node.run();
    assertThat(got).singleElement().isInstanceOf(Reply.Ok.class);
  }

  @Test
  void shouldReadLessAheadWhenManyGroupsDo() {
    FakeLog log = topic("t", 1);
    log.append(3);
    TestMember alone = node.subscribe("t", "", Mode.SHARED);
    alone.credit(1);
    node.run();
    assertThat(log.askedBytes).isEqualTo(1 << 20);
    List<TestMember> many = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      many.add(node.subscribe("t", "", Mode.SHARED));
    }
    node.run();
    many.get(0).credit(1);
    node.run();
    assertThat(400L * log.askedBytes).isLessThanOrEqualTo(64L << 20);
    many.forEach(TestMember::close);
    node.run(200);
    TestMember next = node.subscribe("t", "", Mode.SHARED);
    next.credit(1);
    node.run();
    assertThat(log.askedBytes).isEqualTo(1 << 20);
  }

  /**
   * The topology could not be read again: names of more than 50,000 characters are refused there.
   */
  @Test
  void shouldRefuseGroupNamesThatAreTooLong() {
    topic("t", 1);
    TestMember member = node.subscribe("t", "g".repeat(60_000), Mode.SHARED);
    node.run();
    assertThat(member.detached.orElseThrow().code()).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(node.groups).isEmpty();
    TestMember longest = node.subscribe("t", "\u00fc".repeat(1024), Mode.SHARED);
    node.run();
    assertThat(longest.attached).isEqualTo(1);
    GroupInfo group = node.groups.values().iterator().next();
    Topology kept = TopologyChange.withGroup(TopologyChange.bootstrap("c", "b", 1), group);
    assertThat(TopologyCodec.decode(TopologyCodec.encode(kept))).isEqualTo(kept);
  }
}
