package io.amphora.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.Gauge;
import com.fasterxml.jackson.databind.JsonNode;
import io.amphora.core.node.BrokerStatus;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerTest {
  private RunningServer server;

  @BeforeEach
  void start() throws Exception {
    server = RunningServer.open();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void shouldShowClusterStatusAndConfig() throws Exception {
    JsonNode cluster = server.getJson("/api/v1/cluster");
    assertThat(cluster.path("clusterId").asText()).isEqualTo("c1");
    assertThat(cluster.path("term").asLong()).isEqualTo(3);
    assertThat(cluster.path("version").asLong()).isEqualTo(7);
    assertThat(cluster.path("brokers")).hasSize(2);
    JsonNode status = server.getJson("/api/v1/status");
    assertThat(status.path("brokerId").asText()).isEqualTo("b1");
    assertThat(status.path("version").asText()).isEqualTo("1.2.3");
    assertThat(status.path("ready").asBoolean()).isTrue();
    assertThat(status.path("reason").isNull()).isTrue();
    assertThat(status.path("uptimeMillis").asLong()).isNotNegative();
    assertThat(server.getJson("/api/v1/config").path("broker.id").asText()).isEqualTo("b1");
  }

  @Test
  void shouldBeReadyOnlyWhenTheBrokerIs() throws Exception {
    assertThat(server.get("/health/live").statusCode()).isEqualTo(200);
    assertThat(server.get("/health/ready").statusCode()).isEqualTo(200);
    server.broker.status = new BrokerStatus("b1", "", false, "no leader for t/0", List.of("disk"));
    HttpResponse<String> ready = server.get("/health/ready");
    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(RunningServer.json(ready).path("reason").asText()).isEqualTo("no leader for t/0");
    assertThat(server.getJson("/api/v1/status").path("alarms").get(0).asText()).isEqualTo("disk");
  }

  @Test
  void shouldExportMetrics() throws Exception {
    server.metrics.counter("core.appends").inc(3);
    server.metrics.timer("core.append.latency");
    server.metrics.register("broken", (Gauge<Object>) () -> new Object());
    HttpResponse<String> metrics = server.get("/metrics");
    assertThat(metrics.statusCode()).isEqualTo(200);
    assertThat(metrics.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/plain");
    assertThat(metrics.body()).contains("core_appends_total 3.0").contains("core_append_latency");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /nothing, 404",
    "GET, /api/v1/nothing, 404",
    "GET, /api/v1/topics/, 404",
    "GET, /api/v1/topics/a/b, 404",
    "GET, //, 404",
    "POST, /api/v1/topics, 405",
    "PUT, /api/v1/status, 405",
    "DELETE, /health/live, 405",
    "PATCH, /api/v1/topics/t, 405",
  })
  void shouldAnswerWrongPathsAndMethods(String method, String path, int status) throws Exception {
    HttpResponse<String> answer = server.send(server.request(method, path, ""));
    assertThat(answer.statusCode()).isEqualTo(status);
    JsonNode problem = RunningServer.json(answer);
    assertThat(problem.path("status").asInt()).isEqualTo(status);
    assertThat(problem.path("code").asText()).isNotEmpty();
    assertThat(problem.path("title").asText()).isNotEmpty();
    assertThat(answer.headers().firstValue("Allow").isPresent()).isEqualTo(status == 405);
  }

  @Test
  void shouldAnswerHeadWithoutABody() throws Exception {
    HttpResponse<String> head = server.send(server.request("HEAD", "/api/v1/status", ""));
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
  }

  @Test
  void shouldRefuseABodyThatIsTooLarge() throws Exception {
    String line =
        server.raw(
            "PUT /api/v1/topics/t HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n"
                + " ".repeat(1_200_000));
    assertThat(line).startsWith("HTTP/1.1 413");
  }

  @Test
  void shouldHideWhatNobodyExpected() throws Exception {
    server.broker.broken = true;
    HttpResponse<String> answer = server.get("/api/v1/topics");
    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).doesNotContain("on purpose");
    server.broker.broken = false;
    assertThat(server.get("/api/v1/topics").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://evil.example", "null", "http://127.0.0.1:1", "garbage %", "http://"})
  void shouldRefuseChangesFromOtherOrigins(String origin) throws Exception {
    HttpResponse<String> answer =
        server.send(server.request("PUT", "/api/v1/topics/t", "").header("Origin", origin));
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(server.broker.topics).isEmpty();
    assertThat(
            server
                .send(server.request("GET", "/api/v1/topics", "").header("Origin", origin))
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void shouldAcceptChangesFromItsOwnPages() throws Exception {
    String own = "http://127.0.0.1:" + server.port();
    assertThat(
            server
                .send(server.request("PUT", "/api/v1/topics/t", "").header("Origin", own))
                .statusCode())
        .isEqualTo(201);
  }

  @Test
  void shouldTellWhereToLook() throws Exception {
    assertThat(server.get("/").body()).contains("1.2.3").contains("openapi.json");
  }

  @Test
  void shouldFailToListenOnAPortThatIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      assertThatThrownBy(() -> new RunningServer(true, Map.of(), taken.getLocalPort()))
          .hasRootCauseInstanceOf(BindException.class);
    }
  }

  @Test
  void shouldRefuseBadTopicDefaultsAtStart() {
    assertThatThrownBy(() -> new RunningServer(true, Map.of("partitions", "many")))
        .hasStackTraceContaining("partitions");
  }
}
