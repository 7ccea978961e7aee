package io.amphora.core.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.topology.GroupInfo.Mode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Credit of one link over one and several partitions; drain (field bugs B35, B38, B41). */
class CreditTest {
  private final FakeNode node = FakeNode.started(2);

  private TestMember queueOver(int partitions) {
    node.createTopic("t", partitions);
    node.run();
    TestMember member = node.queue("t");
    node.run();
    assertThat(member.attached).isEqualTo(1);
    return member;
  }

  @Test
  void shouldNotStarveAPartitionWithCreditOneOverFour() {
    TestMember member = queueOver(4);
    for (int round = 0; round < 20; round++) {
      int partition = round % 4;
      member.credit(1);
      node.run();
      node.log("t", partition).append(1);
      node.run();
      assertThat(member.deliveries).hasSize(1);
      assertThat(member.last().partition()).isEqualTo(partition);
      member.accept(member.take());
    }
  }

  @Test
  void shouldDeliverABacklogOfOnePartitionWithCreditOneAtATime() {
    TestMember member = queueOver(4);
    node.log("t", 2).append(30);
    for (int i = 1; i <= 30; i++) {
      member.credit(1);
      node.run();
      assertThat(member.offsets()).containsExactly((long) i);
      member.accept(member.take());
    }
  }

  @Test
  void shouldServeAllPartitionsWhenAllHaveABacklog() {
    TestMember member = queueOver(4);
    for (int p = 0; p < 4; p++) {
      node.log("t", p).append(40);
    }
    int[] seen = new int[4];
    for (int i = 0; i < 80; i++) {
      member.credit(1);
      node.run();
      seen[member.last().partition()]++;
      member.accept(member.take());
    }
    assertThat(seen).containsOnly(20);
  }

  @Test
  void shouldUseAllCreditForTheOnlyPartitionWithMessages() {
    TestMember member = queueOver(4);
    member.credit(100);
    node.run();
    node.log("t", 3).append(150);
    node.run();
    assertThat(member.deliveries).hasSize(100);
    assertThat(member.deliveries).allMatch(d -> d.partition() == 3);
  }

  @Test
  void shouldNotHoldAMessageForAMemberWithoutCredit() {
    TestMember idle = queueOver(4);
    TestMember eager = node.queue("t");
    eager.credit(10);
    node.run();
    node.log("t", 1).append(10);
    node.run();
    assertThat(idle.deliveries).isEmpty();
    assertThat(eager.deliveries).hasSize(10);
  }

  @Test
  void shouldTakeCreditAsAbsolute() {
    for (int partitions : List.of(1, 4)) {
      node.topics.remove("t");
      TestMember member = queueOver(partitions);
      for (int i = 0; i < 50; i++) {
        member.credit(10);
      }
      node.run();
      node.log("t", 0).append(100);
      node.run();
      assertThat(member.deliveries).hasSize(10);
    }
  }

  @Test
  void shouldTakeCreditBack() {
    for (int partitions : List.of(1, 4)) {
      node.topics.remove("t");
      TestMember member = queueOver(partitions);
      member.credit(100);
      node.run();
      member.credit(3);
      node.run();
      node.log("t", 0).append(50);
      node.run();
      assertThat(member.deliveries).hasSize(3);
      member.credit(0);
      node.run();
      member.credit(2);
      node.run();
      assertThat(member.deliveries).hasSize(5);
    }
  }

  @Test
  void shouldGiveBackWhatArrivesAfterCreditWasLowered() {
    TestMember member = queueOver(1);
    member.credit(10);
    node.run();
    member.loop.hold(true);
    node.log("t", 0).append(10);
    node.run();
    member.credit = 0;
    member.member.credit(0);
    member.loop.hold(false);
    node.run();
    assertThat(member.deliveries).isEmpty();
    TestMember other = node.queue("t");
    other.credit(100);
    node.run();
    assertThat(other.deliveries).hasSize(10);
  }

