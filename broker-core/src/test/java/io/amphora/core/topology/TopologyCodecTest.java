package io.amphora.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.core.BrokerException;
import io.amphora.core.partition.Acks;
import io.amphora.core.topology.PartitionAssignment.ReplicaId;
import io.amphora.wal.codec.Compression;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyCodecTest {

  private static final UUID ID = new UUID(1, 2);

  private static final ScramKeys KEYS = new ScramKeys("c2E=", 4096, "c3Q=", "c2U=");

  private static Topology sample() {
    TopicInfo topic =
        new TopicInfo(
            "orders",
            ID,
            TopicConfig.DEFAULT,
            1234,
            List.of(
                new PartitionAssignment(
                    0, List.of(new ReplicaId("b1", "i1")), "b1", 7, List.of("b1"))));
    return new Topology(
        "c",
        3,
        9,
        List.of("b1"),
        Map.of("orders", topic),
        Map.of("u", new UserCredential("u", "admin", Map.of(ScramHash.SHA_256, KEYS))),
        Map.of(
            "orders::$queue",
            new GroupInfo("orders::$queue", new UUID(3, 4), GroupInfo.Mode.SHARED, false)),
        List.of(new UUID(5, 6)));
  }

  @Test
  void shouldReadWhatItWrote() {
    assertThat(TopologyCodec.decode(TopologyCodec.encode(sample()))).isEqualTo(sample());
  }

  private static final String FORMAT_1 =
      """
      {"format":1,"topology":{"clusterId":"c","term":3,"version":9,"voters":["b1"],
      "topics":{"orders":{"name":"orders","id":"00000000-0000-0001-0000-000000000002",
       "config":{"partitions":1,"retention":{"millis":1209600000,"bytes":9223372036854775807},
        "segmentBytes":1073741824,"segmentMillis":604800000,"flush":"COMMIT",
        "flushIntervalMillis":100,"partitioner":"STICKY","maxMessageBytes":67108864,
        "maxAttempts":16},
       "createdMillis":1234,
       "partitions":[{"partition":0,"replicas":[{"broker":"b1","incarnation":"i1"}],
        "leader":"b1","epoch":7,"isr":["b1"]}]}},
      "users":{"u":{"name":"u","role":"admin","salt":"c2E=","iterations":4096,
       "storedKey":"c3Q=","serverKey":"c2U="}},
      "groups":{"orders::$queue":{"name":"orders::$queue",
       "id":"00000000-0000-0003-0000-000000000004","mode":"SHARED","startAtLatest":false}},
      "deleted":["00000000-0000-0005-0000-000000000006"]}}
      """;

  /** The document of a released version must stay readable. */
  @Test
  void shouldReadADocumentOfFormat1() {
    assertThat(TopologyCodec.decode(FORMAT_1.getBytes(StandardCharsets.UTF_8))).isEqualTo(sample());
  }

  /** The document of a released version must stay readable: change this only with the format. */
  @Test
  void shouldReadADocumentOfFormat2() {
    String document =
        FORMAT_1
            .replace("\"format\":1", "\"format\":2")
            .replace(
                "\"maxAttempts\":16",
                "\"maxAttempts\":16,\"compression\":\"ZSTD\",\"acks\":\"LEADER\"");
    TopicConfig config =
        TopologyCodec.decode(document.getBytes(StandardCharsets.UTF_8))
            .topics()
            .get("orders")
            .config();
    assertThat(config)
        .isEqualTo(TopicConfig.DEFAULT.withCompression(Compression.ZSTD).withAcks(Acks.LEADER));
  }

  private static final String FORMAT_3 =
      FORMAT_1
          .replace("\"format\":1", "\"format\":3")
          .replace(
              "\"maxAttempts\":16", "\"maxAttempts\":16,\"compression\":\"NONE\",\"acks\":\"ALL\"")
          .replace(
              "\"salt\":\"c2E=\",\"iterations\":4096,\n"
                  + " \"storedKey\":\"c3Q=\",\"serverKey\":\"c2U=\"",
              "\"keys\":{\"SHA_256\":{\"salt\":\"c2E=\",\"iterations\":4096,\"storedKey\":\"c3Q=\",\"serverKey\":\"c2U=\"},"
                  + "\"SHA_512\":{\"salt\":\"c2E=\",\"iterations\":9999,\"storedKey\":\"c3Q=\",\"serverKey\":\"c2U=\"}}");

  /** The document of a released version must stay readable: change this only with the format. */
  @Test
  void shouldReadADocumentOfFormat3() {
    UserCredential user =
        TopologyCodec.decode(FORMAT_3.getBytes(StandardCharsets.UTF_8)).users().get("u");
    assertThat(user.keysFor(ScramHash.SHA_256)).contains(KEYS);
    assertThat(user.keysFor(ScramHash.SHA_512))
        .contains(new ScramKeys("c2E=", 9999, "c3Q=", "c2U="));
    assertThat(user.isComplete()).isTrue();
  }

  @Test
  void shouldNotTakeOneFormatForTheOther() {
    for (String garbled :
        List.of(
            FORMAT_1.replace("\"format\":1", "\"format\":2"),
            FORMAT_3.replace("\"format\":3", "\"format\":2"),
            FORMAT_1
                .replace("\"format\":1", "\"format\":3")
                .replace(
                    "\"maxAttempts\":16",
                    "\"maxAttempts\":16,\"compression\":\"NONE\",\"acks\":\"ALL\""),
            FORMAT_1.replace("\"serverKey\":\"c2U=\"", "\"sk\":\"c2U=\""),
            FORMAT_1.replace(
                "\"maxAttempts\":16",
                "\"maxAttempts\":16,\"compression\":\"ZSTD\",\"acks\":\"ALL\""))) {
      assertThatThrownBy(() -> TopologyCodec.decode(garbled.getBytes(StandardCharsets.UTF_8)))
          .isInstanceOf(BrokerException.class)
          .hasMessageContaining("topology document");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"format\" : 3 | \"format\" : 4",
        "\"format\" : 3 | \"format\" : 0",
        "\"format\" : 3 | \"format\" : \"3\"",
        "\"compression\" : \"NONE\" | \"compression\" : \"SNAPPY\"",
        "\"acks\" : \"ALL\" | \"acks\" : 1",
        "\"term\" : 3 | \"term\" : 0",
        "\"term\" : 3 | \"trem\" : 3",
        "\"version\" : 9, | ''",
        "\"clusterId\" : \"c\" | \"clusterId\" : null",
        "\"clusterId\" : \"c\" | \"clusterId\" : \"\"",
        "\"voters\" : [ \"b1\" ] | \"voters\" : [ ]",
        "\"voters\" : [ \"b1\" ] | \"voters\" : [ null ]",
        "\"name\" : \"orders\" | \"name\" : \"other\"",
        "\"partition\" : 0 | \"partition\" : 1",
        "\"epoch\" : 7 | \"epoch\" : -1",
        "\"epoch\" : 7 | \"epoch\" : 7.5",
        "\"flush\" : \"COMMIT\" | \"flush\" : \"NEVER\"",
        "\"partitions\" : 1 | \"partitions\" : 2",
        "SHA_256 | SHA_1",
        "SHA_256 | SHA_512",
        "\"iterations\" : 4096 | \"iterations\" : null",
        "00000005-0006 | 00000005-0006",
      })
  void shouldRefuseAGarbledDocument(String from, String to) {
    String good = new String(TopologyCodec.encode(sample()), StandardCharsets.UTF_8);
    String bad = good.contains(from) ? good.replace(from, to) : good + "x";
    assertThat(bad).isNotEqualTo(good);
    assertThatThrownBy(() -> TopologyCodec.decode(bad.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(BrokerException.class)
        .hasMessageContaining("topology document");
  }

  @Test
  void shouldRefuseEveryCutDocument() {
    byte[] good = TopologyCodec.encode(sample());
    for (int length = 0; length < good.length; length++) {
      byte[] cut = Arrays.copyOf(good, length);
      assertThatThrownBy(() -> TopologyCodec.decode(cut))
          .as("%d bytes", length)
          .isInstanceOf(BrokerException.class);
    }
  }
}
