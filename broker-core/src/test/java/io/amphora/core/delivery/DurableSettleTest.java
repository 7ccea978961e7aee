package io.amphora.core.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.ErrorCode;
import io.amphora.core.position.OffsetRange;
import io.amphora.core.position.Position;
import io.amphora.core.topology.GroupInfo.Mode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who asks is told of an outcome when it is in the journal, and never before (safety rule 17). */
class DurableSettleTest {
  private static final Outcome FAILED = new Outcome.Modified(true, false, new byte[0]);

  private final FakeNode node = FakeNode.started(11);

  private TestMember member(String topic, int messages) {
    node.createTopic(topic, 1);
    node.run();
    node.log(topic, 0).append(messages);
    TestMember member = node.subscribe(topic, topic + "-group", Mode.SHARED);
    member.credit(messages);
    node.run();
    assertThat(member.deliveries).hasSize(messages);
    return member;
  }

  private Position position(String topic) {
    return node.position(topic + "-group", topic, 0);
  }

  @Test
  void shouldAnswerAfterTheCommitAndWithoutWaitingForTheInterval() {
    TestMember member = member("t", 3);
    member.settleDurably(Outcome.ACCEPTED, member.take());
    while (node.sim.step()) {
      assertThat(member.durable.isEmpty() || position("t").committed() == 4).isTrue();
    }
    assertThat(member.durable).hasSize(3);
  }

  @Test
  void shouldAnswerWhatIsParkedOrCountedAfterTheCommit() {
    TestMember member = member("t", 2);
    List<Delivery> taken = member.take();
    member.settleDurably(new Outcome.Rejected("x:y", "no"), taken.subList(0, 1));
    member.settleDurably(FAILED, taken.subList(1, 2));
    while (node.sim.step()) {
      member.durable.forEach(
          word ->
              assertThat(
                      word.offset() == 1
                          ? position("t").parked().contains(new OffsetRange(1, 2))
                          : position("t").attempts().containsKey(2L))
                  .isTrue());
    }
    assertThat(member.durable).hasSize(2);
  }

  @Test
  void shouldAnswerWhenTheJournalTakesItAgain() {
    TestMember member = member("t", 2);
    node.journalRefuses = true;
    member.settleDurably(Outcome.ACCEPTED, member.take());
    node.run(1000);
    assertThat(member.durable).isEmpty();
    assertThat(member.detached).as("unknown is not no").isEmpty();
    node.journalRefuses = false;
    node.run(200);
    assertThat(member.durable).hasSize(2);
    assertThat(position("t").committed()).isEqualTo(3);
  }

  @Test
  void shouldAnswerWhatIsReleasedWhenItIsApplied() {
    TestMember member = member("t", 2);
    node.journalRefuses = true;
    member.settleDurably(Outcome.RELEASED, member.take());
    node.run();
    assertThat(member.durable).hasSize(2);
    member.credit(2);
    node.run();
    assertThat(member.offsets()).containsExactly(1L, 2L);
  }

  @Test
  void shouldAnswerAReaderWithoutAJournal() {
    node.createTopic("t", 1);
    node.run();
    node.log("t", 0).append(2);
    TestMember reader = node.subscribe("t", "", Mode.ORDERED);
    reader.credit(2);
    node.run();
    node.journalRefuses = true;
    reader.settleDurably(Outcome.ACCEPTED, reader.take());
    node.run();
    assertThat(reader.durable).hasSize(2);
  }

  @Test
  void shouldNeverAnswerWhatTheEndOfLeadershipLeavesOpen() {
    TestMember member = member("t", 2);
    node.journalRefuses = true;
    member.settleDurably(Outcome.ACCEPTED, member.take());
    node.run();
    node.log("t", 0).stop(ErrorCode.NOT_LEADER);
    node.run();
    node.journalRefuses = false;
    node.run(1000);
    assertThat(member.durable).isEmpty();
    assertThat(member.detached).isPresent();
  }

