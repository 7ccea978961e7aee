package io.amphora.core.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class SubscriptionNameTest {

  private static void shouldReadBack(SubscriptionName name, String group) {
    assertThat(name.groupOn("t/a")).isEqualTo(group);
    assertThat(SubscriptionName.ofGroup(group)).contains(name);
  }

  @Test
  void shouldReadWhatItWrites() {
    shouldReadBack(new SubscriptionName("app", "sub", true), "t/a::app|sub");
    shouldReadBack(new SubscriptionName("", "sub", true), "t/a::|sub");
    shouldReadBack(new SubscriptionName("app", "sub", false), "t/a::app|sub|");
    shouldReadBack(new SubscriptionName("", "sub", false), "t/a::|sub|");
    shouldReadBack(new SubscriptionName("a::b|c", "sub", true), "t/a::a::b|c|sub");
    shouldReadBack(new SubscriptionName("a|", "sub", false), "t/a::a||sub|");
  }

  @Test
  void shouldNotTakeOtherGroupsForSubscriptions() {
    assertThat(SubscriptionName.ofGroup("")).isEmpty();
    assertThat(SubscriptionName.ofGroup("|")).isEmpty();
    assertThat(SubscriptionName.ofGroup("billing|x")).isEmpty();
    assertThat(SubscriptionName.ofGroup("t::$queue")).isEmpty();
    assertThat(SubscriptionName.ofGroup("a|b::$queue")).isEmpty();
  }

  @Test
  void shouldNameTheTopicOfGroupsThatHaveOne() {
    assertThat(SubscriptionName.topicOf("t::$queue")).contains("t");
    assertThat(SubscriptionName.topicOf("t::app|sub")).contains("t");
    assertThat(SubscriptionName.topicOf("billing")).isEmpty();
  }

  private static boolean isEphemeral(String group) {
    return new GroupInfo(group, new UUID(0, 1), GroupInfo.Mode.SHARED, true).isEphemeral();
  }

  @Test
  void shouldTellWhatEndsWithItsMembers() {
    assertThat(isEphemeral("")).isTrue();
    assertThat(isEphemeral("t::app|sub|")).isTrue();
    assertThat(isEphemeral("t::app|sub")).isFalse();
    assertThat(isEphemeral("billing|")).as("a name that a user may choose").isFalse();
    assertThat(isEphemeral("t::$queue")).isFalse();
  }
}