  @Test
  void shouldDrainWithoutMessages() {
    for (int partitions : List.of(1, 4)) {
      node.topics.remove("t");
      TestMember member = queueOver(partitions);
      member.credit(7);
      member.drain();
      node.run();
      assertThat(member.drained).containsExactly(7);
      member.drain();
      node.run();
      assertThat(member.drained).containsExactly(7, 0);
      node.log("t", 0).append(5);
      node.run();
      assertThat(member.deliveries).isEmpty();
    }
  }

  @Test
  void shouldDrainEverythingAvailableFirst() {
    for (boolean cold : List.of(false, true)) {
      node.topics.remove("t");
      TestMember member = queueOver(4);
      for (int p = 0; p < 4; p++) {
        node.log("t", p).cold = cold;
      }
      node.log("t", 1).append(30);
      node.log("t", 2).append(5);
      node.run();
      member.credit(50);
      member.drain();
      node.run();
      assertThat(member.deliveries).hasSize(35);
      assertThat(member.drained).containsExactly(15);
    }
  }

  @Test
  void shouldNotExceedCreditWhenDraining() {
    TestMember member = queueOver(4);
    node.log("t", 1).append(30);
    node.run();
    member.credit(10);
    member.drain();
    node.run();
    assertThat(member.deliveries).hasSize(10);
    assertThat(member.drained).containsExactly(0);
  }

  @Test
  void shouldKeepGoingWithRepeatedDrainAndCreditOne() {
    for (int partitions : List.of(1, 4)) {
      node.topics.remove("t");
      TestMember member = queueOver(partitions);
      int received = 0;
      for (int i = 0; i < 200; i++) {
        member.credit(1);
        member.drain();
        if (i % 2 == 0) {
          node.log("t", i % partitions).append(1);
        }
        node.run();
        received += member.deliveries.size();
        member.accept(member.take());
      }
      member.credit(100);
      node.run();
      assertThat(received + member.deliveries.size()).isEqualTo(100);
      assertThat(member.drained).hasSize(200);
    }
  }

  @Test
  void shouldAnswerADrainWhileAttaching() {
    node.createTopic("t", 2);
    node.run();
    node.journalRefuses = true;
    TestMember member = node.queue("t");
    member.credit(5);
    member.drain();
    node.run();
    assertThat(member.attached).isZero();
    assertThat(member.drained).containsExactly(5);
    node.journalRefuses = false;
    node.run(2000);
    assertThat(member.attached).isEqualTo(1);
    node.log("t", 0).append(3);
    node.run();
    assertThat(member.deliveries).isEmpty();
    member.credit(2);
    node.run();
    assertThat(member.deliveries).hasSize(2);
  }

  @Test
  void shouldAnswerADrainWhileReadsFail() {
    TestMember member = queueOver(1);
    node.log("t", 0).append(5);
    node.log("t", 0).failure = java.util.Optional.of(io.amphora.core.ErrorCode.TIMEOUT);
    node.run();
    member.credit(5);
    member.drain();
    node.run(10);
    assertThat(member.drained).containsExactly(5);
  }

  @Test
  void shouldKeepSurplusOfAtMostOnceMembers() {
    node.createTopic("t", 1);
    SubscribeRequest plain = node.request("t", "g", Mode.SHARED, StartPosition.EARLIEST);
    TestMember member =
        node.subscribe(
            new SubscribeRequest(
                "t",
                "g",
                Mode.SHARED,
                plain.member(),
                plain.start(),
                new SubscribeRequest.Options(true)));
    node.run();
    member.credit(10);
    node.run();
    member.loop.hold(true);
    node.log("t", 0).append(10);
    node.run();
    member.credit = 0;
    member.member.credit(0);
    member.loop.hold(false);
    node.run();
    member.credit(4);
    node.run();
    member.credit(20);
    node.run();
    assertThat(member.offsets()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
  }
}
