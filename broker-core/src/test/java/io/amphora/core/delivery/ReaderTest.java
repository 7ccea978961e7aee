package io.amphora.core.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.ErrorCode;
import io.amphora.core.node.MemberView;
import io.amphora.core.topology.GroupInfo.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Readers and browsers: ephemeral groups with a start of their own. */
class ReaderTest {

  private final FakeNode node = FakeNode.started(11);

  private FakeLog topic(int partitions) {
    node.createTopic("t", partitions);
    node.run();
    return node.log("t", 0);
  }

  private TestMember reader(StartPosition start, OptionalInt only) {
    SubscribeRequest plain = node.request("t", "", Mode.ORDERED, start);
    return node.subscribe(
        new SubscribeRequest(
            "t",
            "",
            Mode.ORDERED,
            plain.member(),
            start,
            new SubscribeRequest.Options(false, only)));
  }

  private TestMember browser() {
    return reader(new StartPosition.AsGroup(SubscribeRequest.queueOf("t")), OptionalInt.empty());
  }

  @Test
  void shouldServeAReaderFromOnePartitionOnly() {
    topic(3).append(2);
    node.log("t", 1).append(3);
    node.log("t", 2).append(1);
    TestMember member = reader(StartPosition.EARLIEST, OptionalInt.of(1));
    member.credit(2);
    node.run();
    assertThat(member.attached).isEqualTo(1);
    assertThat(member.deliveries).allMatch(d -> d.partition() == 1);
    assertThat(member.offsets()).containsExactly(1L, 2L);
    member.accept(member.take());
    member.credit(10);
    member.drain();
    node.run();
    assertThat(member.offsets()).containsExactly(3L);
    assertThat(member.drained).containsExactly(9);
  }

  @Test
  void shouldRedeliverWhatAReaderOfOnePartitionReleased() {
    topic(2);
    node.log("t", 1).append(2);
    TestMember member = reader(StartPosition.EARLIEST, OptionalInt.of(1));
    member.credit(1);
    node.run();
    member.settle(Outcome.RELEASED, member.take());
    member.credit(2);
    node.run();
    assertThat(member.offsets()).containsExactly(1L, 2L);
  }

  @Test
  void shouldLetGoOfThePartitionWhenTheReaderLeaves() {
    topic(2);
    TestMember member = reader(StartPosition.EARLIEST, OptionalInt.of(1));
    node.run();
    List<MemberView> views = new ArrayList<>();
    node.hub.groupMembers(node.control, reply -> reply.orThrow().values().forEach(views::addAll));
    node.run();
    assertThat(views).extracting(MemberView::partitions).containsExactly(List.of(1));
    member.close();
    node.run();
    views.clear();
    node.hub.groupMembers(node.control, reply -> reply.orThrow().values().forEach(views::addAll));
    node.run();
    assertThat(views).isEmpty();
  }

  @Test
  void shouldRefuseAPartitionThatDoesNotExist() {
    topic(2);
    TestMember member = reader(StartPosition.EARLIEST, OptionalInt.of(2));
    node.run();
    assertThat(member.detached.orElseThrow().code()).isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void shouldStartAtTheLastMessageAlsoWhenEpochsBeganAfterIt() {
    topic(1).append(3);
    node.crash();
    node.crash();
    node.run();
    TestMember member = reader(StartPosition.LAST, OptionalInt.empty());
    member.credit(10);
    node.run();
    assertThat(member.offsets()).containsExactly(3L);
    node.log("t", 0).append(1);
    node.run();
    assertThat(member.deliveries).hasSize(2);
  }

  @Test
  void shouldStartAtTheBeginningOfAnEmptyTopicWhenTheLastIsWanted() {
    FakeLog log = topic(1);
    TestMember member = reader(StartPosition.LAST, OptionalInt.empty());
    member.credit(10);
    node.run();
    log.append(1);
    node.run();
    assertThat(member.offsets()).containsExactly(1L);
  }

  @Test
  void shouldBrowseWhatTheQueueHoldsWhileItIsConsumed() {
    topic(1).append(5);
    TestMember consumer = node.queue("t");
    consumer.credit(4);
    node.run();
    consumer.accept(List.of(consumer.deliveries.get(0), consumer.deliveries.get(2)));
    node.run();
    TestMember browser = browser();
    node.run();
    browser.credit(100);
    browser.drain();
    node.run();
    assertThat(browser.offsets()).containsExactly(2L, 4L, 5L);
    assertThat(browser.drained).containsExactly(97);
    browser.close();
    consumer.credit(1);
    node.run();
    assertThat(consumer.last().record().offset()).isEqualTo(5L);
  }

  @Test
  void shouldBrowseFromTheJournaledPositionWhenNobodyConsumes() {
    topic(1).append(4);
    TestMember consumer = node.queue("t");
    consumer.credit(3);
    node.run();
    consumer.accept(List.of(consumer.deliveries.get(0), consumer.deliveries.get(2)));
    consumer.close();
    node.run(500);
    node.crash();
    TestMember browser = browser();
    browser.credit(100);
    node.run(500);
    assertThat(browser.offsets()).containsExactly(2L, 4L);
    int journaled = node.journalAppends;
    browser.accept(browser.take());
    browser.close();
    node.run(500);
    assertThat(node.journalAppends).isEqualTo(journaled);
    TestMember again = node.queue("t");
    again.credit(10);
    node.run();
    assertThat(again.offsets()).containsExactly(2L, 4L);
  }

  @Test
  void shouldBrowseAllOfATopicThatWasNeverConsumed() {
    topic(2).append(2);
    node.log("t", 1).append(1);
    TestMember browser = browser();
    node.run();
    browser.credit(100);
    browser.drain();
    node.run();
    assertThat(browser.deliveries).hasSize(3);
    assertThat(browser.drained).containsExactly(97);
    assertThat(node.groups).isEmpty();
  }
}
