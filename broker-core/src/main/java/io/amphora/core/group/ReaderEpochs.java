package io.amphora.core.group;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.delivery.ReaderClaim;
import io.amphora.core.topology.TopicInfo;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/**
 * Who may read a partition under the name of a group (conventions 5.3): readers without an epoch
 * beside each other, one with an epoch alone. A higher epoch takes over, and so does an equal one:
 * it is the same owner, whose old connection may not be known to be dead. A lower one, or none, is
 * refused. Owned by the control loop.
 */
final class ReaderEpochs {

  private record Scope(UUID topicId, String group, int partition) {}

  private final Map<Scope, Set<GroupMember>> readers = new HashMap<>();
  private final Map<GroupMember, Scope> scopes = new HashMap<>();

  /**
   * A reader comes; those that it displaces are told.
   *
   * @return why it may not read; empty when it may
   */
  Optional<BrokerException> enter(GroupMember member, TopicInfo topic) {
    Optional<ReaderClaim> claim = member.request().options().claim();
    if (claim.isEmpty()) {
      return Optional.empty();
    }
    int partition = member.request().options().only().orElse(-1);
    Scope scope = new Scope(topic.id(), claim.get().group(), partition);
    Set<GroupMember> there = readers.computeIfAbsent(scope, key -> new LinkedHashSet<>());
    OptionalLong highest =
        there.stream().map(ReaderEpochs::epoch).flatMapToLong(OptionalLong::stream).max();
    OptionalLong mine = claim.get().epoch();
    if (highest.isPresent() && (mine.isEmpty() || mine.getAsLong() < highest.getAsLong())) {
      return Optional.of(stolen("a receiver with epoch " + highest.getAsLong() + " reads it"));
    }
    if (mine.isPresent()) {
      there.forEach(other -> displace(other, mine.getAsLong()));
      there.clear();
    }
    there.add(member);
    scopes.put(member, scope);
    return Optional.empty();
  }

  private void displace(GroupMember other, long epoch) {
    scopes.remove(other);
    other.refuse(stolen("a receiver with epoch " + epoch + " took over"));
  }

  private static BrokerException stolen(String what) {
    return new BrokerException(ErrorCode.LINK_STOLEN, what);
  }

  private static OptionalLong epoch(GroupMember member) {
    return member.request().options().claim().map(ReaderClaim::epoch).orElse(OptionalLong.empty());
  }

  /** It reads no more. Unknown ones are ignored. */
  void leave(GroupMember member) {
    Scope scope = scopes.remove(member);
    if (scope != null) {
      readers.computeIfPresent(
          scope,
          (key, there) -> {
            there.remove(member);
            return there.isEmpty() ? null : there;
          });
    }
  }
}
