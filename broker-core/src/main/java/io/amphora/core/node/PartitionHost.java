package io.amphora.core.node;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.partition.LeadershipListener;
import io.amphora.core.partition.LocalPartition;
import io.amphora.core.partition.LoopResources;
import io.amphora.core.partition.Partition;
import io.amphora.core.partition.PartitionEvents;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.partition.PartitionSetup;
import io.amphora.core.topology.TopicInfo;
import io.amphora.wal.LogName;
import io.amphora.wal.Wal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The partitions that live on this broker. Owned by the control loop; {@link #find} reads an
 * immutable snapshot and may be called by any thread.
 */
final class PartitionHost {

  /** Logs being opened at once: the disk thread's queue is bounded. */
  private static final int OPEN_WINDOW = 32;

  private final Wal wal;
  private final Loop control;
  private final List<LoopResources> loops;
  private final DispatcherFactory dispatchers;
  private final PartitionEvents events;
  private volatile Map<UUID, List<LocalPartition>> hosted = Map.of();

  /** Makes the listener of a partition. */
  interface DispatcherFactory {
    LeadershipListener of(TopicInfo topic, int partition, Loop loop);
  }

  PartitionHost(
      BrokerPorts ports,
      List<LoopResources> loops,
      DispatcherFactory dispatchers,
      PartitionEvents events) {
    this.wal = ports.wal();
    this.control = ports.control();
    this.loops = loops;
    this.dispatchers = dispatchers;
    this.events = events;
  }

  /** The loop that owns a partition. Any thread. */
  Loop loopOf(UUID topicId, int partition) {
    return resourcesOf(topicId, partition).loop();
  }

  private LoopResources resourcesOf(UUID topicId, int partition) {
    return loops.get(Math.floorMod(topicId.hashCode() + partition, loops.size()));
  }

  /** A partition, when it lives here. Any thread. */
  Optional<PartitionRef> find(UUID topicId, int partition) {
    List<LocalPartition> list = hosted.getOrDefault(topicId, List.of());
    return partition >= 0 && partition < list.size()
        ? Optional.of(list.get(partition))
        : Optional.empty();
  }

  /** Everything that lives here. */
  Collection<LocalPartition> all() {
    return hosted.values().stream().flatMap(List::stream).toList();
  }

  /** Opens the logs of partitions; answers with all of them or with why one cannot be used. */
  void open(List<PartitionSetup> setups, Consumer<Reply<List<OpenedPartition>>> done) {
    InWindow.run(setups, OPEN_WINDOW, this::openOne, done);
  }

  private void openOne(PartitionSetup setup, Consumer<Reply<OpenedPartition>> done) {
    LoopResources resources = resourcesOf(setup.topic().id(), setup.number());
    Partition partition =
        new Partition(
            setup,
            resources,
            dispatchers.of(setup.topic(), setup.number(), resources.loop()),
            events);
    LocalPartition local = new LocalPartition(partition, resources);
    new PartitionOpening(local, wal).start(reply -> control.execute(() -> done.accept(reply)));
  }

  /** Makes opened partitions of one or more topics visible. */
  void show(Collection<OpenedPartition> opened) {
    Map<UUID, List<LocalPartition>> next = new HashMap<>(hosted);
    opened.stream()
        .map(OpenedPartition::partition)
        .sorted(Comparator.comparingInt(LocalPartition::partition))
        .forEach(p -> next.computeIfAbsent(p.topicId(), id -> new ArrayList<>()).add(p));
    next.replaceAll((id, list) -> List.copyOf(list));
    hosted = Map.copyOf(next);
  }

  /** Stops the partitions of a deleted topic and forgets them; their logs are still there. */
  void remove(TopicInfo topic, Runnable done) {
    List<LocalPartition> gone = hosted.getOrDefault(topic.id(), List.of());
    Map<UUID, List<LocalPartition>> next = new HashMap<>(hosted);
    next.remove(topic.id());
    hosted = Map.copyOf(next);
    onEach(
        gone,
        (p, stopped) -> {
          p.target().onDelete();
          stopped.run();
        },
        done);
  }

  /** Erases logs that no partition uses any more. */
  void erase(List<LogName> names, Consumer<Reply<List<LogName>>> done) {
    InWindow.run(names, OPEN_WINDOW, this::erase, done);
  }

  private void erase(LogName name, Consumer<Reply<LogName>> done) {
    wal.delete(
        name,
        control,
        result -> done.accept(Documents.reply(result, "data of " + name + " is left", n -> n)));
  }

  /**
   * Takes no new appends and waits for the pending ones; of the broker's own topics or of all
   * others.
   */
  void drain(boolean internal, Runnable done) {
    List<LocalPartition> draining =
        all().stream().filter(p -> p.target().setup().topic().isInternal() == internal).toList();
    onEach(draining, (p, drained) -> p.target().onDrain(shuttingDown(), drained), done);
  }

  /** Gives up all leaderships. */
  void stop(Runnable done) {
    onEach(
        List.copyOf(all()),
        (p, stopped) -> {
          p.target().onStop(shuttingDown());
          stopped.run();
        },
        done);
  }

  private static BrokerException shuttingDown() {
    return new BrokerException(ErrorCode.SHUTTING_DOWN, "the broker is shutting down");
  }

  /** Does something on the loop of each partition; {@code done} is called on the control loop. */
  private void onEach(
      List<LocalPartition> partitions, BiConsumer<LocalPartition, Runnable> work, Runnable done) {
    InWindow.<LocalPartition, Integer>run(
        partitions,
        Integer.MAX_VALUE,
        (p, ended) ->
            p.loop()
                .execute(
                    () -> work.accept(p, () -> control.execute(() -> ended.accept(Reply.ok(0))))),
        reply -> done.run());
  }

  /** Time to apply retention. */
  void onRetention(long nowMillis) {
    for (LocalPartition p : all()) {
      p.loop().execute(() -> p.target().onRetention(nowMillis));
    }
  }
}
