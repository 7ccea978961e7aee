package io.amphora.core.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.topology.GroupInfo.Mode;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Readers of one partition that claim it with an epoch (conventions 5.3). */
class ReaderEpochTest {

  private static final OptionalLong NONE = OptionalLong.empty();

  private final FakeNode node = FakeNode.started(12);

  @BeforeEach
  void topic() {
    node.createTopic("t", 2);
    node.run();
  }

  private TestMember reader(String group, int partition, OptionalLong epoch) {
    SubscribeRequest plain = node.request("t", "", Mode.ORDERED, StartPosition.EARLIEST);
    SubscribeRequest.Options options =
        new SubscribeRequest.Options(false, OptionalInt.of(partition))
            .claiming(new ReaderClaim(group, epoch));
    TestMember member =
        node.subscribe(
            new SubscribeRequest(
                "t", "", Mode.ORDERED, plain.member(), StartPosition.EARLIEST, options));
    node.run();
    return member;
  }

  private static OptionalLong epoch(long epoch) {
    return OptionalLong.of(epoch);
  }

  private static void assertStolen(TestMember member) {
    assertThat(member.detached.map(BrokerException::code)).hasValue(ErrorCode.LINK_STOLEN);
  }

  private static void assertReads(TestMember member) {
    assertThat(member.detached).isEmpty();
    assertThat(member.attached).isEqualTo(1);
  }

  @Test
  void shouldLetReadersWithoutAnEpochReadBesideEachOther() {
    TestMember first = reader("g", 0, NONE);
    TestMember second = reader("g", 0, NONE);
    assertReads(first);
    assertReads(second);
  }

  @Test
  void shouldGiveThePartitionToTheHigherEpoch() {
    TestMember low = reader("g", 0, epoch(1));
    TestMember high = reader("g", 0, epoch(5));
    assertStolen(low);
    assertReads(high);
    TestMember late = reader("g", 0, epoch(4));
    assertStolen(late);
    assertThat(late.attached).isZero();
    assertReads(high);
  }

  @Test
  void shouldLetTheOwnerOfAnEpochComeAgain() {
    TestMember dead = reader("g", 0, epoch(1));
    TestMember again = reader("g", 0, epoch(1));
    assertStolen(dead);
    assertReads(again);
  }

  @Test
  void shouldNotLetReadersWithoutAnEpochReadBesideOneWith() {
    TestMember before = reader("g", 0, NONE);
    TestMember owner = reader("g", 0, epoch(0));
    assertStolen(before);
    assertReads(owner);
    assertStolen(reader("g", 0, NONE));
    assertReads(owner);
  }

  @Test
  void shouldAskOnlyThoseOfTheSameGroupAndPartition() {
    TestMember owner = reader("g", 0, epoch(9));
    assertReads(reader("other", 0, epoch(1)));
    assertReads(reader("g", 1, epoch(1)));
    assertReads(owner);
  }

  @Test
  void shouldForgetAnEpochWithItsReader() {
    TestMember owner = reader("g", 0, epoch(9));
    owner.close();
    node.run();
    assertReads(reader("g", 0, epoch(1)));
  }
}
