package io.amphora.boot.it;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A full disk stops producers, loses nothing, and is over when there is space again. */
@Tag("chaos")
class DiskFullIT {

  @TempDir private Path dir;
  private Path mount;

  @BeforeEach
  void mountSmallDisk() throws Exception {
    mount = Files.createDirectory(dir.resolve("disk"));
    run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", mount.toString());
  }

  @AfterEach
  void unmount() throws Exception {
    run("umount", mount.toString());
  }

  /** Fails, rather than skipping, where a file system cannot be mounted: these tests need root. */
  private static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("%s: %s", List.of(command), output).isZero();
  }

  @Test
  void shouldBlockProducersKeepWhatIsAcceptedAndGoOnWhenThereIsSpace() throws Exception {
    Path filler = mount.resolve("filler");
    Files.write(filler, new byte[32 << 20]);
    long accepted;
    try (BrokerProcess broker =
        BrokerProcess.serving(
            mount.resolve("data"),
            "--set",
            "topics.default.segment.bytes=1MiB",
            "--set",
            "disk.reserve=4MiB")) {
      BrokerProcess send =
          broker.command(
              "send",
              "full",
              "--count",
              "100000",
              "--size",
              "4KiB",
              "--timeout",
              "5s",
              "--output",
              "json");
      assertThat(send.exitCode()).as("the disk cannot hold that: %s", send).isEqualTo(1);
      accepted = accepted(send);
      assertThat(accepted).isPositive();
      BrokerProcess status = broker.command("status");
      assertThat(String.join("\n", status.out())).containsIgnoringCase("disk");

      BrokerProcess receive =
          broker.command("receive", "full", "--group", "reader", "--count", "" + accepted);
      assertThat(receive.exitCode()).as("consumers go on: %s", receive.err()).isZero();

      Files.delete(filler);
      BrokerProcess again =
          broker.command("send", "full", "--count", "10", "--size", "1KiB", "--timeout", "30s");
      assertThat(again.exitCode()).as("%s", again).isZero();
      assertThat(broker.terminate()).as("%s", broker).isZero();
    }
    try (BrokerProcess broker = BrokerProcess.serving(mount.resolve("data"))) {
      long all = accepted + 10;
      BrokerProcess receive =
          broker.command("receive", "full", "--group", "second", "--count", "" + all);
      assertThat(receive.exitCode()).as("%s", receive.err()).isZero();
    }
  }

  /** A producer that waits for credit while the disk is full gets it when there is space (B130). */
  @Test
  void shouldGiveCreditToAWaitingProducerWhenThereIsSpace() throws Exception {
    Path filler = mount.resolve("filler");
    Files.write(filler, new byte[32 << 20]);
    try (BrokerProcess broker =
        BrokerProcess.serving(
            mount.resolve("data"), "--set", "topics.default.segment.bytes=1MiB")) {
      BrokerProcess fill =
          broker.command("send", "full", "--count", "100000", "--size", "4KiB", "--timeout", "5s");
      assertThat(fill.exitCode()).isEqualTo(1);
      JmsConnectionFactory factory = new JmsConnectionFactory(broker.amqpUrl());
      try (Connection connection = factory.createConnection()) {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = session.createProducer(session.createQueue("full"));
        CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(producer, session));
        BrokerProcess status = broker.command("status");
        assertThat(String.join("\n", status.out())).containsIgnoringCase("disk");
        assertThat(sent).isNotDone();
        Files.delete(filler);
        sent.get(60, TimeUnit.SECONDS);
      }
    }
  }

  private static void send(MessageProducer producer, Session session) {
    try {
      producer.send(session.createTextMessage("waited"));
    } catch (JMSException e) {
      throw new AssertionError("the send was refused", e);
    }
  }

  /** A disk that is gone stops the broker; it never goes on as if it could keep messages (B131). */
  @Test
  void shouldStopWhenItsDataIsGone() throws Exception {
    Path data = mount.resolve("data");
    try (BrokerProcess broker =
        BrokerProcess.serving(data, "--set", "topics.default.segment.bytes=1MiB")) {
      assertThat(broker.command("send", "gone", "--count", "1", "--body", "x").exitCode()).isZero();
      run("rm", "-rf", data.toString());
      BrokerProcess send =
          broker.command("send", "gone", "--count", "3000", "--size", "1KiB", "--timeout", "10s");
      assertThat(send.exitCode()).as("%s", send).isEqualTo(1);
      assertThat(broker.exitCode()).as("%s", broker).isEqualTo(70);
      assertThat(String.join("\n", broker.err())).contains("FAULT");
    }
  }

  private static long accepted(BrokerProcess send) {
    String json = String.join("", send.out());
    return Long.parseLong(json.replaceAll(".*\"accepted\"\\s*:\\s*(\\d+).*", "$1"));
  }
}
