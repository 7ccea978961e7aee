package io.amphora.core.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.core.topology.PartitionAssignment.ReplicaId;
import io.amphora.wal.EpochStart;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HighWatermarkTest {

  private static final ReplicaId A = new ReplicaId("a", "1");
  private static final ReplicaId B = new ReplicaId("b", "1");
  private static final ReplicaId C = new ReplicaId("c", "1");
  private static final ReplicaSets ABC = ReplicaSets.of(List.of(A, B, C));

  @Test
  void shouldStayClosedUntilTheEpochStartIsDurable() {
    HighWatermark hw = new HighWatermark(ReplicaSets.of(List.of(A)), 1, A, 11);

    assertThat(hw.onDurable(A, 10)).as("records of older epochs").isFalse();
    assertThat(hw.isOpen()).isFalse();
    assertThat(hw.onDurable(A, 11)).isTrue();
    assertThat(hw.isOpen()).isTrue();
    assertThat(hw.value()).isEqualTo(11);
  }

  @Test
  void shouldNeverFall() {
    HighWatermark hw = new HighWatermark(ReplicaSets.of(List.of(A)), 1, A, 1);
    hw.onDurable(A, 20);
    assertThat(hw.onDurable(A, 15)).isFalse();
    assertThat(hw.value()).isEqualTo(20);
  }

  @Test
  void shouldNeedAQuorumInSync() {
    HighWatermark hw = new HighWatermark(ABC, 2, A, 1);
    assertThat(hw.onDurable(A, 5)).as("ISR is the leader alone").isFalse();
    hw.onDurable(B, 4);
    assertThat(hw.onIsr(Set.of(A, B))).isTrue();
    assertThat(hw.value()).isEqualTo(4);
    assertThat(hw.onDurable(A, 9)).as("the slowest counts").isFalse();
    assertThat(hw.onDurable(B, 8)).isTrue();
    assertThat(hw.value()).isEqualTo(8);
    assertThat(hw.onIsr(Set.of(A))).isFalse();
    assertThat(hw.onDurable(A, 30)).isFalse();
  }

  @Test
  void shouldNeedTheMinimumInSyncBeyondAMajority() {
    HighWatermark hw = new HighWatermark(ABC, 3, A, 1);
    hw.onDurable(A, 5);
    hw.onDurable(B, 5);
    hw.onDurable(C, 5);
    assertThat(hw.onIsr(Set.of(A, B))).isFalse();
    assertThat(hw.onIsr(Set.of(A, B, C))).isTrue();
  }

  @Test
  void shouldRefuseAJoinerBelowIt() {
    HighWatermark hw = new HighWatermark(ABC, 2, A, 1);
    hw.onDurable(A, 5);
    hw.onDurable(B, 5);
    hw.onIsr(Set.of(A, B));
    hw.onDurable(C, 3);
    assertThatThrownBy(() -> hw.onIsr(Set.of(A, B, C))).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldKeepEpochsInOrder() {
    EpochHistory history = new EpochHistory(List.of(new EpochStart(2, 0), new EpochStart(5, 10)));
    history.add(6, 20);
    assertThat(history.lastEpoch()).isEqualTo(6);
    assertThatThrownBy(() -> history.add(6, 30)).isInstanceOf(IllegalStateException.class);
    history.truncateTo(20);
    assertThat(history.starts()).containsExactly(new EpochStart(2, 0), new EpochStart(5, 10));
    history.truncateTo(0);
    assertThat(history.lastEpoch()).isZero();
  }

  @Test
  void shouldReadTheMetaItWrote() {
    PartitionMeta meta = new PartitionMeta("a/b=c é", 3, "x-1");
    assertThat(PartitionMeta.decode(meta.encode())).isEqualTo(meta);
    for (String bad :
        List.of("", "x", "amphora-partition=2\ntopic=a\npartition=1\nincarnation=i")) {
      assertThatThrownBy(() -> PartitionMeta.decode(bad.getBytes(StandardCharsets.UTF_8)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
