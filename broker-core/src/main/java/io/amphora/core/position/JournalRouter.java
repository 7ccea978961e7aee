package io.amphora.core.position;

import io.amphora.core.Loop;
import io.amphora.core.PositionStore.PositionLookup;
import io.amphora.core.node.NodeServices;
import io.amphora.core.topology.TopicInfo;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Finds the journal of a group: partition {@code hash(group id) mod n} of {@code __positions}. The
 * outer map never changes; each inner map belongs to its loop.
 */
public final class JournalRouter implements Positions {
  private final NodeServices services;
  private final IdentityHashMap<Loop, Map<Integer, PositionJournal>> journals =
      new IdentityHashMap<>();

  public JournalRouter(NodeServices services) {
    this.services = services;
    for (Loop loop : services.loops()) {
      journals.put(loop, new HashMap<>());
    }
  }

  /** The journal of one partition of {@code __positions}; known to others while it leads. */
  public PositionJournal journalFor(TopicInfo topic, int partition, Loop loop) {
    return new PositionJournal(topic, partition, loop, services, local(loop));
  }

  private Map<Integer, PositionJournal> local(Loop loop) {
    Map<Integer, PositionJournal> local = journals.get(loop);
    if (local == null) {
      throw new IllegalStateException("not a loop of this node: " + loop);
    }
    return local;
  }

  @Override
  public void lookup(PositionKey key, Loop owner, Consumer<PositionLookup> done) {
    onJournal(
        key.groupId(),
        journal -> {
          PositionLookup found =
              journal.map(j -> j.lookup(key)).orElseGet(PositionLookup.Unknown::new);
          owner.execute(() -> done.accept(found));
        },
        () -> owner.execute(() -> done.accept(new PositionLookup.Unknown())));
  }

  @Override
  public void submit(Map<PositionKey, Position> positions, Loop owner, Consumer<Boolean> done) {
    Map<UUID, Map<PositionKey, Position>> byGroup = new HashMap<>();
    positions.forEach(
        (key, position) ->
            byGroup.computeIfAbsent(key.groupId(), id -> new HashMap<>()).put(key, position));
    if (byGroup.isEmpty()) {
      owner.execute(() -> done.accept(true));
      return;
    }
    // The ticket is only touched on the owner's loop.
    JournalEntry.Ticket all = new JournalEntry.Ticket(byGroup.size(), done);
    byGroup.forEach(
        (group, part) -> submitGroup(group, part, ok -> owner.execute(() -> all.count(ok))));
  }

  private void submitGroup(
      UUID group, Map<PositionKey, Position> positions, Consumer<Boolean> done) {
    onJournal(
        group,
        journal ->
            journal.ifPresentOrElse(j -> j.submit(positions, done), () -> done.accept(false)),
        () -> done.accept(false));
  }

  /** Drops the positions of a deleted topic from memory, everywhere on this node. */
  public void forgetTopic(UUID topicId) {
    journals.forEach(
        (loop, local) ->
            loop.execute(() -> local.values().forEach(journal -> journal.forgetTopic(topicId))));
  }

  /** Drops the positions of a deleted group; nothing of it may be submitted any more. */
  public void forgetGroup(UUID groupId) {
    onJournal(groupId, journal -> journal.ifPresent(j -> j.forgetGroup(groupId)), () -> {});
  }

  private void onJournal(UUID group, Consumer<Optional<PositionJournal>> found, Runnable nowhere) {
    TopicInfo topic = services.topology().topics().get(PositionJournal.TOPIC);
    if (topic == null || topic.partitions().isEmpty()) {
      nowhere.run();
      return;
    }
    int partition = partitionOf(group, topic.partitions().size());
    Loop loop = services.loopOf(topic.id(), partition);
    Map<Integer, PositionJournal> local = local(loop);
    loop.execute(() -> found.accept(Optional.ofNullable(local.get(partition))));
  }

  /** Partition of {@code __positions} that keeps the positions of a group. */
  static int partitionOf(UUID group, int partitions) {
    return Math.floorMod(group.hashCode(), partitions);
  }
}
