package io.amphora.amqp.address;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.address.Address.Kind;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressResolverTest {

  @Test
  void shouldReadEveryForm() {
    Map<String, Address> forms =
        Map.ofEntries(
            Map.entry("orders", new Address.Topic("orders", Kind.UNSAID)),
            Map.entry("/orders", new Address.Topic("orders", Kind.UNSAID)),
            Map.entry("a/b", new Address.Topic("a/b", Kind.UNSAID)),
            Map.entry("/queues/orders", new Address.Topic("orders", Kind.QUEUE)),
            Map.entry("/queues/a%2Fb%C3%A9", new Address.Topic("a/b\u00e9", Kind.QUEUE)),
            Map.entry("/topics/orders", new Address.Topic("orders", Kind.TOPIC)),
            Map.entry("queue://orders", new Address.Topic("orders", Kind.QUEUE)),
            Map.entry("topic://orders", new Address.Topic("orders", Kind.TOPIC)),
            Map.entry("100%25", new Address.Topic("100%", Kind.UNSAID)),
            Map.entry("%2525", new Address.Topic("%25", Kind.UNSAID)),
            Map.entry("orders::billing", new Address.Group("orders", "billing", false)),
            Map.entry("orders::$queue", new Address.Topic("orders", Kind.QUEUE)),
            Map.entry("orders/Subscriptions/b", new Address.Group("orders", "b", true)),
            Map.entry("orders/subscriptions/b", new Address.Group("orders", "b", true)),
            Map.entry("orders/Partitions/3", new Address.Partition("orders", 3)),
            Map.entry("/a/b/PARTITIONS/0", new Address.Partition("a/b", 0)),
            Map.entry(
                "/hub/ConsumerGroups/$Default/Partitions/7",
                new Address.Reader("hub", "$Default", 7)),
            Map.entry(
                "a%2Fhub/consumergroups/g%20h/partitions/12",
                new Address.Reader("a/hub", "g h", 12)));
    forms.forEach((raw, address) -> assertThat(AddressResolver.resolve(raw)).isEqualTo(address));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "a/",
        "//a",
        ".",
        "a/../b",
        "a\u0000b",
        "100%",
        "%zz",
        "%ff",
        "a::",
        "::g",
        "a::b::c",
        "a/Partitions/x",
        "a/Partitions/-1",
        "a/ConsumerGroups/g",
        "a/ConsumerGroups/g/Partitions/",
        "a/ConsumerGroups/g/Partitions/x",
        "a/ConsumerGroups//Partitions/1",
        "a/ConsumerGroups/g::h/Partitions/1",
        "a/Partitions/99999999999"
      })
  void shouldRefuseIllegalAddresses(String raw) {
    assertThat(AddressResolver.resolve(raw)).isInstanceOf(Address.Illegal.class);
  }

  @Test
  void shouldRefuseLongNames() {
    assertThat(AddressResolver.resolve("x".repeat(249))).isInstanceOf(Address.Topic.class);
    assertThat(AddressResolver.resolve("\u00e9".repeat(125))).isInstanceOf(Address.Illegal.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"$management", "$cbs", "/management", "a/$management"})
  void shouldKnowNodesThatAreNotServed(String raw) {
    assertThat(AddressResolver.resolve(raw)).isInstanceOf(Address.Unserved.class);
  }
}
