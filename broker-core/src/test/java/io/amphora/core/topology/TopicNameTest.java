package io.amphora.core.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicNameTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "orders",
        "a",
        "a/b/c",
        "a.b",
        "...",
        "a:b",
        "queues/orders",
        "Ünïcode-日本",
        "with space",
        "a%2Fb",
        "_one",
        "x/Partitions",
        "Partitions/3",
        "a//b",
        "topic:x"
      })
  void shouldAllow(String name) {
    assertThat(TopicName.problem(name)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/a",
        "a/",
        "/",
        "a::b",
        ".",
        "..",
        "a/./b",
        "a/..",
        "../a",
        "a\u0000b",
        "a\nb",
        "a\u007fb",
        "a\u0085b",
        "\ud800",
        "x/Partitions/3",
        "x/partitions/3",
        "x/ConsumerGroups/g/Partitions/1",
        "x/ConsumerGroups/g",
        "x/Subscriptions/y",
        "queue://orders",
        "topic://orders",
        "$management",
        "$cbs",
        "__positions",
        "__x"
      })
  void shouldRefuse(String name) {
    assertThat(TopicName.problem(name)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(ints = {249, 250})
  void shouldCountUtf8Bytes(int bytes) {
    String name = "é".repeat(bytes / 2) + "x".repeat(bytes % 2);
    assertThat(TopicName.problem(name).isPresent()).isEqualTo(bytes > 249);
  }

  @ParameterizedTest
  @ValueSource(strings = {"__positions", "$management"})
  void shouldAllowInternalNamesToTheBroker(String name) {
    assertThat(TopicName.isInternal(name)).isTrue();
    assertThat(TopicName.problemOfAny(name)).isEmpty();
  }
}
