package io.amphora.cluster;

import com.hazelcast.cluster.Cluster;
import com.hazelcast.cluster.InitialMembershipEvent;
import com.hazelcast.cluster.InitialMembershipListener;
import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import io.amphora.core.Membership;
import io.amphora.core.MembershipView;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Who is in the Hazelcast cluster; the oldest member is who tries to be controller (rule 9). */
final class HazelcastMembership implements Membership {
  /** Member attribute with the broker's id. */
  static final String BROKER_ID = "broker.id";

  /** Member attribute with the broker's rack. */
  static final String RACK = "cluster.rack";

  private final Cluster cluster;
  private final String self;

  HazelcastMembership(Cluster cluster, String self) {
    this.cluster = cluster;
    this.self = self;
  }

  @Override
  public MembershipView view() {
    return viewOf(cluster.getMembers());
  }

  /**
   * Hazelcast lists members oldest first. A restarted broker may stand beside its dead predecessor
   * for some seconds: one entry.
   */
  private MembershipView viewOf(Collection<Member> members) {
    List<String> ids = members.stream().map(HazelcastMembership::brokerId).distinct().toList();
    return new MembershipView(self, ids.get(0), ids);
  }

  static String brokerId(Member member) {
    return Objects.requireNonNullElse(member.getAttribute(BROKER_ID), member.getUuid().toString());
  }

  @Override
  public void onChange(Consumer<MembershipView> listener) {
    cluster.addMembershipListener(new Listener(listener));
  }

  /** Hazelcast calls the initial view first and then each change, in order, one at a time. */
  private final class Listener implements InitialMembershipListener {
    private final Consumer<MembershipView> target;

    private Listener(Consumer<MembershipView> target) {
      this.target = target;
    }

    @Override
    public void init(InitialMembershipEvent event) {
      target.accept(viewOf(event.getMembers()));
    }

    @Override
    public void memberAdded(MembershipEvent event) {
      target.accept(viewOf(event.getMembers()));
    }

    @Override
    public void memberRemoved(MembershipEvent event) {
      target.accept(viewOf(event.getMembers()));
    }
  }
}
