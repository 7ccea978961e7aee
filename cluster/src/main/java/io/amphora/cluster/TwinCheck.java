package io.amphora.cluster;

import com.hazelcast.cluster.Cluster;
import com.hazelcast.cluster.InitialMembershipEvent;
import com.hazelcast.cluster.InitialMembershipListener;
import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import java.time.Duration;
import java.util.Collection;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Two brokers must not share an id. An older member with our id is either a broker that runs, or
 * our own dead predecessor that was not noticed yet; only waiting tells.
 */
final class TwinCheck implements InitialMembershipListener {
  private final Member self;
  private final CompletableFuture<Boolean> alone = new CompletableFuture<>();

  private TwinCheck(Member self) {
    this.self = self;
  }

  /**
   * Returns when no older member has our id. Blocking.
   *
   * @throws IllegalStateException when one still has it at the end of the wait
   */
  static void await(Cluster cluster, Duration wait) {
    TwinCheck check = new TwinCheck(cluster.getLocalMember());
    UUID registration = cluster.addMembershipListener(check);
    try {
      check.alone.get(wait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      String id = HazelcastMembership.brokerId(check.self);
      throw new IllegalStateException(
          "another broker of this cluster runs with broker.id " + id + "; give each its own", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while joining the cluster", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the cluster's members cannot be read", e);
    } finally {
      cluster.removeMembershipListener(registration);
    }
  }

  private void onMembers(Collection<Member> oldestFirst) {
    String id = HazelcastMembership.brokerId(self);
    boolean twin =
        oldestFirst.stream()
            .takeWhile(member -> !member.getUuid().equals(self.getUuid()))
            .anyMatch(member -> HazelcastMembership.brokerId(member).equals(id));
    if (!twin) {
      alone.complete(true);
    }
  }

  @Override
  public void init(InitialMembershipEvent event) {
    onMembers(event.getMembers());
  }

  @Override
  public void memberAdded(MembershipEvent event) {
    onMembers(event.getMembers());
  }

  @Override
  public void memberRemoved(MembershipEvent event) {
    onMembers(event.getMembers());
  }
}
