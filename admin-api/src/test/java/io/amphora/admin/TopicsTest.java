package io.amphora.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.amphora.core.ErrorCode;
import io.amphora.core.Reply;
import io.amphora.core.partition.Acks;
import io.amphora.core.topology.TopicConfig;
import io.amphora.wal.codec.Compression;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicsTest {
  private RunningServer server;

  @BeforeEach
  void start() throws Exception {
    server = RunningServer.open();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Test
  void shouldCreateShowAndDeleteATopic() throws Exception {
    HttpResponse<String> created =
        server.put("/api/v1/topics/orders", "{\"partitions\":3,\"flush\":\"interval\"}");
    assertThat(created.statusCode()).isEqualTo(201);
    JsonNode shown = server.getJson("/api/v1/topics/orders");
    assertThat(shown).isEqualTo(RunningServer.json(created));
    assertThat(shown.path("name").asText()).isEqualTo("orders");
    assertThat(shown.path("internal").asBoolean()).isFalse();
    assertThat(shown.path("createdMillis").asLong()).isEqualTo(1234);
    JsonNode config = shown.path("config");
    assertThat(config.path("partitions").asInt()).isEqualTo(3);
    assertThat(config.path("flush").asText()).isEqualTo("interval");
    assertThat(config.path("partitioner").asText()).isEqualTo("sticky");
    assertThat(config.path("retentionBytes").asLong()).isEqualTo(-1);
    assertThat(config.path("segmentBytes").asLong()).isEqualTo(1L << 30);
    assertThat(server.delete("/api/v1/topics/orders").statusCode()).isEqualTo(204);
    assertThat(server.get("/api/v1/topics/orders").statusCode()).isEqualTo(404);
    assertThat(server.delete("/api/v1/topics/orders").statusCode()).isEqualTo(404);
  }

  @Test
  void shouldBeIdempotentAndRefuseOtherSettings() throws Exception {
    assertThat(server.put("/api/v1/topics/t", "").statusCode()).isEqualTo(201);
    assertThat(server.put("/api/v1/topics/t", "").statusCode()).isEqualTo(200);
    assertThat(server.put("/api/v1/topics/t", "{\"partitions\":1}").statusCode()).isEqualTo(200);
    HttpResponse<String> other = server.put("/api/v1/topics/t", "{\"partitions\":2}");
    assertThat(other.statusCode()).isEqualTo(409);
    assertThat(RunningServer.json(other).path("code").asText()).isEqualTo("already-exists");
  }

  @Test
  void shouldAcceptWhatItShows() throws Exception {
    server.put("/api/v1/topics/t", "{\"retentionMillis\":-1,\"maxAttempts\":-1}");
    JsonNode config = server.getJson("/api/v1/topics/t").path("config");
    assertThat(server.put("/api/v1/topics/t", config.toString()).statusCode()).isEqualTo(200);
    assertThat(server.put("/api/v1/topics/t", "{\"config\":" + config + "}").statusCode())
        .isEqualTo(200);
    assertThat(server.broker.topics.get("t").config().retention().millis())
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldAgreeWithWhoCreatedItMeanwhile() throws Exception {
    server.broker.creation = Optional.of(Reply.failed(ErrorCode.ALREADY_EXISTS, "exists"));
    assertThat(server.put("/api/v1/topics/t", "").statusCode()).isEqualTo(409);
    server.broker.creation = Optional.of(Reply.failed(ErrorCode.NOT_LEADER, "no quorum"));
    assertThat(server.put("/api/v1/topics/t", "").statusCode()).isEqualTo(503);
  }

  @Test
  void shouldTakeCompressionAndAcks() throws Exception {
    HttpResponse<String> created =
        server.put("/api/v1/topics/t", "{\"compression\":\"zstd\",\"acks\":1}");
    assertThat(created.statusCode()).isEqualTo(201);
    TopicConfig config = server.broker.topics.get("t").config();
    assertThat(config.compression()).isEqualTo(Compression.ZSTD);
    assertThat(config.acks()).isEqualTo(Acks.LEADER);
    JsonNode shown = RunningServer.json(created).path("config");
    assertThat(shown.path("compression").asText()).isEqualTo("zstd");
    assertThat(shown.path("acks").asText()).isEqualTo("1");
    assertThat(server.put("/api/v1/topics/t", shown.toString()).statusCode()).isEqualTo(200);
    assertThat(server.put("/api/v1/topics/t", "{\"acks\":\"all\"}").statusCode()).isEqualTo(409);
    for (String bad : List.of("{\"acks\":2}", "{\"acks\":true}", "{\"compression\":\"gzip\"}")) {
      assertThat(server.put("/api/v1/topics/u", bad).statusCode()).as(bad).isEqualTo(400);
    }
  }

  @Test
  void shouldTakeDefaultsFromTheConfiguration() throws Exception {
    try (RunningServer other =
        new RunningServer(true, Map.of("partitions", "5", "flush", "os", "acks", "0"))) {
      JsonNode topic = RunningServer.json(other.put("/api/v1/topics/t", "{}"));
      assertThat(topic.path("config").path("partitions").asInt()).isEqualTo(5);
      assertThat(topic.path("config").path("flush").asText()).isEqualTo("os");
      assertThat(topic.path("config").path("acks").asText()).isEqualTo("0");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a/b", "a b", "a+b", "100%", "%2F", "ärger", "日本語", "a;b=c", "a?b#c", "a&b", "\"q\"",
        "a\\b", "😀", "..."
      })
  void shouldServeAnyLegalName(String name) throws Exception {
    String path = "/api/v1/topics/" + encoded(name);
    assertThat(server.put(path, "").statusCode()).isEqualTo(201);
    assertThat(server.broker.topics).containsOnlyKeys(name);
    assertThat(server.getJson(path).path("name").asText()).isEqualTo(name);
    assertThat(server.get(path + "/partitions").statusCode()).isEqualTo(200);
    assertThat(server.get(path + "/messages").statusCode()).isEqualTo(200);
    assertThat(server.delete(path).statusCode()).isEqualTo(204);
  }

  @Test
  void shouldServeTheLongestName() throws Exception {
    String name = "é".repeat(124) + "x";
    assertThat(server.put("/api/v1/topics/" + encoded(name), "").statusCode()).isEqualTo(201);
    assertThat(server.broker.topics).containsOnlyKeys(name);
    assertThat(server.put("/api/v1/topics/" + encoded(name + "y"), "").statusCode()).isEqualTo(400);
  }

  @Test
  void shouldTakeAPlusInThePathAsAPlus() throws Exception {
    assertThat(server.put("/api/v1/topics/a+b", "").statusCode()).isEqualTo(201);
    assertThat(server.broker.topics).containsOnlyKeys("a+b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"__internal", "$x", "a::b", "%2Fa", "a%2F", "..", ".", "a%00b", "%2E%2E"})
  void shouldRefuseIllegalNames(String rawName) throws Exception {
    String line = server.raw("PUT /api/v1/topics/" + rawName + " HTTP/1.1\r\nHost: x\r\n\r\n");
    assertThat(line).startsWith("HTTP/1.1 400");
    assertThat(server.broker.topics).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"%", "%2", "%zz", "%C3", "%FF%FE", "%ED%A0%80"})
  void shouldRefuseMalformedEscapes(String rawName) throws Exception {
    String line = server.raw("GET /api/v1/topics/" + rawName + " HTTP/1.1\r\nHost: x\r\n\r\n");
    assertThat(line).startsWith("HTTP/1.1 400");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "partitions | {\"partitions\":0}",
        "partitions | {\"partitions\":-1}",
        "partitions | {\"partitions\":10001}",
        "partitions | {\"partitions\":1.5}",
        "partitions | {\"partitions\":\"3\"}",
        "partitions | {\"partitions\":null}",
        "partitions | {\"partitions\":true}",
        "partitions | {\"partitions\":99999999999999999999}",
        "retentionMillis | {\"retentionMillis\":0}",
        "retentionMillis | {\"retentionMillis\":-2}",
        "retentionBytes | {\"retentionBytes\":[1]}",
        "segmentBytes | {\"segmentBytes\":1}",
        "segmentBytes | {\"segmentBytes\":-1}",
        "flush | {\"flush\":\"never\"}",
        "flush | {\"flush\":0}",
        "partitioner | {\"partitioner\":\"random\"}",
        "maxMessageBytes | {\"maxMessageBytes\":0}",
        "maxAttempts | {\"maxAttempts\":0}",
        "colour | {\"colour\":\"red\"}",
        "config | {\"config\":1}",
        "nope | {\"config\":{\"nope\":1}}",
        "partitions | {\"partitions\":1,\"config\":{\"partitions\":1}}",
      })
  void shouldNameTheBadField(String field, String body) throws Exception {
    HttpResponse<String> refused = server.put("/api/v1/topics/t", body);
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(RunningServer.json(refused).path("field").asText()).isEqualTo(field);
    assertThat(server.broker.topics).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "[]",
        "1",
        "null",
        "\"x\"",
        "{}{}",
        "{\"partitions\":1,\"partitions\":1}",
        "{'a':1}"
      })
  void shouldRefuseBodiesThatAreNoObject(String body) throws Exception {
    HttpResponse<String> refused = server.put("/api/v1/topics/t", body);
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(RunningServer.json(refused).path("code").asText()).isEqualTo("malformed-body");
  }

  @Test
  void shouldPageByName() throws Exception {
    List.of("c", "a", "e", "b", "d", "__positions").forEach(name -> server.broker.topic(name, 1));
    List<String> seen = new ArrayList<>();
    JsonNode page = server.getJson("/api/v1/topics?limit=2");
    seen.addAll(names(page));
    while (!page.path("next").isNull()) {
      page = server.getJson("/api/v1/topics?limit=2&after=" + page.path("next").asText());
      assertThat(page.path("items").size()).isLessThanOrEqualTo(2);
      seen.addAll(names(page));
    }
    assertThat(seen).containsExactly("a", "b", "c", "d", "e");
    assertThat(names(server.getJson("/api/v1/topics?internal=true"))).contains("__positions");
    assertThat(names(server.getJson("/api/v1/topics?after=zzz"))).isEmpty();
  }

  private static List<String> names(JsonNode page) {
    return StreamSupport.stream(page.path("items").spliterator(), false)
        .map(item -> item.path("name").asText())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit=0",
        "limit=-1",
        "limit=501",
        "limit=abc",
        "limit=",
        "limit=1&limit=2",
        "limit=1e1",
        "limit=99999999999999999999",
        "internal=yes",
        "sort=name"
      })
  void shouldRefuseBadParameters(String query) throws Exception {
    HttpResponse<String> refused = server.get("/api/v1/topics?" + query);
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(RunningServer.json(refused).path("field").asText())
        .isEqualTo(query.substring(0, query.indexOf('=')));
  }

  @Test
  void shouldNotDeleteInternalTopics() throws Exception {
    server.broker.topic("__positions", 1);
    assertThat(server.delete("/api/v1/topics/__positions").statusCode()).isEqualTo(403);
    assertThat(server.broker.topics).containsOnlyKeys("__positions");
  }
}
