package io.amphora.core.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.ErrorCode;
import io.amphora.core.filter.MemberFilter;
import io.amphora.core.topology.GroupInfo.Mode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Subscriptions whose filter belongs to the group. */
class FilteredSubscriptionTest {
  private final FakeNode node = FakeNode.started(1);
  private FakeLog log;

  @BeforeEach
  void createTopic() {
    node.createTopic("t", 1);
    log = node.log("t", 0);
    node.run();
  }

  private TestMember subscription(String text, Mode mode) {
    MemberFilter own =
        text.isEmpty()
            ? MemberFilter.ALL
            : FilteredDeliveryTest.wanting(text, c -> text.equals("all"));
    SubscribeRequest plain = node.request("t", "s", mode, StartPosition.LATEST);
    return node.subscribe(
        new SubscribeRequest(
            plain.topic(),
            plain.group(),
            plain.mode(),
            plain.member(),
            plain.start(),
            plain.options().wanting(own.ofGroup())));
  }

  @Test
  void shouldPassOverWhatNoMemberOfASharedSubscriptionWants() {
    TestMember one = subscription("never", Mode.SHARED);
    TestMember two = subscription("never", Mode.SHARED);
    one.credit(10);
    two.credit(10);
    node.run();
    log.append(10);
    node.run(150);
    assertThat(node.position("s", "t", 0).committed()).isEqualTo(11);
  }

  @Test
  void shouldKeepASubscriptionWithTheSameFilter() {
    TestMember one = subscription("all", Mode.ORDERED);
    node.run();
    one.close();
    node.run();
    log.append(3);
    TestMember again = subscription("all", Mode.ORDERED);
    again.credit(10);
    node.run();
    assertThat(again.deliveries).hasSize(3);
    assertThat(node.groups.get("s").filter()).isEqualTo("all");
  }

  @Test
  void shouldBeginAnewWithAnotherFilter() {
    TestMember one = subscription("never", Mode.ORDERED);
    node.run();
    one.close();
    node.run();
    log.append(3);
    TestMember changed = subscription("all", Mode.ORDERED);
    changed.credit(10);
    node.run();
    assertThat(changed.deliveries).isEmpty();
    log.append(2);
    node.run();
    assertThat(changed.offsets()).containsExactly(4L, 5L);
    assertThat(node.groups.get("s").filter()).isEqualTo("all");
    changed.close();
    node.run();
    TestMember none = subscription("", Mode.ORDERED);
    none.credit(10);
    node.run();
    assertThat(none.deliveries).isEmpty();
    assertThat(node.groups.get("s").filter()).isEmpty();
  }

  @Test
  void shouldRefuseAnotherFilterWhileTheSubscriptionIsInUse() {
    TestMember one = subscription("all", Mode.SHARED);
    node.run();
    TestMember other = subscription("never", Mode.SHARED);
    node.run();
    assertThat(other.detached.orElseThrow().code()).isEqualTo(ErrorCode.PRECONDITION_FAILED);
    assertThat(other.detached.orElseThrow()).hasMessageContaining("with another filter: 'all'");
    one.credit(10);
    log.append(1);
    node.run();
    assertThat(one.deliveries).hasSize(1);
  }
}
