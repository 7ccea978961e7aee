package io.amphora.admin.http;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Takes a request from its bytes to its answer: body, origin, access, route, endpoint. Runs on the
 * HTTP loop. Whatever goes wrong becomes a problem.
 */
public final class Dispatcher implements Handler<HttpServerRequest> {
  private final RouteTable routes;
  private final Access access;
  private final Consumer<HttpServerRequest> webSockets;

  /**
   * @param webSockets answers requests for a WebSocket, whoever that is: no resource here is one
   */
  public Dispatcher(RouteTable routes, Access access, Consumer<HttpServerRequest> webSockets) {
    this.routes = routes;
    this.access = access;
    this.webSockets = webSockets;
  }

  @Override
  public void handle(HttpServerRequest request) {
    if ("websocket".equalsIgnoreCase(request.getHeader("Upgrade"))) {
      webSockets.accept(request);
      return;
    }
    BodyReader.read(request)
        .compose(body -> answer(request, body))
        .onComplete(answer -> send(request, answer), error -> send(request, answerTo(error)));
  }

  private Future<Answer> answer(HttpServerRequest request, Buffer body) {
    boolean changes = !request.method().name().matches("GET|HEAD|OPTIONS");
    if (changes) {
      CrossOrigin.refuse(request);
    }
    String path = Objects.requireNonNullElse(request.path(), "/");
    Future<Void> permitted =
        path.startsWith("/health/") ? Future.succeededFuture() : access.check(request, changes);
    return permitted.compose(
        ok -> {
          var match = routes.match(request.method().name(), PathSegments.of(path));
          String raw = Objects.requireNonNullElse(request.query(), "");
          Query query = Query.parse(raw, match.route().query());
          return match
              .route()
              .endpoint()
              .handle(new ApiRequest(match.names(), query, body.getBytes()));
        });
  }

  private static Answer answerTo(Throwable error) {
    if (error instanceof RouteTable.MethodNotAllowed wrong) {
      String detail = "this path knows " + wrong.allow();
      return Answer.problem(new Problem(405, "method-not-allowed", detail, ""))
          .with("Allow", wrong.allow());
    }
    Answer answer = Answer.problem(HttpErrors.problemOf(error));
    return answer.status() == 401
        ? answer.with("WWW-Authenticate", "Basic realm=\"amphora\", charset=\"UTF-8\"")
        : answer;
  }

  private static void send(HttpServerRequest request, Answer answer) {
    HttpServerResponse response = request.response();
    if (response.closed() || response.ended()) {
      return;
    }
    response.setStatusCode(answer.status());
    response.putHeader("X-Content-Type-Options", "nosniff");
    response.putHeader("Cache-Control", "no-store");
    answer.headers().forEach(response::putHeader);
    if (!answer.contentType().isEmpty()) {
      response.putHeader("Content-Type", answer.contentType());
    }
    Future<Void> sent;
    if (request.method().name().equals("HEAD")) {
      response.putHeader("Content-Length", Integer.toString(answer.body().length));
      sent = response.end();
    } else {
      sent = response.end(Buffer.buffer(answer.body()));
    }
    if (answer.status() == 413) {
      // The rest of the body is not wanted, and there is no other way to say so.
      sent.onComplete(done -> request.connection().close());
    }
  }
}
