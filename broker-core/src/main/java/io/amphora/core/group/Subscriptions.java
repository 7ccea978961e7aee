package io.amphora.core.group;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.SubscriptionName;
import io.amphora.core.topology.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which group a subscription's name stands for: one owner has one subscription of a name, whatever
 * its topic and however it is shared. Owned by the control loop.
 */
final class Subscriptions {

  /** Those that end with their last member, while they last. */
  private final Map<SubscriptionName, GroupInfo> passing = new HashMap<>();

  /** The durable ones of {@link #indexed}: searched anew for each subscriber it would take long. */
  private Map<SubscriptionName, List<GroupInfo>> durable = Map.of();

  private Optional<Topology> indexed = Optional.empty();

  /**
   * Why a group cannot be joined or created.
   *
   * @param used whether a group of this name has members
   * @return empty for what is no subscription
   */
  Optional<BrokerException> conflict(GroupInfo wanted, Topology topology, Predicate<String> used) {
    for (GroupInfo other : sameName(wanted, topology)) {
      if (other.mode() != wanted.mode()) {
        boolean shared = other.mode() == GroupInfo.Mode.SHARED;
        return Optional.of(
            new BrokerException(
                ErrorCode.NOT_ALLOWED,
                "subscription %s exists and is %s: unsubscribe first, or use another name"
                    .formatted(other.name(), shared ? "shared" : "not shared")));
      }
      if (!other.name().equals(wanted.name()) && used.test(other.name())) {
        return Optional.of(
            new BrokerException(
                ErrorCode.RESOURCE_LOCKED,
                "subscription %s is in use on another topic: close its consumers first"
                    .formatted(other.name())));
      }
    }
    return Optional.empty();
  }

  /** Durable ones that end when the wanted one begins, as it is the same on another topic. */
  List<GroupInfo> replacedBy(GroupInfo wanted, Topology topology) {
    return sameName(wanted, topology).stream()
        .filter(other -> !other.isEphemeral() && !other.name().equals(wanted.name()))
        .toList();
  }

  private List<GroupInfo> sameName(GroupInfo wanted, Topology topology) {
    Optional<SubscriptionName> name = SubscriptionName.ofGroup(wanted.name());
    if (name.isEmpty()) {
      return List.of();
    }
    if (!name.get().durable()) {
      return Optional.ofNullable(passing.get(name.get())).stream().toList();
    }
    return index(topology).getOrDefault(name.get(), List.of());
  }

  private Map<SubscriptionName, List<GroupInfo>> index(Topology topology) {
    boolean known =
        indexed.isPresent()
            && indexed.get().version() == topology.version()
            && indexed.get().term() == topology.term();
    if (!known) {
      Map<SubscriptionName, List<GroupInfo>> all = new HashMap<>();
      for (GroupInfo group : topology.groups().values()) {
        SubscriptionName.ofGroup(group.name())
            .ifPresent(name -> all.computeIfAbsent(name, n -> new ArrayList<>()).add(group));
      }
      durable = all;
      indexed = Optional.of(topology);
    }
    return durable;
  }

  /** The group that a member of an ephemeral subscription enters: the first one makes it. */
  GroupInfo enter(GroupInfo wanted) {
    Optional<SubscriptionName> name = SubscriptionName.ofGroup(wanted.name());
    GroupInfo entered =
        name.map(passing::get).filter(now -> now.name().equals(wanted.name())).orElse(wanted);
    name.ifPresent(n -> passing.put(n, entered));
    return entered;
  }

  /** The last member of a group left. */
  void onEmpty(GroupInfo group) {
    SubscriptionName.ofGroup(group.name()).ifPresent(name -> passing.remove(name, group));
  }
}
