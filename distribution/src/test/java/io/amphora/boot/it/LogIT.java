package io.amphora.boot.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compressed topics and the offline look at them, as a person would use both. */
class LogIT {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int COUNT = 500;

  @TempDir private Path dir;

  private static BrokerProcess ok(BrokerProcess command) throws Exception {
    assertThat(command.exitCode()).as("%s", command).isZero();
    return command;
  }

  /** Body that repeats itself, as most bodies do. */
  private static String body() {
    return "{\"order\":4711,\"state\":\"paid\",\"city\":\"Berlin\"},".repeat(40);
  }

  private static List<String> receive(BrokerProcess broker, String topic) throws Exception {
    return ok(broker.command(
            "receive", topic, "--group", "g", "--count", "" + COUNT, "--output", "json"))
        .out();
  }

  private void fill(BrokerProcess broker, String topic, String... settings) throws Exception {
    String[] create = {"topic", "create", topic};
    ok(
        broker.command(
            Stream.concat(Stream.of(create), Stream.of(settings)).toArray(String[]::new)));
    ok(broker.command("send", topic, "--count", "" + COUNT, "--body", body(), "--key", "k1"));
  }

  private Path folder(String topic) throws IOException {
    try (Stream<Path> folders = Files.list(dir.resolve("logs"))) {
      return folders
          .filter(folder -> folder.getFileName().toString().startsWith(topic + "-0."))
          .findFirst()
          .orElseThrow();
    }
  }

  private long bytes(String topic) throws IOException {
    return Files.size(folder(topic).resolve("00000000000000000000.log"));
  }

  @Test
  void shouldStoreLessAndGiveBackTheSame() throws Exception {
    try (BrokerProcess broker = BrokerProcess.serving(dir)) {
      fill(broker, "plain");
      fill(broker, "fast", "--compression", "lz4");
      fill(broker, "small", "--compression", "zstd", "--acks", "1");
      assertThat(ok(broker.command("topic", "describe", "small")).out())
          .anyMatch(line -> line.contains("compression = zstd"))
          .anyMatch(line -> line.contains("acks = 1"));
      for (String topic : List.of("plain", "fast", "small")) {
        for (String line : receive(broker, topic)) {
          assertThat(JSON.readTree(line).path("body").asText()).isEqualTo(body());
        }
      }
      BrokerProcess refused = broker.command("topic", "create", "x", "--compression", "gzip");
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.err()).singleElement().asString().contains("--compression", "zstd");
      assertThat(broker.terminate()).isZero();
    }
    assertThat(bytes("fast")).isLessThan(bytes("plain") / 2);
    assertThat(bytes("small")).isLessThan(bytes("plain") / 4);
    try (BrokerProcess broker = BrokerProcess.serving(dir)) {
      for (String topic : List.of("plain", "fast", "small")) {
        BrokerProcess again =
            ok(
                broker.command(
                    "receive", topic, "--group", "h", "--count", "" + COUNT, "--output", "json"));
        assertThat(again.out()).as("from disk").hasSize(COUNT);
        assertThat(JSON.readTree(again.out().get(COUNT - 1)).path("body").asText())
            .isEqualTo(body());
      }
    }
  }

  private static void flip(Path file, long position) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, position);
      one.put(0, (byte) (one.get(0) ^ 1)).flip();
      channel.write(one, position);
    }
  }

  private static void assertDumped(BrokerProcess broker, String data) throws Exception {
    BrokerProcess dump =
        ok(
            broker.command(
                "log",
                "dump",
                data,
                "--topic",
                "orders",
                "--partition",
                "0",
                "--records",
                "--count",
                "1000"));
    assertThat(dump.out()).filteredOn(line -> line.startsWith("  record")).hasSize(501);
    assertThat(dump.out())
        .anyMatch(line -> line.contains("control"))
        .anyMatch(line -> line.contains("zstd of") && line.contains("crc ok"))
        .anyMatch(line -> line.contains("key k1") && line.contains("data "));
  }

  private static void assertRefused(BrokerProcess broker, String... args) throws Exception {
    String[] verify = {"log", "verify"};
    BrokerProcess refused =
        broker.command(Stream.concat(Stream.of(verify), Stream.of(args)).toArray(String[]::new));
    assertThat(refused.exitCode()).as("%s", refused).isEqualTo(2);
  }

  @Test
  void shouldVerifyAndDumpWhatAStoppedBrokerLeft() throws Exception {
    String data = dir.toString();
    try (BrokerProcess broker = BrokerProcess.serving(dir)) {
      fill(broker, "orders", "--compression", "zstd");
      BrokerProcess busy = broker.command("log", "verify", data);
      assertThat(busy.exitCode()).isEqualTo(2);
      assertThat(busy.err()).singleElement().asString().contains("in use by a broker");
      assertThat(broker.terminate()).isZero();

      BrokerProcess healthy = ok(broker.command("log", "verify", data));
      assertThat(healthy.out()).anyMatch(line -> line.matches("orders-0 {2}ok .* records 501 .*"));
      assertDumped(broker, data);
      BrokerProcess one =
          ok(
              broker.command(
                  "log",
                  "dump",
                  data,
                  "--topic",
                  "orders",
                  "--partition",
                  "0",
                  "--offset",
                  "7",
                  "--count",
                  "1",
                  "--records",
                  "--output",
                  "json"));
      JsonNode batch = JSON.readTree(one.out().get(0));
      assertThat(batch.path("list").get(0).path("offset").asLong()).isEqualTo(7);

      Path log = folder("orders").resolve("00000000000000000000.log");
      long position = batch.path("position").asLong();
      flip(log, position + 90);
      BrokerProcess bad = broker.command("log", "verify", data, "--topic", "orders");
      assertThat(bad.exitCode()).isEqualTo(1);
      assertThat(bad.out())
          .anyMatch(line -> line.startsWith("orders-0  DAMAGED"))
          .anyMatch(line -> line.contains(log + " is damaged at position " + position + ":"));
      assertRefused(broker, data + "/logs");
      assertRefused(broker, data, "--topic", "no");
    }
  }
}
