package io.amphora.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessagesTest {
  private RunningServer server;

  @BeforeEach
  void start() throws Exception {
    server = RunningServer.open();
    server.broker.topic("t", 2);
    server.broker.partition("t", 0).append(5000, "k1", "one", "two").append(6000, "", "three");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String body(JsonNode item) {
    return new String(
        Base64.getDecoder().decode(item.path("body").asText()), StandardCharsets.UTF_8);
  }

  @Test
  void shouldBrowseMessagesWithoutControlRecords() throws Exception {
    JsonNode page = server.getJson("/api/v1/topics/t/messages");
    assertThat(page.path("items")).hasSize(3);
    JsonNode first = page.path("items").get(0);
    assertThat(first.path("offset").asLong()).isEqualTo(1);
    assertThat(first.path("timestamp").asLong()).isEqualTo(5000);
    assertThat(first.path("key").asText()).isEqualTo("k1");
    assertThat(first.path("size").asInt()).isEqualTo(5);
    assertThat(body(first)).isEqualTo("one");
    assertThat(page.path("items").get(2).path("key").isNull()).isTrue();
    assertThat(page.path("next").isNull()).isTrue();
    assertThat(page.path("highWatermark").asLong()).isEqualTo(4);
  }

  @Test
  void shouldGoOnFromTheCursor() throws Exception {
    JsonNode page = server.getJson("/api/v1/topics/t/messages?limit=2&offset=2");
    assertThat(page.path("items")).hasSize(2);
    assertThat(page.path("next").isNull()).isTrue();
    JsonNode one = server.getJson("/api/v1/topics/t/messages?limit=1&offset=1");
    assertThat(body(one.path("items").get(0))).isEqualTo("one");
    assertThat(one.path("next").asLong()).isEqualTo(2);
  }

  @Test
  void shouldStartAtTheLogStartWhenTheOffsetIsGone() throws Exception {
    server.broker.partition("t", 0).startAt(3);
    JsonNode page = server.getJson("/api/v1/topics/t/messages?offset=0");
    assertThat(page.path("items")).hasSize(1);
    assertThat(page.path("items").get(0).path("offset").asLong()).isEqualTo(3);
  }

  @Test
  void shouldGiveAnEmptyPageBeyondTheEnd() throws Exception {
    JsonNode page = server.getJson("/api/v1/topics/t/messages?offset=999");
    assertThat(page.path("items")).isEmpty();
    assertThat(page.path("next").isNull()).isTrue();
    assertThat(server.getJson("/api/v1/topics/t/messages?partition=1").path("items")).isEmpty();
  }

  @Test
  void shouldCutLongBodies() throws Exception {
    server.broker.partition("t", 0).append(7000, "", "x".repeat(100_000));
    JsonNode item = server.getJson("/api/v1/topics/t/messages?offset=4").path("items").get(0);
    assertThat(item.path("bodyTruncated").asBoolean()).isTrue();
    assertThat(body(item)).hasSize(64 << 10);
    assertThat(item.path("size").asInt()).isEqualTo(100_000);
  }

  @ParameterizedTest
  @CsvSource({
    "partition=-1, 400, partition",
    "partition=x, 400, partition",
    "partition=2, 404, ''",
    "offset=-1, 400, offset",
    "offset=latest, 400, offset",
    "limit=0, 400, limit",
    "limit=501, 400, limit",
    "group=g, 400, group",
  })
  void shouldRefuseBadParameters(String query, int status, String field) throws Exception {
    var refused = server.get("/api/v1/topics/t/messages?" + query);
    assertThat(refused.statusCode()).isEqualTo(status);
    assertThat(RunningServer.json(refused).path("field").asText()).isEqualTo(field);
  }

  @Test
  void shouldShowPartitions() throws Exception {
    JsonNode page = server.getJson("/api/v1/topics/t/partitions");
    assertThat(page.path("items")).hasSize(2);
    JsonNode first = page.path("items").get(0);
    assertThat(first.path("partition").asInt()).isZero();
    assertThat(first.path("role").asText()).isEqualTo("leader");
    assertThat(first.path("leader").asText()).isEqualTo("b1");
    assertThat(first.path("epoch").asInt()).isEqualTo(1);
    assertThat(first.path("end").asLong()).isEqualTo(4);
    assertThat(first.path("highWatermark").asLong()).isEqualTo(4);
    assertThat(first.path("messages").asLong()).isEqualTo(3);
    assertThat(first.path("segments").asInt()).isEqualTo(1);
    assertThat(page.path("items").get(1).path("messages").asLong()).isZero();
    JsonNode one = server.getJson("/api/v1/topics/t/partitions?limit=1");
    assertThat(one.path("next").asInt()).isZero();
    assertThat(server.getJson("/api/v1/topics/t/partitions?after=0").path("items")).hasSize(1);
  }

  @Test
  void shouldShowAPartitionThatIsNotHere() throws Exception {
    server.broker.partitions.clear();
    JsonNode first = server.getJson("/api/v1/topics/t/partitions").path("items").get(0);
    assertThat(first.path("role").asText()).isEqualTo("unknown");
    assertThat(first.path("messages").isNull()).isTrue();
  }
}
