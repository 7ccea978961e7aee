package io.amphora.admin;

import com.codahale.metrics.MetricRegistry;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A server on a free port in front of a fake broker, with calls that wait for the answer. */
final class RunningServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  final FakeBroker broker = new FakeBroker();
  final MetricRegistry metrics = new MetricRegistry();
  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client = HttpClient.newHttpClient();
  private final int port;

  RunningServer(boolean anonymous, Map<String, String> topicDefaults) throws Exception {
    this(anonymous, topicDefaults, 0);
  }

  RunningServer(boolean anonymous, Map<String, String> topicDefaults, int wantedPort)
      throws Exception {
    Context context = ((VertxInternal) vertx).createEventLoopContext();
    CompletableFuture<Integer> listening = new CompletableFuture<>();
    AdminOptions options =
        new AdminOptions(
            "127.0.0.1", wantedPort, "1.2.3", Map.of("broker.id", "b1"), topicDefaults, anonymous);
    context.runOnContext(
        ignored -> {
          try {
            new AdminServer(vertx, new VertxLoop(vertx, context), broker, options, metrics)
                .listen()
                .onComplete(listening::complete, listening::completeExceptionally);
          } catch (RuntimeException e) {
            listening.completeExceptionally(e);
          }
        });
    port = listening.get(10, TimeUnit.SECONDS);
  }

  static RunningServer open() throws Exception {
    return new RunningServer(true, Map.of());
  }

  int port() {
    return port;
  }

  HttpRequest.Builder request(String method, String rawPath, String body) {
    HttpRequest.BodyPublisher publisher =
        body.isEmpty()
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body);
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + rawPath))
        .method(method, publisher);
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
  }

  HttpResponse<String> get(String rawPath) throws Exception {
    return send(request("GET", rawPath, ""));
  }

  JsonNode getJson(String rawPath) throws Exception {
    return json(get(rawPath));
  }

  HttpResponse<String> put(String rawPath, String body) throws Exception {
    return send(request("PUT", rawPath, body));
  }

  HttpResponse<String> delete(String rawPath) throws Exception {
    return send(request("DELETE", rawPath, ""));
  }

  static JsonNode json(HttpResponse<String> response) throws IOException {
    return JSON.readTree(response.body());
  }

  /** Sends bytes that no client library would send; the status line of the answer. */
  String raw(String requestHead) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(requestHead.getBytes(StandardCharsets.ISO_8859_1));
      InputStream in = socket.getInputStream();
      StringBuilder line = new StringBuilder();
      for (int c = in.read(); c >= 0 && c != '\r'; c = in.read()) {
        line.append((char) c);
      }
      return line.toString();
    }
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
