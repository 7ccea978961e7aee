package io.amphora.amqp.node;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import io.amphora.core.topology.PartitionAssignment;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.TopicName;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Queues as RabbitMQ's clients see them: a queue is a topic, its messages are those that the
 * topic's shared group has not done. Owned by the connection loop.
 */
final class QueueOperations {

  private static final String TYPE_ARGUMENT = "x-queue-type";

  /** Every queue is kept in a log; what was asked for is repeated in the answer only. */
  private static final String TYPE = "quorum";

  /** Exclusive queues of one connection at most. */
  private static final int MOST_EXCLUSIVE = 1000;

  private final Caller caller;
  private final QueueFigures figures;

  /** Queues that end with the connection. */
  private final Set<String> exclusive = new LinkedHashSet<>();

  QueueOperations(Caller caller) {
    this.caller = caller;
    this.figures = new QueueFigures(caller);
  }

  /** What a queue was declared with. */
  private record Declared(boolean exclusive, Map<?, ?> arguments) {
    static final Declared PLAIN = new Declared(false, Map.of());
  }

  /** Makes a queue, or finds it. */
  void declare(String name, Map<?, ?> body, Consumer<Response> done) {
    Declared wanted =
        new Declared(
            Boolean.TRUE.equals(body.get("exclusive")),
            body.get("arguments") instanceof Map<?, ?> given ? given : Map.of());
    Optional<TopicInfo> known = caller.topic(name);
    Optional<String> problem = TopicName.problem(name);
    if (known.isPresent()) {
      answer(200, known.get(), Declared.PLAIN, done);
    } else if (problem.isPresent()) {
      done.accept(Response.http(400, problem.get()));
    } else if (Boolean.TRUE.equals(body.get("auto_delete"))) {
      done.accept(Response.http(400, "auto_delete is not supported: delete the queue"));
    } else if (!caller.mayCreate()) {
      done.accept(Response.http(403, "the user's role does not permit to declare queues"));
    } else if (wanted.exclusive && exclusive.size() >= MOST_EXCLUSIVE) {
      done.accept(Response.http(400, "the connection has too many exclusive queues"));
    } else {
      create(name, wanted, done);
    }
  }

  private void create(String name, Declared wanted, Consumer<Response> done) {
    caller
        .broker()
        .createTopic(
            name,
            TopicConfig.DEFAULT,
            caller.loop(),
            caller.guarded(reply -> onCreated(name, wanted, reply, done)));
  }

  private void onCreated(
      String name, Declared wanted, Reply<TopicInfo> reply, Consumer<Response> done) {
    if (reply instanceof Reply.Failed<TopicInfo> failed) {
      Optional<TopicInfo> other = caller.topic(name);
      if (failed.error().code() == ErrorCode.ALREADY_EXISTS && other.isPresent()) {
        answer(200, other.get(), Declared.PLAIN, done);
      } else {
        done.accept(failed(failed.error()));
      }
      return;
    }
    if (wanted.exclusive) {
      exclusive.add(name);
    }
    answer(201, reply.orThrow(), wanted, done);
  }

  private static Response failed(BrokerException error) {
    return Response.http(TopicOperations.status(error.code()), String.valueOf(error.getMessage()));
  }

  /** Shows a queue. */
  void info(String name, Consumer<Response> done) {
    caller
        .topic(name)
        .ifPresentOrElse(
            topic -> answer(200, topic, Declared.PLAIN, done), () -> done.accept(missing(name)));
  }

  private void answer(int status, TopicInfo topic, Declared as, Consumer<Response> done) {
    figures.of(topic, counts -> done.accept(Response.http(status, show(topic, as, counts))));
  }

  private Map<String, Object> show(TopicInfo topic, Declared as, QueueFigures.Counts counts) {
    Object type = as.arguments.get(TYPE_ARGUMENT);
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("name", topic.name());
    body.put("vhost", "/");
    body.put("durable", true);
    body.put("exclusive", as.exclusive || exclusive.contains(topic.name()));
    body.put("auto_delete", false);
    body.put("type", type == null ? TYPE : type.toString().toLowerCase(Locale.ROOT));
    body.put("arguments", as.arguments);
    body.put("leader", topic.partitions().get(0).leader());
    body.put("replicas", replicas(topic));
    body.put("message_count", counts.messages());
    body.put("consumer_count", counts.consumers());
    return body;
  }

  private static String[] replicas(TopicInfo topic) {
    return topic.partitions().get(0).replicas().stream()
        .map(PartitionAssignment.ReplicaId::broker)
        .toArray(String[]::new);
  }

  /** Worded as RabbitMQ's clients look for it. */
  private static Response missing(String name) {
    return Response.http(404, "no queue '" + name + "' in vhost '/'");
  }

  /** Deletes a queue, which is the topic with all of its data. */
  void delete(String name, Consumer<Response> done) {
    Optional<TopicInfo> topic = caller.topic(name);
    if (topic.isEmpty()) {
      // As RabbitMQ does: what is not there holds no messages.
      done.accept(Response.http(200, count(0)));
    } else if (!caller.administers() && !exclusive.contains(name)) {
      done.accept(Response.http(403, "the user's role does not permit to delete queues"));
    } else {
      figures.of(topic.get(), counts -> delete(name, counts.messages(), done));
    }
  }

  private void delete(String name, long messages, Consumer<Response> done) {
    exclusive.remove(name);
    caller
        .broker()
        .deleteTopic(
            name,
            caller.loop(),
            caller.guarded(
                reply ->
                    done.accept(
                        reply instanceof Reply.Failed<TopicInfo> failed
                            ? failed(failed.error())
                            : Response.http(200, count(messages)))));
  }

  private static Map<String, Object> count(long messages) {
    return Map.of("message_count", messages);
  }

  /** Drops what waits in a queue. */
  void purge(String name, Consumer<Response> done) {
    Optional<TopicInfo> topic = caller.topic(name);
    if (topic.isEmpty()) {
      done.accept(missing(name));
    } else if (!caller.administers()) {
      done.accept(Response.http(403, "the user's role does not permit to purge queues"));
    } else {
      figures.of(topic.get(), counts -> purge(topic.get(), counts.messages(), done));
    }
  }

  private void purge(TopicInfo topic, long messages, Consumer<Response> done) {
    Purge.start(
        caller,
        topic,
        messages,
        reply ->
            done.accept(
                reply instanceof Reply.Failed<Long> failed
                    ? failed(failed.error())
                    : Response.http(200, count(reply.orThrow()))));
  }

  /** The connection is over, and what was its own alone. */
  void onClosed() {
    exclusive.forEach(
        name -> caller.broker().deleteTopic(name, caller.loop(), reply -> ignore(reply)));
    exclusive.clear();
  }

  /** What is still there may be declared and deleted by the next connection. */
  private static void ignore(Reply<TopicInfo> reply) {
    if (reply instanceof Reply.Failed<TopicInfo> failed) {
      org.slf4j.LoggerFactory.getLogger(QueueOperations.class)
          .warn("an exclusive queue stays: {}", failed.error().getMessage());
    }
  }
}
