package io.amphora.boot.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starting, refusing to start, and stopping. */
class StartIT {

  @TempDir private Path dir;

  /** Refused with exit code 2 and one line of ours; log lines begin with a date. */
  private static void assertRefused(BrokerProcess broker, String... parts) throws Exception {
    assertThat(broker.exitCode()).as("%s", broker).isEqualTo(2);
    assertThat(broker.out()).isEmpty();
    List<String> plain = broker.err().stream().filter(line -> !line.matches("\\d{4}-.*")).toList();
    assertThat(plain).as("%s", broker).hasSize(1);
    assertThat(plain.get(0)).startsWith("amphora: ").contains(parts);
  }

  @Test
  void shouldPrintOneReadyLineAndStopCleanlyOnSigterm() throws Exception {
    try (BrokerProcess broker = BrokerProcess.serving(dir)) {
      assertThat(broker.amqpPort()).isPositive();
      BrokerProcess status = broker.command("status");
      assertThat(status.exitCode()).as("%s", status).isZero();
      assertThat(broker.terminate()).as("%s", broker).isZero();
      assertThat(broker.out())
          .singleElement()
          .asString()
          .matches("ready amqp=127\\.0\\.0\\.1:\\d+ http=127\\.0\\.0\\.1:\\d+");
      assertThat(broker.err()).noneMatch(line -> line.contains(" ERROR "));
    }
  }

  @Test
  void shouldRefuseADataDirectoryThatAnotherBrokerUses() throws Exception {
    try (BrokerProcess first = BrokerProcess.serving(dir);
        BrokerProcess second = BrokerProcess.starting(dir)) {
      assertRefused(second, "data.dir", dir.toString(), "another");
      assertThat(first.command("status").exitCode()).isZero();
    }
    try (BrokerProcess third = BrokerProcess.serving(dir)) {
      assertThat(third.terminate()).isZero();
    }
  }

  @Test
  void shouldRefuseATakenPort() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String port = Integer.toString(taken.getLocalPort());
      for (String key : List.of("listeners.amqp.port", "listeners.http.port")) {
        try (BrokerProcess broker = BrokerProcess.starting(dir, "--set", key + "=" + port)) {
          assertRefused(broker, key, "127.0.0.1:" + port);
        }
      }
    }
  }

  @Test
  void shouldRefuseAnUnknownKeyNamingFileAndLine() throws Exception {
    Path file = Files.writeString(dir.resolve("a.yaml"), "listeners:\n  amqp:\n    prt: 1\n");
    try (BrokerProcess broker =
        BrokerProcess.starting(dir.resolve("data"), "--config", file.toString())) {
      assertRefused(broker, "a.yaml:3", "listeners.amqp.prt", "listeners.amqp.port");
    }
  }

  @Test
  void shouldRefuseADataDirectoryThatCannotBeWritten() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    // The kernel refuses to make directories there, whoever asks.
    for (Path data : List.of(file, file.resolve("below"), Path.of("/proc/amphora"))) {
      try (BrokerProcess broker = BrokerProcess.starting(data)) {
        assertRefused(broker, "data.dir", data.toString());
      }
    }
  }
}
