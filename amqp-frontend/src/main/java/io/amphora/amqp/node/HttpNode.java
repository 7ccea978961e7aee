package io.amphora.amqp.node;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * {@code /management}: HTTP over AMQP as RabbitMQ's clients speak it (conventions 6.3). Owned by
 * the connection loop.
 */
final class HttpNode implements RequestNode {

  private static final String QUEUES = "/queues/";
  private static final String MESSAGES = "/messages";

  private final QueueOperations queues;
  private final Bearer bearer;

  HttpNode(QueueOperations queues, Bearer bearer) {
    this.queues = queues;
    this.bearer = bearer;
  }

  @Override
  public void handle(Request request, Consumer<Response> done) {
    String path = request.to();
    if (path.startsWith(QUEUES)) {
      queue(request, path.substring(QUEUES.length()), done);
    } else if (path.equals("/auth/tokens")) {
      token(request, done);
    } else if (path.startsWith("/exchanges") || path.startsWith("/bindings")) {
      done.accept(
          Response.http(
              501, "there are no exchanges and no bindings here: publish to /queues/<name>"));
    } else {
      done.accept(Response.http(404, "nothing is served at " + path));
    }
  }

  private void token(Request request, Consumer<Response> done) {
    if (!request.subject().equals("PUT")) {
      done.accept(notAllowed(request.subject()));
    } else if (request.body() instanceof byte[] token) {
      bearer.put(
          new String(token, StandardCharsets.UTF_8),
          problem ->
              done.accept(
                  problem
                      .map(why -> Response.http(401, why))
                      .orElseGet(() -> Response.http(204, null))));
    } else {
      done.accept(Response.http(400, "the body has to be the token, as binary"));
    }
  }

  private void queue(Request request, String rest, Consumer<Response> done) {
    boolean messages = rest.endsWith(MESSAGES);
    String segment = messages ? rest.substring(0, rest.length() - MESSAGES.length()) : rest;
    String name;
    try {
      // A plus sign stands for itself in a path.
      name = URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      done.accept(Response.http(400, "malformed percent-encoding in " + request.to()));
      return;
    }
    if (segment.isEmpty() || segment.contains("/")) {
      done.accept(Response.http(404, "nothing is served at " + request.to()));
    } else if (messages) {
      messages(request.subject(), name, done);
    } else {
      queue(request, request.subject(), name, done);
    }
  }

  private void messages(String method, String name, Consumer<Response> done) {
    if (method.equals("DELETE")) {
      queues.purge(name, done);
    } else {
      done.accept(notAllowed(method));
    }
  }

  private void queue(Request request, String method, String name, Consumer<Response> done) {
    switch (method) {
      case "PUT" -> queues.declare(name, request.map(), done);
      case "GET" -> queues.info(name, done);
      case "DELETE" -> queues.delete(name, done);
      default -> done.accept(notAllowed(method));
    }
  }

  private static Response notAllowed(String method) {
    return method.isEmpty()
        ? Response.http(400, "the subject has to be the method")
        : Response.http(405, "method " + method + " is not served here");
  }
}
