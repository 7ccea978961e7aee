package io.amphora.core.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.ErrorCode;
import io.amphora.core.position.OffsetRange;
import io.amphora.core.topology.GroupInfo.Mode;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SharedDeliveryTest {
  private static final byte[] NONE = new byte[0];
  private static final Outcome FAILED = new Outcome.Modified(true, false, NONE);
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

  @Test
  void shouldDeliverWhatIsThereAndWhatComes() {
    log.append(3);
    TestMember member = node.queue("t");
    member.credit(10);
    node.run();
    assertThat(member.attached).isEqualTo(1);
    assertThat(member.offsets()).containsExactly(1L, 2L, 3L);
    log.append(2);
    node.run();
    assertThat(member.offsets()).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(member.deliveries)
        .allSatisfy(
            d -> {
              assertThat(d.firstAcquirer()).isTrue();
              assertThat(d.attempts()).isZero();
            });
  }

  @Test
  void shouldMoveThePositionOverTheSettledPrefixOnly() {
    log.append(5);
    TestMember member = node.queue("t");
    member.credit(10);
    node.run();
    List<Delivery> all = member.take();
    member.accept(List.of(all.get(2), all.get(4)));
    node.run(150);
    assertThat(node.position(QUEUE, "t", 0).committed()).isEqualTo(1);
    assertThat(node.position(QUEUE, "t", 0).done())
        .containsExactly(new OffsetRange(3, 4), new OffsetRange(5, 6));
    member.accept(List.of(all.get(0), all.get(1)));
    node.run(150);
    assertThat(node.position(QUEUE, "t", 0).committed()).isEqualTo(4);
    member.accept(all);
    node.run(150);
    assertThat(node.position(QUEUE, "t", 0).committed()).isEqualTo(6);
    assertThat(node.position(QUEUE, "t", 0).done()).isEmpty();
  }

  @Test
  void shouldNotCountReleases() {
    log.append(1);
    TestMember member = node.queue("t");
    for (int i = 0; i < 100; i++) {
      member.credit(1);
      node.run();
      assertThat(member.deliveries).hasSize(1);
      Delivery delivery = member.take().get(0);
      assertThat(delivery.attempts()).isZero();
      assertThat(delivery.firstAcquirer()).isEqualTo(i == 0);
      member.settle(Outcome.RELEASED, delivery);
      node.run();
    }
  }

  @Test
  void shouldCountFailuresAndParkWhenAttemptsAreUsedUp() {
    log.append(2);
    TestMember member = node.queue("t");
    for (int i = 0; i < 3; i++) {
      member.credit(1);
      node.run();
      Delivery delivery = member.take().get(0);
      assertThat(delivery.record().offset()).isEqualTo(1);
      assertThat(delivery.attempts()).isEqualTo(i);
      member.settle(FAILED, delivery);
      node.run(150);
      if (i < 2) {
        assertThat(node.position(QUEUE, "t", 0).attempts()).containsEntry(1L, i + 1);
      }
    }
    assertThat(node.position(QUEUE, "t", 0).parked()).containsExactly(new OffsetRange(1, 2));
    assertThat(node.position(QUEUE, "t", 0).committed()).isEqualTo(2);
    assertThat(node.position(QUEUE, "t", 0).attempts()).isEmpty();
    assertThat(node.metrics.meter("delivery.parked").getCount()).isEqualTo(1);
    member.credit(1);
    node.run();
    assertThat(member.last().record().offset()).isEqualTo(2);
  }

  @Test
  void shouldParkARejectedRangeInOrder() {
    log.append(100);
    TestMember member = node.queue("t");
    member.credit(100);
    node.run();
    assertThat(member.deliveries).hasSize(100);
    member.settle(new Outcome.Rejected("x:y", "no"), member.take());
    node.run(150);
    assertThat(node.position(QUEUE, "t", 0).parked()).containsExactly(new OffsetRange(1, 101));
    assertThat(node.position(QUEUE, "t", 0).committed()).isEqualTo(101);
  }

  @Test
  void shouldKeepAnnotationsOfModified() {
    log.append(1);
    TestMember member = node.queue("t");
    member.credit(1);
    node.run();
    byte[] note = {1, 2, 3};
    member.settle(new Outcome.Modified(false, false, note), member.take().get(0));
    member.credit(1);
    node.run();
    assertThat(member.last().annotations()).isEqualTo(note);
    assertThat(member.last().attempts()).isZero();
  }

  @Test
  void shouldGiveAnUndeliverableMessageToAnotherMember() {
    log.append(1);
    TestMember first = node.queue("t");
    first.credit(1);
    node.run();
    TestMember second = node.queue("t");
    node.run();
    first.settle(new Outcome.Modified(false, true, NONE), first.take().get(0));
    first.credit(5);
    node.run();
    assertThat(first.deliveries).isEmpty();
    second.credit(1);
    node.run();
    assertThat(second.offsets()).containsExactly(1L);
  }

  @Test
  void shouldHoldAnUndeliverableMessageForAMemberThatComes() {
    log.append(2);
    TestMember first = node.queue("t");
    first.credit(5);
    node.run();
    first.settle(new Outcome.Modified(false, true, NONE), first.take().get(0));
    node.run(10_000);
    assertThat(first.deliveries).isEmpty();
    TestMember second = node.queue("t");
    second.credit(1);
    node.run();
    assertThat(second.offsets()).containsExactly(1L);
  }

  @Test
  void shouldParkAnUndeliverableMessageWhenNobodyComes() {
    log.append(1);
    TestMember first = node.queue("t");
    first.credit(5);
    node.run();
    first.settle(new Outcome.Modified(false, true, NONE), first.take().get(0));
    node.run(31_000);
    assertThat(node.position(QUEUE, "t", 0).parked()).containsExactly(new OffsetRange(1, 2));
  }

  @Test
  void shouldNotParkAnUndeliverableMessageWhileNobodyIsThere() {
    log.append(1);
    TestMember first = node.queue("t");
    first.credit(5);
    node.run();
    first.settle(new Outcome.Modified(false, true, NONE), first.take().get(0));
    node.run();
    first.close();
    node.run(65_000);
    TestMember second = node.queue("t");
    second.credit(1);
    node.run();
    assertThat(second.offsets()).containsExactly(1L);
  }

  @Test
  void shouldRedeliverWhatADeadMemberHeldBeforeNewMessages() {
    log.append(4);
    TestMember first = node.queue("t");
    first.credit(3);
    node.run();
    assertThat(first.offsets()).containsExactly(1L, 2L, 3L);
    TestMember second = node.queue("t");
    first.settle(Outcome.ACCEPTED, first.deliveries.get(1));
    first.close();
    second.credit(10);
    node.run();
    assertThat(second.offsets()).containsExactlyInAnyOrder(1L, 3L, 4L);
    assertThat(second.deliveries).allSatisfy(d -> assertThat(d.attempts()).isZero());
    Delivery three =
        second.deliveries.stream().filter(d -> d.record().offset() == 3).findFirst().orElseThrow();
    assertThat(three.firstAcquirer()).isFalse();
  }

  @Test
  void shouldShareFairlyAmongMembersWithCredit() {
    TestMember first = node.queue("t");
    TestMember second = node.queue("t");
    first.credit(1000);
    second.credit(1000);
    node.run();
    log.append(500);
    node.run();
    assertThat(first.deliveries).hasSize(250);
    assertThat(second.deliveries).hasSize(250);
  }

  @Test
  void shouldMoveThePositionAtHandOutForAtMostOnce() {
    log.append(3);
    SubscribeRequest plain = node.request("t", "g", Mode.SHARED, StartPosition.EARLIEST);
    TestMember member =
        node.subscribe(
            new SubscribeRequest(
                plain.topic(),
                plain.group(),
                plain.mode(),
                plain.member(),
                plain.start(),
                new SubscribeRequest.Options(true)));
    member.credit(2);
    node.run(150);
    assertThat(member.offsets()).containsExactly(1L, 2L);
    assertThat(node.position("g", "t", 0).committed()).isEqualTo(3);
    member.close();
    TestMember next = node.subscribe("t", "g", Mode.SHARED);
    next.credit(10);
    node.run();
    assertThat(next.offsets()).containsExactly(3L);
  }

  @Test
  void shouldIgnoreUnknownAndRepeatedSettlements() {
    log.append(2);
    TestMember member = node.queue("t");
    member.credit(1);
    node.run();
    Delivery one = member.take().get(0);
    member.settle(Outcome.ACCEPTED, one, one);
    member.settle(Outcome.RELEASED, one);
    member.loop.execute(
        () ->
            member.member.settle(
                List.of(
                    new Settlement(0, 99, Outcome.ACCEPTED),
                    new Settlement(7, 1, Outcome.ACCEPTED),
                    new Settlement(-1, 1, Outcome.ACCEPTED))));
    member.credit(5);
    node.run();
    assertThat(member.offsets()).containsExactly(2L);
  }

  @Test
  void shouldWaitForTheOldestWhenTheAckWindowIsFull() {
    node.options =
        new io.amphora.core.node.CoreOptions(
            1, 1, 100, 10, 1, 1000, io.amphora.core.transaction.TransactionLimits.DEFAULT);
    node.crash();
    node.run();
    log.append(50);
    TestMember member = node.queue("t");
    member.credit(100);
    node.run();
    assertThat(member.deliveries).hasSizeLessThanOrEqualTo(10).isNotEmpty();
    List<Delivery> held = member.take();
    member.accept(held.subList(1, held.size()));
    node.run();
    assertThat(member.deliveries).isEmpty();
    member.accept(held.subList(0, 1));
    node.run();
    assertThat(member.deliveries).hasSize(10);
  }

  @Test
  void shouldContinueAtTheLogStartWhenRetentionWasFaster() {
    log.append(5);
    TestMember member = node.queue("t");
    member.credit(1);
    node.run(150);
    member.accept(member.take());
    node.run(150);
    member.close();
    node.run(150);
    for (int i = 0; i < 5; i++) {
      log.append(1);
    }
    log.retainFrom(8);
    TestMember next = node.queue("t");
    next.credit(10);
    node.run(150);
    assertThat(next.offsets()).containsExactly(8L, 9L, 10L);
    assertThat(node.metrics.meter("delivery.gaps").getCount()).isEqualTo(6);
    next.accept(next.take());
    node.run(150);
    assertThat(node.position(QUEUE, "t", 0).committed()).isEqualTo(11);
  }

  @Test
  void shouldNotRedeliverWhatRetentionTook() {
    log.append(1);
    log.append(1);
    TestMember member = node.queue("t");
    member.credit(2);
    node.run();
    List<Delivery> held = member.take();
    log.retainFrom(2);
    member.settle(Outcome.RELEASED, held);
    member.credit(5);
    node.run();
    assertThat(member.offsets()).containsExactly(2L);
  }

  @Test
  void shouldDetachWithTheOffsetWhenBytesAreDamaged() {
    log.append(3);
    TestMember member = node.queue("t");
    node.run();
    log.failure = java.util.Optional.of(ErrorCode.CORRUPT);
    member.credit(10);
    node.run();
    assertThat(member.deliveries).isEmpty();
    assertThat(member.detached.orElseThrow().code()).isEqualTo(ErrorCode.CORRUPT);
    assertThat(member.detached.orElseThrow()).hasMessageContaining("t-0").hasMessageContaining("0");
    TestMember next = node.queue("t");
    next.credit(1);
    node.run();
    assertThat(next.detached.orElseThrow().code()).isEqualTo(ErrorCode.CORRUPT);
  }

  @Test
  void shouldServeTheNextMemberWhenDamageIsRepaired() {
    log.append(3);
    log.failure = java.util.Optional.of(ErrorCode.CORRUPT);
    TestMember first = node.queue("t");
    first.credit(10);
    node.run(500);
    assertThat(first.detached).isPresent();
    log.failure = java.util.Optional.empty();
    TestMember second = node.queue("t");
    second.credit(10);
    node.run();
    assertThat(second.deliveries).hasSize(3);
  }

  @Test
  void shouldRepeatAReadThatFailedForNow() {
    log.append(3);
    TestMember member = node.queue("t");
    node.run();
    log.failure = java.util.Optional.of(ErrorCode.RESOURCE_LIMIT);
    member.credit(10);
    node.run(500);
    assertThat(member.deliveries).isEmpty();
    log.failure = java.util.Optional.empty();
    node.run(100);
    assertThat(member.offsets()).containsExactly(1L, 2L, 3L);
  }

  @Test
  void shouldDeliverMoreThanOneTurnFromColdReads() {
    log.cold = true;
    for (int i = 0; i < 20; i++) {
      log.append(100);
    }
    TestMember member = node.queue("t");
    member.credit(5000);
    node.run();
    assertThat(member.offsets())
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 2000).boxed().toList());
    member.settle(Outcome.RELEASED, member.take());
    member.credit(5000);
    node.run();
    assertThat(member.offsets())
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 2000).boxed().toList());
  }
}
