package io.amphora.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.replication.LeaderElection.Elected;
import io.amphora.core.replication.LeaderElection.NoLeader;
import io.amphora.core.topology.PartitionAssignment.ReplicaId;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaderElectionTest {

  private static final ReplicaId A = new ReplicaId("a", "1");
  private static final ReplicaId B = new ReplicaId("b", "1");
  private static final ReplicaId C = new ReplicaId("c", "1");
  private static final ReplicaId D = new ReplicaId("d", "1");
  private static final ReplicaSets ABC = ReplicaSets.of(List.of(A, B, C));

  private static Promise granted(ReplicaId replica, int epoch, long end) {
    return new Promise.Granted(replica, epoch, end, true, ABC);
  }

  @Test
  void shouldElectTheOnlyReplica() {
    Promise answer = new Promise.Granted(A, 0, 0, true, ReplicaSets.of(List.of(A)));
    assertThat(LeaderElection.elect(List.of(answer))).isEqualTo(new Elected(A, 0));
  }

  @Test
  void shouldPreferTheHigherEpochToTheLongerLog() {
    assertThat(LeaderElection.elect(List.of(granted(A, 4, 100), granted(B, 5, 10))))
        .isEqualTo(new Elected(B, 10));
  }

  @Test
  void shouldPreferTheLongerLogOfOneEpoch() {
    assertThat(LeaderElection.elect(List.of(granted(A, 5, 9), granted(C, 5, 10))))
        .isEqualTo(new Elected(C, 10));
  }

  @Test
  void shouldFollowThePreferredOrderOnATie() {
    assertThat(LeaderElection.elect(List.of(granted(C, 5, 9), granted(B, 5, 9))))
        .isEqualTo(new Elected(B, 9));
  }

  @Test
  void shouldNeedAMajority() {
    assertThat(LeaderElection.elect(List.of(granted(A, 5, 9)))).isInstanceOf(NoLeader.class);
    assertThat(LeaderElection.elect(List.of())).isInstanceOf(NoLeader.class);
  }

  @Test
  void shouldNotCountALearner() {
    assertThat(LeaderElection.elect(List.of(granted(A, 5, 9), granted(D, 5, 9))))
        .isInstanceOf(NoLeader.class);
  }

  @Test
  void shouldNotCountAReplicaThatLostItsData() {
    ReplicaId wiped = new ReplicaId("b", "2");
    assertThat(LeaderElection.elect(List.of(granted(A, 5, 9), granted(wiped, 0, 0))))
        .isInstanceOf(NoLeader.class);
  }

  @Test
  void shouldNeedMajoritiesOfBothSetsOfTheGreatestLog() {
    ReplicaSets joint = new ReplicaSets(List.of(List.of(A, B, C), List.of(D)));
    Promise greatest = new Promise.Granted(A, 5, 10, true, joint);
    assertThat(LeaderElection.elect(List.of(greatest, granted(B, 5, 9))))
        .isInstanceOf(NoLeader.class);
    assertThat(LeaderElection.elect(List.of(greatest, granted(B, 5, 9), granted(D, 5, 9))))
        .isEqualTo(new Elected(A, 10));
  }

  @Test
  void shouldWaitForAnEqualWhenTheGreatestIsDamaged() {
    Promise damaged = new Promise.Granted(A, 5, 10, false, ABC);
    assertThat(LeaderElection.elect(List.of(damaged, granted(B, 5, 9))))
        .isInstanceOf(NoLeader.class);
    assertThat(LeaderElection.elect(List.of(damaged, granted(B, 5, 10))))
        .isEqualTo(new Elected(B, 10));
  }

  @Test
  void shouldTellTheHigherPromise() {
    assertThat(LeaderElection.elect(List.of(granted(A, 5, 9), new Promise.Refused(8))))
        .isInstanceOfSatisfying(NoLeader.class, n -> assertThat(n.retryAbove()).isEqualTo(8));
  }
}
