package io.amphora.amqp.node;

import io.amphora.core.Reply;
import io.amphora.core.delivery.SubscribeRequest;
import io.amphora.core.node.MemberView;
import io.amphora.core.partition.PartitionRef;
import io.amphora.core.partition.PartitionStatus;
import io.amphora.core.position.OffsetRange;
import io.amphora.core.position.Position;
import io.amphora.core.position.PositionKey;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.TopicInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** How much waits in the queue of a topic, and for how many. Owned by the connection loop. */
final class QueueFigures {

  private final Caller caller;

  QueueFigures(Caller caller) {
    this.caller = caller;
  }

  /**
   * The figures.
   *
   * @param messages what is there and not done
   * @param consumers members of the group
   */
  record Counts(long messages, int consumers) {}

  /** Counts; what cannot be asked now counts nothing. */
  void of(TopicInfo topic, Consumer<Counts> done) {
    String queue = SubscribeRequest.queueOf(topic.name());
    caller
        .broker()
        .groupMembers(
            caller.loop(),
            caller.guarded(
                members -> {
                  int consumers = members(members, queue, topic.name());
                  messages(topic, queue, count -> done.accept(new Counts(count, consumers)));
                }));
  }

  private static int members(
      Reply<Map<GroupInfo, List<MemberView>>> reply, String queue, String topic) {
    if (reply instanceof Reply.Ok<Map<GroupInfo, List<MemberView>>> ok) {
      return (int)
          ok.value().entrySet().stream()
              .filter(group -> group.getKey().name().equals(queue))
              .flatMap(group -> group.getValue().stream())
              .filter(member -> member.topic().equals(topic))
              .count();
    }
    return 0;
  }

  private void messages(TopicInfo topic, String queue, Consumer<Long> done) {
    caller
        .broker()
        .positions(
            caller.loop(),
            caller.guarded(
                reply -> {
                  Map<PositionKey, Position> all =
                      reply instanceof Reply.Ok<Map<PositionKey, Position>> ok
                          ? ok.value()
                          : Map.of();
                  new Sum(topic, group(queue), all, done).start();
                }));
  }

  private Optional<UUID> group(String queue) {
    return Optional.ofNullable(caller.broker().topology().groups().get(queue)).map(GroupInfo::id);
  }

  /** The messages of all partitions, as they answer. */
  private final class Sum {
    private final TopicInfo topic;
    private final Optional<UUID> group;
    private final Map<PositionKey, Position> positions;
    private final Consumer<Long> done;
    private int missing;
    private long sum;

    Sum(
        TopicInfo topic,
        Optional<UUID> group,
        Map<PositionKey, Position> positions,
        Consumer<Long> done) {
      this.topic = topic;
      this.group = group;
      this.positions = positions;
      this.done = done;
    }

    void start() {
      missing = topic.partitions().size();
      for (int i = 0; i < topic.partitions().size(); i++) {
        int number = i;
        Optional<PartitionRef> partition = caller.broker().partition(topic, number);
        if (partition.isPresent()) {
          partition
              .get()
              .status(caller.loop(), caller.guarded(reply -> add(waiting(number, reply))));
        } else {
          add(0);
        }
      }
    }

    private void add(long messages) {
      sum += messages;
      if (--missing == 0) {
        done.accept(sum);
      }
    }

    private long waiting(int partition, Reply<PartitionStatus> reply) {
      if (!(reply instanceof Reply.Ok<PartitionStatus> ok)) {
        return 0;
      }
      PartitionStatus status = ok.value();
      Optional<Position> position =
          group.map(id -> positions.get(new PositionKey(id, topic.id(), partition)));
      long from = position.map(Position::committed).orElse(0L);
      long start = Math.max(from, status.log().logStart());
      long out =
          position.map(Position::done).orElse(List.of()).stream()
              .mapToLong(range -> within(range, start, status.highWatermark()))
              .sum();
      return Math.max(0, status.messagesFrom(from) - out);
    }

    private static long within(OffsetRange range, long from, long to) {
      return Math.max(0, Math.min(range.to(), to) - Math.max(range.from(), from));
    }
  }
}