  @Test
  void shouldNeverAnswerWhatWasNotInFlight() {
    TestMember member = member("t", 1);
    List<Delivery> taken = member.take();
    member.settle(Outcome.RELEASED, taken);
    member.settleDurably(Outcome.ACCEPTED, taken);
    node.run(1000);
    assertThat(member.durable).isEmpty();
    member.credit(1);
    node.run();
    assertThat(member.offsets()).containsExactly(1L);
  }

  @Test
  void shouldAnswerOnceForAllPartitions() {
    node.createTopic("t", 3);
    node.run();
    for (int p = 0; p < 3; p++) {
      node.log("t", p).append(2);
    }
    TestMember member = node.queue("t");
    member.credit(6);
    node.run();
    List<Delivery> taken = member.take();
    assertThat(taken).hasSize(6);
    member.settleDurably(Outcome.ACCEPTED, taken);
    while (node.sim.step()) {
      for (int p = 0; p < 3; p++) {
        assertThat(
                member.durable.isEmpty()
                    || node.position(SubscribeRequest.queueOf("t"), "t", p).committed() == 3)
            .isTrue();
      }
    }
    assertThat(member.durable).hasSize(6);
  }

  @Test
  void shouldJournalTogetherWhatWaitsTogether() {
    List<TestMember> members = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      members.add(member("t" + i, 4));
    }
    node.run(1000);
    int before = node.journalAppends;
    for (TestMember member : members) {
      member.take().forEach(d -> member.settleDurably(Outcome.ACCEPTED, List.of(d)));
    }
    node.run();
    members.forEach(member -> assertThat(member.durable).hasSize(4));
    assertThat(node.journalAppends - before).as("for 32 words").isLessThan(20);
  }

  @Test
  void shouldLeaveWhatNobodyWaitsForToTheInterval() {
    TestMember patient = member("slow", 5);
    TestMember hasty = member("fast", 5);
    node.run(1000);
    Position before = position("slow");
    patient.accept(patient.take());
    node.run();
    for (Delivery delivery : hasty.take()) {
      hasty.settleDurably(Outcome.ACCEPTED, List.of(delivery));
      node.run();
    }
    assertThat(hasty.durable).hasSize(5);
    assertThat(position("slow")).isEqualTo(before);
    node.run(100);
    assertThat(position("slow").committed()).isEqualTo(6);
  }

  /** Rounds for those who wait must not put off the others for ever. */
  @Test
  void shouldJournalTheOthersWhileSomebodyAlwaysWaits() {
    TestMember patient = member("slow", 1);
    TestMember hasty = member("fast", 300);
    patient.accept(patient.take());
    for (Delivery delivery : hasty.take()) {
      hasty.settleDurably(Outcome.ACCEPTED, List.of(delivery));
      node.run(1);
    }
    assertThat(position("slow").committed()).isEqualTo(2);
  }

  /** Killed at every step between the word and its answer. */
  @Test
  void shouldNotDeliverAgainWhatWasAnsweredBeforeACrash() {
    int answered = 0;
    for (int steps = 0; steps < 60; steps++) {
      FakeNode life = FakeNode.started(100 + steps);
      life.createTopic("t", 2);
      life.run();
      life.log("t", 0).append(5);
      life.log("t", 1).append(5);
      TestMember member = life.queue("t");
      member.credit(10);
      life.run();
      for (Delivery delivery : member.take()) {
        member.settleDurably(Outcome.ACCEPTED, List.of(delivery));
      }
      for (int s = 0; s < steps && life.sim.step(); s++) {
        // On its way.
      }
      life.crash();
      life.run();
      TestMember again = life.queue("t");
      again.credit(10);
      life.run(1000);
      answered += member.durable.size();
      for (Settlement word : member.durable) {
        assertThat(again.deliveries)
            .as("after %d steps", steps)
            .noneMatch(
                d -> d.partition() == word.partition() && d.record().offset() == word.offset());
      }
    }
    assertThat(answered).isPositive();
  }
}
