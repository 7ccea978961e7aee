package io.amphora.core.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.ErrorCode;
import io.amphora.core.filter.MemberFilter;
import io.amphora.core.filter.RecordFilter;
import io.amphora.core.topology.GroupInfo.Mode;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Members that do not want all messages; what they want is told by the offset. */
class FilteredDeliveryTest {
  private static final byte[] NONE = new byte[0];
  private static final String QUEUE = SubscribeRequest.queueOf("t");

  private final FakeNode node = FakeNode.started(1);
  private FakeLog log;

  @BeforeEach
  void createTopic() {
    node.maxAttempts = 3;
    node.createTopic("t", 1);
    log = node.log("t", 0);
    node.run();
  }

  static MemberFilter wanting(String text, RecordFilter filter) {
    return new MemberFilter(text, MemberFilter.Scope.MEMBER, filter);
  }

  private static final MemberFilter ODD = wanting("odd", c -> c.record().offset() % 2 == 1);
  private static final MemberFilter EVEN = wanting("even", c -> c.record().offset() % 2 == 0);
  private static final MemberFilter NEVER = wanting("never", c -> false);

  private TestMember member(String group, Mode mode, MemberFilter filter) {
    SubscribeRequest plain = node.request("t", group, mode, StartPosition.EARLIEST);
    return node.subscribe(
        new SubscribeRequest(
            plain.topic(),
            plain.group(),
            plain.mode(),
            plain.member(),
            plain.start(),
            plain.options().wanting(filter)));
  }

  private TestMember queue(MemberFilter filter) {
    return member(QUEUE, Mode.SHARED, filter);
  }

  // --- shared

  @Test
  void shouldGiveTwoMembersWhatEachWants() {
    log.append(10);
    TestMember odd = queue(ODD);
    TestMember even = queue(EVEN);
    odd.credit(100);
    even.credit(100);
    node.run();
    assertThat(odd.offsets()).containsExactly(1L, 3L, 5L, 7L, 9L);
    assertThat(even.offsets()).containsExactly(2L, 4L, 6L, 8L, 10L);
    assertThat(odd.credit).isEqualTo(95);
    odd.accept(odd.take());
    even.accept(even.take());
    node.run(150);
    assertThat(node.position(QUEUE, "t", 0).committed()).isEqualTo(11);
  }

  @Test
  void shouldKeepWhatNobodyWantsForWhoComes() {
    log.append(10);
    TestMember odd = queue(ODD);
    odd.credit(100);
    node.run();
    odd.accept(odd.take());
    node.run(150);
    assertThat(node.position(QUEUE, "t", 0).committed()).isEqualTo(2);
    TestMember even = queue(EVEN);
    even.credit(3);
    node.run();
    assertThat(even.offsets()).containsExactly(2L, 4L, 6L);
    assertThat(even.deliveries).allMatch(Delivery::firstAcquirer);
    TestMember all = queue(MemberFilter.ALL);
    all.credit(100);
    node.run();
    assertThat(all.offsets()).containsExactly(8L, 10L);
    all.accept(all.take());
    even.accept(even.take());
    node.run(150);
    assertThat(node.position(QUEUE, "t", 0).committed()).isEqualTo(11);
    assertThat(node.metrics.meter("delivery.redelivered").getCount()).isZero();
  }

  @Test
  void shouldKeepItOverARestart() {
    log.append(10);
    TestMember odd = queue(ODD);
    odd.credit(100);
    node.run();
    odd.accept(odd.take());
    node.run(150);
    node.crash();
    node.run();
    TestMember all = queue(MemberFilter.ALL);
    all.credit(100);
    node.run();
    assertThat(all.offsets()).containsExactly(2L, 4L, 6L, 8L, 10L);
  }

  @Test
  void shouldKeepItWhenEverybodyLeavesAndComesAgain() {
    log.append(10);
    for (int i = 0; i < 3; i++) {
      TestMember never = queue(NEVER);
      never.credit(5);
      node.run();
      assertThat(never.deliveries).isEmpty();
      never.close();
      node.run(150);
    }
    TestMember all = queue(MemberFilter.ALL);
    all.credit(100);
    node.run();
    assertThat(all.offsets()).containsExactlyElementsOf(range(1, 11));
  }

  @Test
  void shouldPassOnWhatAMemberWithoutCreditWants() {
    log.append(4);
    TestMember odd = queue(ODD);
    TestMember even = queue(EVEN);
    even.credit(10);
    node.run();
    assertThat(even.offsets()).containsExactly(2L, 4L);
    log.append(2);
    odd.credit(1);
    node.run();
    assertThat(odd.offsets()).containsExactly(1L);
    odd.credit(10);
    node.run();
    assertThat(odd.offsets()).containsExactly(1L, 3L, 5L);
    assertThat(even.offsets()).containsExactly(2L, 4L, 6L);
  }

