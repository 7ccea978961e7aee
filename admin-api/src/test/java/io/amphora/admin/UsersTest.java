package io.amphora.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.topology.ScramPassword;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsersTest {
  private RunningServer server;

  @BeforeEach
  void start() throws Exception {
    server = new RunningServer(false, Map.of());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void user(String name, String role) {
    server.broker.users.put(name, ScramPassword.create(name, role, "secret"));
  }

  private int status(String method, String path, String authorization) throws Exception {
    return server
        .send(server.request(method, path, "").header("Authorization", authorization))
        .statusCode();
  }

  private static String basic(String login) {
    return "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void shouldLetThisMachineCreateTheFirstUserAndThenAskForIt() throws Exception {
    HttpResponse<String> created =
        server.put("/api/v1/users/root", "{\"password\":\"pä:ss\",\"role\":\"admin\"}");
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(RunningServer.json(created).properties()).hasSize(2);
    assertThat(created.body()).doesNotContain("ss").doesNotContain("ey");
    HttpResponse<String> refused = server.get("/api/v1/users/root");
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.headers().firstValue("WWW-Authenticate").orElseThrow()).startsWith("Basic");
    assertThat(status("GET", "/api/v1/users/root", basic("root:pä:ss"))).isEqualTo(200);
    assertThat(status("DELETE", "/api/v1/users/root", basic("root:pä:ss"))).isEqualTo(204);
    assertThat(server.broker.users).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "admin, GET, 200",
    "admin, PUT, 201",
    "monitor, GET, 200",
    "monitor, PUT, 403",
    "user, GET, 403",
    "user, PUT, 403",
  })
  void shouldPermitByRole(String role, String method, int status) throws Exception {
    user("u", role);
    String path = method.equals("GET") ? "/api/v1/topics" : "/api/v1/topics/t";
    assertThat(status(method, path, basic("u:secret"))).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Basic",
        "Basic !!!",
        "Basic dQ==",
        "Bearer x",
        "Basic dTpzZWNyZQ==",
        "Basic Onh4",
        "Basic dTo="
      })
  void shouldRefuseBadLogins(String authorization) throws Exception {
    user("u", "admin");
    assertThat(status("GET", "/api/v1/topics", authorization)).isEqualTo(401);
    assertThat(status("GET", "/metrics", authorization)).isEqualTo(401);
    assertThat(status("GET", "/nothing", authorization)).isEqualTo(401);
  }

  @Test
  void shouldCheckALoginThatIsGivenAlsoWhereNoneIsNeeded() throws Exception {
    try (RunningServer open = RunningServer.open()) {
      open.broker.users.put("u", ScramPassword.create("u", "admin", "secret"));
      assertThat(open.get("/api/v1/topics").statusCode()).isEqualTo(200);
      assertThat(statusOf(open, "u:secret")).isEqualTo(200);
      assertThat(statusOf(open, "u:wrong")).isEqualTo(401);
      assertThat(statusOf(open, "nobody:secret")).isEqualTo(401);
    }
    assertThat(statusOf(server, "nobody:x")).as("before the first user exists").isEqualTo(401);
  }

  private static int statusOf(RunningServer server, String login) throws Exception {
    return server
        .send(server.request("GET", "/api/v1/topics", "").header("Authorization", basic(login)))
        .statusCode();
  }

  @Test
  void shouldKeepHealthOpen() throws Exception {
    user("u", "admin");
    assertThat(server.get("/health/live").statusCode()).isEqualTo(200);
    assertThat(server.get("/health/ready").statusCode()).isEqualTo(200);
  }

  @Test
  void shouldReplaceAndListUsers() throws Exception {
    try (RunningServer open = RunningServer.open()) {
      assertThat(open.put("/api/v1/users/b%20c", "{\"password\":\"x\"}").statusCode())
          .isEqualTo(201);
      assertThat(open.put("/api/v1/users/b%20c", "{\"password\":\"y\"}").statusCode())
          .isEqualTo(200);
      assertThat(ScramPassword.verify(open.broker.users.get("b c"), "y")).isTrue();
      var item = open.getJson("/api/v1/users").path("items").get(0);
      assertThat(item.path("name").asText()).isEqualTo("b c");
      assertThat(item.path("role").asText()).isEqualTo("user");
      assertThat(open.delete("/api/v1/users/none").statusCode()).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "u | password | {}",
        "u | password | {\"password\":\"\"}",
        "u | password | {\"password\":1}",
        "u | role | {\"password\":\"x\",\"role\":\"root\"}",
        "u | role | {\"password\":\"x\",\"role\":null}",
        "u | name | {\"password\":\"x\",\"name\":\"u\"}",
        "a%3Ab | user | {\"password\":\"x\"}",
        "a%0Ab | user | {\"password\":\"x\"}",
      })
  void shouldNameTheBadField(String name, String field, String body) throws Exception {
    HttpResponse<String> refused = server.put("/api/v1/users/" + name, body);
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(RunningServer.json(refused).path("field").asText()).isEqualTo(field);
  }
}
