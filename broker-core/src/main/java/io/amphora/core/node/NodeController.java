package io.amphora.core.node;

import io.amphora.core.ErrorCode;
import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.replication.ReplicaStates;
import io.amphora.core.topology.GroupInfo;
import io.amphora.core.topology.SubscriptionName;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.TopicName;
import io.amphora.core.topology.TopicSettings;
import io.amphora.core.topology.Topology;
import io.amphora.core.topology.TopologyChange;
import io.amphora.core.topology.UserCredential;
import io.amphora.wal.FlushPolicy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the topology, one change after the other: each is on disk before it is answered or acted
 * on (safety rule 9). Owned by the control loop.
 */
final class NodeController {

  private static final Logger LOG = LoggerFactory.getLogger(NodeController.class);

  /** Changes that may wait. */
  private static final int QUEUE_LIMIT = 10_000;

  /** Pause before a topic is taken back again. */
  private static final long RETRY_NANOS = 1_000_000_000L;

  private final TopologyJournal journal;
  private final Hosting hosting;
  private final Supplier<UUID> ids;
  private final Deque<Consumer<Runnable>> queue = new ArrayDeque<>();

  /** A change is under way; true at first, until {@link #open}. */
  private boolean busy = true;

  private boolean running;

  /**
   * What a change of topics acts on.
   *
   * @param broker this broker's id
   * @param control the control loop
   */
  record Hosting(
      String broker,
      Loop control,
      PartitionHost host,
      Elections elections,
      ReplicaStates states,
      DeliveryService delivery) {}

  NodeController(TopologyJournal journal, Hosting hosting, Supplier<UUID> ids) {
    this.journal = journal;
    this.hosting = hosting;
    this.ids = ids;
  }

  /** The partitions of the topology are alive: what waits may begin. */
  void open() {
    onFinished();
  }

  /** Runs a change when its turn has come; it calls what it is given when it is finished. */
  private <T> void enqueue(Consumer<Reply<T>> done, Consumer<Runnable> change) {
    if (queue.size() >= QUEUE_LIMIT) {
      done.accept(Reply.failed(ErrorCode.RESOURCE_LIMIT, "too many changes wait"));
      return;
    }
    queue.add(change);
    runNext();
  }

  /** A loop and no recursion: many changes in a row may be answered without waiting. */
  private void runNext() {
    if (running) {
      return;
    }
    running = true;
    while (!busy && !queue.isEmpty()) {
      busy = true;
      queue.remove().accept(this::onFinished);
    }
    running = false;
  }

  private void onFinished() {
    busy = false;
    runNext();
  }

  /** A change that is one new document. */
  private <T> void change(Topology next, T value, Consumer<Reply<T>> done, Runnable finished) {
    journal.commit(
        next,
        reply -> {
          done.accept(
              reply instanceof Reply.Failed<Topology> failed
                  ? new Reply.Failed<>(failed.error())
                  : Reply.ok(value));
          finished.run();
        });
  }

  /** Creates a topic for a user. */
  void createTopic(
      String name, TopicConfig config, long nowMillis, Consumer<Reply<TopicInfo>> done) {
    Optional<String> problem =
        TopicName.problem(name)
            .or(() -> TopicSettings.problem(config))
            .or(() -> config.compression().problem());
    if (problem.isPresent()) {
      done.accept(Reply.failed(ErrorCode.INVALID_FIELD, "topic '" + name + "': " + problem.get()));
      return;
    }
    createAny(name, config, nowMillis, done);
  }

  /** Creates a topic that need not survive anything. */
  void createTemporary(long nowMillis, Consumer<Reply<TopicInfo>> done) {
    TopicConfig config = TopicConfig.DEFAULT.withFlush(FlushPolicy.OS);
    createAny(TopicName.temporary(ids.get()), config, nowMillis, done);
  }

  /** Creates a topic, maybe one of the broker's own. */
  void createAny(String name, TopicConfig config, long nowMillis, Consumer<Reply<TopicInfo>> done) {
    enqueue(
        done,
        finished -> {
          Topology now = journal.durable();
          if (now.topics().containsKey(name)) {
            done.accept(Reply.failed(ErrorCode.ALREADY_EXISTS, "topic " + name + " exists"));
            finished.run();
            return;
          }
          TopicInfo topic = TopicPlan.create(now, name, config, nowMillis, ids);
          new TopicCreation(journal, hosting, topic)
              .start(
                  reply -> {
                    done.accept(reply);
                    if (reply instanceof Reply.Failed) {
                      takeBack(topic, finished);
                    } else {
                      finished.run();
                    }
                  });
        });
  }

