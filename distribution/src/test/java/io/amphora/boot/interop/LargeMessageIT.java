package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.boot.it.BrokerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.qpid.protonj2.client.Client;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.Sender;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that are larger than the broker's heap. Needs Debian's python3-qpid-proton. */
@Tag("interop")
class LargeMessageIT {

  private static final String PYTHON = "/usr/bin/python3";
  private static final String HEAP = "96m";
  private static final int LARGE = 100_000_000;
  private static final int MEDIUM = 10 << 20;
  private static final long LIMIT_SECONDS = 300;

  @TempDir Path dir;

  private BrokerProcess broker() throws Exception {
    return BrokerProcess.servingWithHeap(
        HEAP, dir.resolve("data"), "--set", "topics.default.max-message-size=128MiB");
  }

  private static Process python(BrokerProcess broker, String what, String address, int size)
      throws IOException {
    return new ProcessBuilder(
            PYTHON,
            Path.of("src/test/python/large.py").toAbsolutePath().toString(),
            "127.0.0.1:" + broker.amqpPort(),
            what,
            address,
            Integer.toString(size))
        .redirectErrorStream(true)
        .start();
  }

  private static String output(Process process) throws Exception {
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  private List<Path> spools() throws IOException {
    Path folder = dir.resolve("data").resolve("spool");
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  private void awaitSpools(boolean any) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (spools().isEmpty() == any) {
      assertThat(System.nanoTime() - deadline).as("spools: %s", spools()).isNegative();
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  @Test
  void shouldCarryMessagesLargerThanTheHeapForProtonPython() throws Exception {
    try (BrokerProcess broker = broker()) {
      for (int size : new int[] {MEDIUM, LARGE}) {
        String sent = output(python(broker, "send", "py", size));
        assertThat(output(python(broker, "receive", "py", size))).isEqualTo(sent);
      }
      assertThat(spools()).isEmpty();
    }
  }

  @Test
  void shouldCarryTwoAtTheSameTime() throws Exception {
    try (BrokerProcess broker = broker()) {
      Process first = python(broker, "send", "one", LARGE);
      Process second = python(broker, "send", "two", LARGE - 1);
      String sentFirst = output(first);
      String sentSecond = output(second);
      Process third = python(broker, "receive", "one", LARGE);
      Process fourth = python(broker, "receive", "two", LARGE - 1);
      assertThat(output(third)).isEqualTo(sentFirst);
      assertThat(output(fourth)).isEqualTo(sentSecond);
    }
  }

  @Test
  void shouldCarryThemForProtonj2() throws Exception {
    byte[] body = new byte[MEDIUM];
    new Random(MEDIUM).nextBytes(body);
    try (BrokerProcess broker = broker();
        Client client = Client.create();
        Connection connection = client.connect("127.0.0.1", broker.amqpPort());
        Sender sender = connection.openSender("j2");
        Receiver receiver = connection.openReceiver("j2")) {
      Message<byte[]> message = Message.create(body);
      message.annotation("x-opt-partition-key", "k");
      sender.send(message).awaitSettlement(LIMIT_SECONDS, TimeUnit.SECONDS);
      sender.send(Message.create("behind"));
      Delivery delivery = receiver.receive(LIMIT_SECONDS, TimeUnit.SECONDS);
      assertThat(delivery.<byte[]>message().body()).isEqualTo(body);
      delivery.accept();
      assertThat(receiver.receive(LIMIT_SECONDS, TimeUnit.SECONDS).<String>message().body())
          .isEqualTo("behind");
    }
  }

  @Test
  void shouldLeaveNothingOfWhatWasCutOff() throws Exception {
    String kept;
    try (BrokerProcess broker = broker()) {
      kept = output(python(broker, "send", "kept", MEDIUM));
      Process client = python(broker, "send", "cut", LARGE);
      awaitSpools(true);
      client.destroyForcibly().waitFor();
      awaitSpools(false);
      Process first = python(broker, "send", "cut", LARGE);
      Process second = python(broker, "send", "cut", LARGE);
      awaitSpools(true);
      broker.kill();
      first.destroyForcibly().waitFor();
      second.destroyForcibly().waitFor();
    }
    assertThat(spools()).as("the kill came while they were spooled").isNotEmpty();
    try (BrokerProcess broker = broker()) {
      assertThat(spools()).isEmpty();
      assertThat(output(python(broker, "receive", "kept", MEDIUM))).isEqualTo(kept);
      String sent = output(python(broker, "send", "cut", MEDIUM));
      assertThat(output(python(broker, "receive", "cut", MEDIUM))).isEqualTo(sent);
    }
  }
}
