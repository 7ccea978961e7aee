package io.amphora.amqp.node;

import io.amphora.amqp.AmqpErrors;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import io.amphora.core.topology.TopicConfig;
import io.amphora.core.topology.TopicInfo;
import io.amphora.core.topology.TopicName;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Creates, shows, lists and deletes topics over AMQP: operations CREATE, READ, QUERY and DELETE on
 * the type {@code amphora:topic}. Owned by the connection loop.
 */
final class TopicOperations {

  static final String TYPE = "amphora:topic";

  /** Topics listed by one QUERY at most. */
  private static final int MOST = 1000;

  private final Caller caller;

  TopicOperations(Caller caller) {
    this.caller = caller;
  }

  void handle(String operation, String name, Request request, Consumer<Response> done) {
    switch (operation) {
      case "READ" ->
          done.accept(
              caller
                  .topic(name)
                  .map(topic -> Response.status(200, "OK", show(topic)))
                  .orElseGet(() -> OperationsNode.notFound(name)));
      case "QUERY" -> done.accept(query(request));
      case "CREATE" -> create(name, request, done);
      case "DELETE" -> delete(name, done);
      default ->
          done.accept(OperationsNode.notImplemented("operations are CREATE, READ, QUERY, DELETE"));
    }
  }

  private static Map<String, Object> show(TopicInfo topic) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("name", topic.name());
    body.put("type", TYPE);
    body.put("partitions", topic.partitions().size());
    body.put("created_at", Date.from(Instant.ofEpochMilli(topic.createdMillis())));
    return body;
  }

  /** Names in order, from the one behind application property {@code after}. */
  private Response query(Request request) {
    String after = request.text("after");
    List<List<Object>> results =
        caller.broker().topology().topics().keySet().stream()
            .filter(name -> name.compareTo(after) > 0)
            .sorted()
            .map(caller::topic)
            .flatMap(Optional::stream)
            .limit(MOST)
            .map(topic -> List.<Object>of(topic.name(), topic.partitions().size()))
            .toList();
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("attributeNames", List.of("name", "partitions"));
    body.put("results", results);
    return Response.status(200, "OK", body);
  }

  private void create(String name, Request request, Consumer<Response> done) {
    Optional<String> problem = TopicName.problem(name);
    Object partitions = request.map().get("partitions");
    if (!caller.administers()) {
      done.accept(OperationsNode.forbidden());
    } else if (problem.isPresent()) {
      done.accept(OperationsNode.bad(problem.get()));
    } else if (partitions != null && !(partitions instanceof Number)) {
      done.accept(OperationsNode.bad("partitions is a number"));
    } else {
      TopicConfig config =
          partitions instanceof Number number
              ? TopicConfig.DEFAULT.withPartitions(number.intValue())
              : TopicConfig.DEFAULT;
      caller
          .broker()
          .createTopic(
              name, config, caller.loop(), caller.guarded(reply -> done.accept(created(reply))));
    }
  }

  private static Response created(Reply<TopicInfo> reply) {
    return reply instanceof Reply.Failed<TopicInfo> failed
        ? refused(failed.error())
        : Response.status(201, "Created", show(reply.orThrow()));
  }

  private void delete(String name, Consumer<Response> done) {
    if (!caller.administers()) {
      done.accept(OperationsNode.forbidden());
    } else if (caller.topic(name).isEmpty()) {
      done.accept(OperationsNode.notFound(name));
    } else {
      caller
          .broker()
          .deleteTopic(name, caller.loop(), caller.guarded(reply -> done.accept(deleted(reply))));
    }
  }

  private static Response deleted(Reply<TopicInfo> reply) {
    return reply instanceof Reply.Failed<TopicInfo> failed
        ? refused(failed.error())
        : Response.status(204, "No Content", null);
  }

  private static Response refused(BrokerException error) {
    int status = status(error.code());
    return Response.refused(
        status, AmqpErrors.condition(error.code()), String.valueOf(error.getMessage()));
  }

  /** The HTTP status that says the same. */
  static int status(ErrorCode code) {
    return switch (code) {
      case NOT_FOUND, RESOURCE_DELETED -> 404;
      case ALREADY_EXISTS, PRECONDITION_FAILED, RESOURCE_LOCKED, LINK_STOLEN -> 409;
      case INVALID_FIELD -> 400;
      case NOT_ALLOWED -> 403;
      case UNAUTHORIZED -> 401;
      case NOT_IMPLEMENTED -> 501;
      case MESSAGE_TOO_LARGE -> 413;
      case RESOURCE_LIMIT, NOT_ENOUGH_REPLICAS, NOT_LEADER, SHUTTING_DOWN -> 503;
      case TIMEOUT -> 504;
      case INDETERMINATE, CORRUPT, INTERNAL -> 500;
    };
  }
}