  @Test
  void shouldRedeliverToWhoWantsIt() {
    log.append(4);
    TestMember odd = queue(ODD);
    TestMember even = queue(EVEN);
    odd.credit(100);
    even.credit(100);
    node.run();
    Delivery three = odd.deliveries.get(1);
    odd.settle(new Outcome.Modified(true, false, NONE), three);
    even.settle(Outcome.RELEASED, even.take());
    node.run();
    assertThat(odd.offsets()).containsExactly(1L, 3L, 3L);
    assertThat(odd.last().attempts()).isEqualTo(1);
    assertThat(odd.last().firstAcquirer()).isFalse();
    assertThat(even.offsets()).containsExactly(2L, 4L);
    odd.close();
    node.run();
    assertThat(even.offsets()).containsExactly(2L, 4L);
    TestMember again = queue(ODD);
    again.credit(100);
    node.run();
    assertThat(again.offsets()).containsExactly(1L, 3L);
    assertThat(again.deliveries.get(1).attempts()).isEqualTo(1);
    assertThat(again.deliveries).noneMatch(Delivery::firstAcquirer);
  }

  @Test
  void shouldNotGiveItToAMemberThatMustNotHaveIt() {
    log.append(1);
    TestMember one = queue(ODD);
    one.credit(10);
    node.run();
    TestMember other = queue(EVEN);
    other.credit(10);
    node.run();
    one.settle(new Outcome.Modified(false, true, NONE), one.take());
    node.run();
    assertThat(one.deliveries).isEmpty();
    TestMember third = queue(ODD);
    third.credit(10);
    node.run();
    assertThat(third.offsets()).containsExactly(1L);
  }

  @Test
  void shouldTakeTurnsAmongMembersOfOneFilter() {
    TestMember one = queue(ODD);
    TestMember two = queue(ODD);
    TestMember even = queue(EVEN);
    List.of(one, two, even).forEach(member -> member.credit(100));
    node.run();
    log.append(40);
    node.run();
    assertThat(one.deliveries).hasSize(10);
    assertThat(two.deliveries).hasSize(10);
    assertThat(even.deliveries).hasSize(20);
  }

  @Test
  void shouldLookAtAMessageOncePerFilter() {
    int[] asked = {0};
    MemberFilter counting =
        wanting(
            "counting",
            candidate -> {
              asked[0]++;
              return false;
            });
    List<TestMember> members = List.of(queue(counting), queue(counting), queue(counting));
    members.forEach(member -> member.credit(10));
    node.run();
    log.append(20);
    node.run();
    assertThat(asked[0]).isEqualTo(20);
    for (int i = 0; i < 10; i++) {
      members.get(0).credit(20 + i);
      members.get(1).drain();
      node.run();
    }
    assertThat(asked[0]).isEqualTo(20);
  }

  @Test
  void shouldLookNoFurtherThanTheWindow() {
    int before = PassedOver.LIMIT;
    log.append(before);
    TestMember never = queue(NEVER);
    never.credit(10);
    node.run();
    log.append(20);
    TestMember late = queue(wanting("late", c -> c.record().offset() > before + 10));
    late.credit(10);
    node.run();
    assertThat(late.deliveries).isEmpty();
    late.drain();
    node.run();
    assertThat(late.drained).containsExactly(10);
    TestMember all = queue(MemberFilter.ALL);
    all.credit(15);
    late.credit(10);
    node.run();
    assertThat(all.offsets()).containsExactlyElementsOf(range(1, 16));
    assertThat(late.offsets()).containsExactlyElementsOf(range(before + 11, before + 21));
  }

  @Test
  void shouldGoOnWhenRetentionTookWhatNobodyWanted() {
    log.append(PassedOver.LIMIT);
    TestMember never = queue(NEVER);
    never.credit(10);
    TestMember late = queue(wanting("late", c -> c.record().offset() > PassedOver.LIMIT + 1));
    late.credit(10);
    node.run();
    log.append(3);
    node.run();
    assertThat(late.deliveries).isEmpty();
    log.retainFrom(PassedOver.LIMIT + 1);
    node.run();
    assertThat(late.deliveries).hasSize(2);
    late.accept(late.take());
    node.run(150);
    assertThat(node.position(QUEUE, "t", 0).committed()).isEqualTo(PassedOver.LIMIT + 1);
  }

  // --- drain

  @Test
  void shouldAnswerADrainWhenNothingMatches() {
    log.append(5);
    TestMember never = queue(NEVER);
    never.credit(10);
    node.run();
    never.drain();
    node.run();
    assertThat(never.drained).containsExactly(10);
    assertThat(never.deliveries).isEmpty();
    never.credit(7);
    never.drain();
    node.run();
    assertThat(never.drained).containsExactly(10, 7);
  }

