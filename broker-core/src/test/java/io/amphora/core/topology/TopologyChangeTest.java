package io.amphora.core.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TopologyChangeTest {

  private final Topology first = TopologyChange.bootstrap("c", "b1", 1);

  private static TopicInfo topic(String name, long id) {
    return new TopicInfo(name, new UUID(0, id), TopicConfig.DEFAULT, 0, List.of());
  }

  private static GroupInfo group(String name) {
    return new GroupInfo(name, new UUID(1, name.hashCode()), GroupInfo.Mode.SHARED, false);
  }

  @Test
  void shouldRaiseTheVersionWithEachChange() {
    Topology second = TopologyChange.withTopic(first, topic("a", 1));
    Topology third = TopologyChange.adopt(second, 5);

    assertThat(first.version()).isEqualTo(1);
    assertThat(second.version()).isEqualTo(2);
    assertThat(third.version()).isEqualTo(3);
    assertThat(third.term()).isEqualTo(5);
    assertThat(third.topics()).isEqualTo(second.topics());
  }

  @Test
  void shouldKeepATombstoneAndDropTheTopicsOwnGroups() {
    Topology full = TopologyChange.withTopic(first, topic("a", 1));
    for (String name : List.of("a::$queue", "billing", "ab::$queue")) {
      full = TopologyChange.withGroup(full, group(name));
    }

    Topology without = TopologyChange.withoutTopic(full, full.topics().get("a"));

    assertThat(without.topics()).isEmpty();
    assertThat(without.groups()).containsOnlyKeys("billing", "ab::$queue");
    assertThat(without.deleted()).containsExactly(new UUID(0, 1));
    assertThat(TopologyChange.erased(without, without.deleted()).deleted()).isEmpty();
  }

  @Test
  void shouldPlaceRoundRobin() {
    assertThat(Placement.place(List.of("a", "b", "c"), 1, 3, 2))
        .containsExactly(List.of("b", "c"), List.of("c", "a"), List.of("a", "b"));
  }
}
