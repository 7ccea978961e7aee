package io.amphora.boot.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RestClientTest {

  private record Canned(int status, String body) {}

  private final ConcurrentLinkedQueue<String> requests = new ConcurrentLinkedQueue<>();
  private Map<String, Canned> answers = Map.of();
  private HttpServer server;
  private RestClient client;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    client =
        new RestClient(
            URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
            Optional.of("anna:secret"));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
    requests.add(request);
    assertThat(exchange.getRequestHeaders().getFirst("Authorization"))
        .isEqualTo("Basic YW5uYTpzZWNyZXQ=");
    Canned canned = answers.getOrDefault(request, new Canned(404, ""));
    byte[] body = canned.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(canned.status(), body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Test
  void shouldEncodeEveryLegalNameIntoOneSegment() {
    assertThat(RestClient.path("topics", "a/b c+d%é", "partitions"))
        .isEqualTo("/topics/a%2Fb%20c%2Bd%25%C3%A9/partitions");
    assertThat(RestClient.path("groups", "orders::$queue"))
        .isEqualTo("/groups/orders%3A%3A%24queue");
  }

  @Test
  void shouldFollowPagesToTheEnd() {
    answers =
        Map.of(
            "GET /api/v1/topics",
                new Canned(200, "{\"items\":[{\"name\":\"a\"}],\"next\":\"x y\"}"),
            "GET /api/v1/topics?after=x+y",
                new Canned(200, "{\"items\":[{\"name\":\"b\"}],\"next\":null}"));
    assertThat(client.items("/topics"))
        .extracting(item -> item.path("name").asText())
        .containsExactly("a", "b");
  }

  @Test
  void shouldPutAProblemIntoOneLine() {
    answers =
        Map.of(
            "PUT /api/v1/topics/a",
            new Canned(
                400,
                """
                {"title":"Bad request","status":400,"code":"INVALID_FIELD",
                 "detail":"partitions must be 1 to 10000","field":"partitions"}
                """));
    CliFailure failure =
        catchThrowableOfType(
            CliFailure.class, () -> client.put("/topics/a", Output.JSON.createObjectNode()));
    assertThat(failure)
        .hasMessage("partitions must be 1 to 10000 (field partitions) [INVALID_FIELD]");
    assertThat(failure.exitCode()).isEqualTo(1);
  }

  @Test
  void shouldSurviveAnswersThatAreNoJson() {
    answers =
        Map.of(
            "GET /api/v1/a", new Canned(502, "<html>proxy</html>"),
            "GET /health/ready", new Canned(503, "not yet"));
    CliFailure failure = catchThrowableOfType(CliFailure.class, () -> client.get("/a"));
    assertThat(failure).hasMessage("the broker answered with HTTP 502");
    assertThat(client.probe("/health/ready").status()).isEqualTo(503);
  }

  @Test
  void shouldDelete() {
    answers = Map.of("DELETE /api/v1/topics/a", new Canned(204, ""));
    client.delete("/topics/a");
    assertThat(List.copyOf(requests)).containsExactly("DELETE /api/v1/topics/a");
  }
}