  /**
   * Deletes what is left of a topic that could not be created, again and again while that fails.
   */
  private void takeBack(TopicInfo topic, Runnable finished) {
    Topology now = journal.durable();
    TopicInfo left = now.topics().get(topic.name());
    if (left == null || !left.id().equals(topic.id())) {
      finished.run();
      return;
    }
    LOG.warn("topic {} cannot be created and is taken back", topic.name());
    delete(now, left, reply -> onTakenBack(reply, topic), finished);
  }

  private void onTakenBack(Reply<TopicInfo> reply, TopicInfo topic) {
    if (reply instanceof Reply.Failed) {
      hosting
          .control()
          .schedule(
              RETRY_NANOS,
              () -> {
                queue.add(finished -> takeBack(topic, finished));
                runNext();
              });
    }
  }

  /** Deletes a topic with its data. */
  void deleteTopic(String name, Consumer<Reply<TopicInfo>> done) {
    if (TopicName.isInternal(name)) {
      done.accept(Reply.failed(ErrorCode.NOT_ALLOWED, name + " belongs to the broker"));
      return;
    }
    enqueue(
        done,
        finished -> {
          Topology now = journal.durable();
          TopicInfo topic = now.topics().get(name);
          if (topic == null) {
            done.accept(Reply.failed(ErrorCode.NOT_FOUND, "there is no topic " + name));
            finished.run();
            return;
          }
          delete(now, topic, done, finished);
        });
  }

  private void delete(
      Topology now, TopicInfo topic, Consumer<Reply<TopicInfo>> done, Runnable finished) {
    Topology next = TopologyChange.withoutTopic(now, topic);
    journal.commit(
        next,
        reply -> {
          if (reply instanceof Reply.Failed<Topology> failed) {
            done.accept(new Reply.Failed<>(failed.error()));
            finished.run();
            return;
          }
          LOG.info("topic {} ({}) deleted", topic.name(), topic.id());
          hosting.delivery().onTopicDeleted(topic);
          new TopicErasure(journal, hosting, topic)
              .start(() -> done.accept(Reply.ok(topic)), finished);
        });
  }

  /** Creates a group, or finds it; {@code NOT_FOUND} when the topic that it belongs to is gone. */
  void ensureGroup(GroupInfo wanted, Consumer<Reply<GroupInfo>> done) {
    enqueue(
        done,
        finished -> {
          Topology now = journal.durable();
          GroupInfo existing = now.groups().get(wanted.name());
          if (existing != null) {
            done.accept(Reply.ok(existing));
            finished.run();
            return;
          }
          Optional<String> gone =
              SubscriptionName.topicOf(wanted.name())
                  .filter(topic -> !now.topics().containsKey(topic));
          if (gone.isPresent()) {
            // Deleted while somebody was joining: the group would outlive its topic.
            done.accept(Reply.failed(ErrorCode.NOT_FOUND, "there is no topic " + gone.get()));
            finished.run();
            return;
          }
          change(TopologyChange.withGroup(now, wanted), wanted, done, finished);
        });
  }

  /** Removes a group. */
  void removeGroup(String name, Consumer<Reply<String>> done) {
    enqueue(
        done,
        finished -> {
          Topology now = journal.durable();
          if (!now.groups().containsKey(name)) {
            done.accept(Reply.failed(ErrorCode.NOT_FOUND, "there is no group " + name));
            finished.run();
            return;
          }
          change(TopologyChange.withoutGroup(now, name), name, done, finished);
        });
  }

  /** Creates or replaces a user. */
  void putUser(UserCredential user, Consumer<Reply<UserCredential>> done) {
    if (user.name().isEmpty()) {
      done.accept(Reply.failed(ErrorCode.INVALID_FIELD, "the user's name is empty"));
      return;
    }
    enqueue(
        done,
        finished -> change(TopologyChange.withUser(journal.durable(), user), user, done, finished));
  }

  /** Removes a user. */
  void deleteUser(String name, Consumer<Reply<String>> done) {
    enqueue(
        done,
        finished -> {
          Topology now = journal.durable();
          if (!now.users().containsKey(name)) {
            done.accept(Reply.failed(ErrorCode.NOT_FOUND, "there is no user " + name));
            finished.run();
            return;
          }
          change(TopologyChange.withoutUser(now, name), name, done, finished);
        });
  }
}