  @Test
  void shouldAnswerADrainWithWhatMatchesOfManyPartitions() {
    node.createTopic("p", 3);
    node.run();
    for (int i = 0; i < 3; i++) {
      node.log("p", i).append(6);
    }
    SubscribeRequest plain =
        node.request("p", SubscribeRequest.queueOf("p"), Mode.SHARED, StartPosition.EARLIEST);
    TestMember odd =
        node.subscribe(
            new SubscribeRequest(
                plain.topic(),
                plain.group(),
                plain.mode(),
                plain.member(),
                plain.start(),
                plain.options().wanting(ODD)));
    odd.credit(100);
    odd.drain();
    node.run();
    odd.credit(100);
    odd.drain();
    node.run();
    assertThat(odd.deliveries).hasSize(9);
    assertThat(odd.drained.get(odd.drained.size() - 1)).isGreaterThan(90);
  }

  @Test
  void shouldComeToRestOnManyPartitionsWithLittleCredit() {
    node.createTopic("p", 4);
    node.run();
    SubscribeRequest plain =
        node.request("p", SubscribeRequest.queueOf("p"), Mode.SHARED, StartPosition.EARLIEST);
    TestMember never =
        node.subscribe(
            new SubscribeRequest(
                plain.topic(),
                plain.group(),
                plain.mode(),
                plain.member(),
                plain.start(),
                plain.options().wanting(NEVER)));
    never.credit(1);
    node.run();
    for (int i = 0; i < 4; i++) {
      node.log("p", i).append(PassedOver.LIMIT + 5);
    }
    // Runs until nothing is left to do: it would not come back from a busy loop.
    node.run();
    assertThat(never.deliveries).isEmpty();
  }

  @Test
  void shouldNotKeepADrainWaitingWhileOthersAreBusy() {
    log.append(5000);
    TestMember busy = queue(MemberFilter.ALL);
    TestMember never = queue(NEVER);
    never.credit(10);
    node.run();
    busy.credit(5000);
    never.drain();
    node.run();
    assertThat(never.drained).containsExactly(10);
    assertThat(busy.deliveries).hasSize(5000);
  }

  // --- ordered

  @Test
  void shouldPassOverInAnOrderedGroupAndMoveThePosition() {
    log.append(10);
    TestMember odd = member("g", Mode.ORDERED, ODD);
    odd.credit(100);
    node.run();
    assertThat(odd.offsets()).containsExactly(1L, 3L, 5L, 7L, 9L);
    odd.accept(odd.take());
    node.run(150);
    assertThat(node.position("g", "t", 0).committed()).isEqualTo(11);
    assertThat(node.metrics.meter("delivery.unwanted").getCount()).isEqualTo(5);
    odd.close();
    node.run(150);
    TestMember all = member("g", Mode.ORDERED, MemberFilter.ALL);
    all.credit(100);
    node.run();
    assertThat(all.deliveries).isEmpty();
  }

  @Test
  void shouldJournalManyThatArePassedOverTogether() {
    TestMember never = member("g", Mode.ORDERED, NEVER);
    never.credit(10);
    node.run(150);
    int before = node.journalAppends;
    for (int i = 0; i < 50; i++) {
      log.append(20);
      node.run();
    }
    node.run(150);
    assertThat(node.position("g", "t", 0).committed()).isEqualTo(1001);
    assertThat(node.journalAppends - before).isLessThan(5);
  }

  @Test
  void shouldPassOverForAReaderAndAnswerItsDrain() {
    log.append(600);
    TestMember odd = member("", Mode.ORDERED, ODD);
    odd.credit(1000);
    odd.drain();
    node.run();
    odd.credit(1000);
    odd.drain();
    node.run();
    assertThat(odd.deliveries).hasSize(300);
    assertThat(odd.drained.get(odd.drained.size() - 1)).isGreaterThanOrEqualTo(700);
    assertThat(node.groups).isEmpty();
  }

  @Test
  void shouldNotDeliverWhatAFilterFailsOn() {
    MemberFilter broken =
        wanting(
            "broken",
            candidate -> {
              if (candidate.record().offset() == 2) {
                throw new IllegalStateException("cannot");
              }
              return true;
            });
    log.append(3);
    TestMember member = queue(broken);
    member.credit(10);
    node.run();
    assertThat(member.offsets()).containsExactly(1L, 3L);
    assertThat(node.metrics.meter("delivery.filter.failed").getCount()).isEqualTo(1);
  }

  @Test
  void shouldGoOnWhenReadsOfWhatWasPassedOverFail() {
    log.append(10);
    TestMember odd = queue(ODD);
    odd.credit(100);
    node.run();
    log.failure = java.util.Optional.of(ErrorCode.TIMEOUT);
    TestMember even = queue(EVEN);
    even.credit(100);
    node.run();
    assertThat(even.deliveries).isEmpty();
    log.failure = java.util.Optional.empty();
    node.run(200);
    assertThat(even.offsets()).containsExactly(2L, 4L, 6L, 8L, 10L);
  }

  private static List<Long> range(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }
}
