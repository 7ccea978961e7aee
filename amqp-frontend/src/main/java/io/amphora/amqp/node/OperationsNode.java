package io.amphora.amqp.node;

import java.util.function.Consumer;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.transport.AmqpError;

/**
 * {@code $management}: requests with an operation, a type and a name (conventions 5.7). Owned by
 * the connection loop.
 */
final class OperationsNode implements RequestNode {

  private final String entity;
  private final HubFigures hubs;
  private final TopicOperations topics;

  /**
   * @param entity what the node is of; used when a request names nothing
   */
  OperationsNode(String entity, HubFigures hubs, TopicOperations topics) {
    this.entity = entity;
    this.hubs = hubs;
    this.topics = topics;
  }

  @Override
  public void handle(Request request, Consumer<Response> done) {
    String name = request.text("name").isEmpty() ? entity : request.text("name");
    String operation = request.text("operation");
    switch (request.text("type")) {
      case "com.microsoft:eventhub" -> read(operation, done, () -> hubs.hub(name, done));
      case "com.microsoft:partition" ->
          read(operation, done, () -> hubs.partition(name, request.text("partition"), done));
      case TopicOperations.TYPE -> topics.handle(operation, name, request, done);
      default -> done.accept(unknown(operation, request.text("type")));
    }
  }

  private static void read(String operation, Consumer<Response> done, Runnable read) {
    if (operation.equals("READ")) {
      read.run();
    } else {
      done.accept(notImplemented("the only operation on this type is READ"));
    }
  }

  private static Response unknown(String operation, String type) {
    if (operation.isEmpty()) {
      return bad("the application property operation is missing");
    }
    return notImplemented("operation " + operation + " on type '" + type + "' is not served");
  }

  static Response bad(String why) {
    return Response.refused(400, AmqpError.INVALID_FIELD, why);
  }

  static Response notImplemented(String what) {
    return Response.refused(501, AmqpError.NOT_IMPLEMENTED, what);
  }

  /** Worded as Azure's clients look for it, to tell it from a node that is away (5.8). */
  static Response notFound(String what) {
    return Response.refused(
        404, AmqpError.NOT_FOUND, "The messaging entity '" + what + "' could not be found.");
  }

  static Response forbidden() {
    return Response.refused(
        403, AmqpError.UNAUTHORIZED_ACCESS, "the user's role does not permit this");
  }

  static Response failed(Symbol condition, String why) {
    return Response.refused(500, condition, why);
  }
}
