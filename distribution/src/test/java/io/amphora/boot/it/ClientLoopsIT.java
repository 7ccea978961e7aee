package io.amphora.boot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.RawClient;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ten thousand times the same, over one connection or over many: links, sessions, memory and
 * threads of the broker's process are where they were (B32, B34).
 */
class ClientLoopsIT {

  private static final int LOOPS = 10_000;
  private static final int BATCH = 50;
  private static final int CONNECTIONS = 2_000;

  @TempDir static Path dir;
  private static BrokerProcess broker;

  @BeforeAll
  static void start() throws Exception {
    broker = BrokerProcess.servingWithHeap("96m", dir.resolve("data"));
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  private static RawClient opened() throws IOException {
    RawClient client = new RawClient(broker.amqpPort());
    client.send(Wire.AMQP, Wire.open(), Wire.begin(0));
    client.until(RawFrame.BEGIN);
    return client;
  }

  /** Sends the frames of each turn, and after each batch waits for as many answers of a kind. */
  private static void loop(RawClient client, int times, int answer, IntFunction<byte[]> turn)
      throws IOException {
    for (int i = 0; i < times; i += BATCH) {
      List<byte[]> frames = new ArrayList<>();
      for (int j = i; j < i + BATCH; j++) {
        frames.add(turn.apply(j));
      }
      client.send(Wire.join(frames));
      for (int j = 0; j < BATCH; j++) {
        client.until(answer);
      }
    }
  }

  private static void assertLeavesNothing(int answer, IntFunction<byte[]> turn) throws Exception {
    try (RawClient client = opened()) {
      loop(client, 1_000, answer, turn); // classes, caches, compiled code
      Footprint before = Footprint.of(broker);
      loop(client, LOOPS, answer, turn);
      Footprint.assertBackAt(before, broker);
    }
  }

  @Test
  void shouldForgetSessions() throws Exception {
    assertLeavesNothing(RawFrame.END, i -> Wire.join(Wire.begin(1), Wire.end(1)));
  }

  @Test
  void shouldForgetSessionsWithLinks() throws Exception {
    assertLeavesNothing(
        RawFrame.END,
        i ->
            Wire.join(
                Wire.begin(1),
                Wire.sender(1, 0, "out" + i, Wire.target("looped")),
                Wire.receiver(1, 1, "in" + i, Wire.source("looped")),
                Wire.end(1)));
  }

  @Test
  void shouldForgetSenders() throws Exception {
    assertLeavesNothing(
        RawFrame.DETACH,
        i ->
            Wire.join(
                Wire.sender(0, 0, "out" + i, Wire.target("looped")),
                Wire.transfer(0, (long) i, Wire.message("m"), true, false),
                Wire.detach(0, i % 2 == 0)));
  }

  @Test
  void shouldForgetReceivers() throws Exception {
    assertLeavesNothing(
        RawFrame.DETACH,
        i ->
            Wire.join(
                Wire.receiver(0, 0, "in" + i, Wire.source("read")),
                Wire.flow(0, 0L, 10, false, false),
                Wire.detach(0, true)));
  }

  @Test
  void shouldForgetSubscribersOfATopic() throws Exception {
    assertLeavesNothing(
        RawFrame.DETACH,
        i ->
            Wire.join(
                Wire.receiver(0, 0, "in" + i, Wire.source("read", "topic")),
                Wire.flow(0, 0L, 10, false, false),
                Wire.detach(0, true)));
  }

  @Test
  void shouldForgetRefusedLinks() throws Exception {
    assertLeavesNothing(
        RawFrame.DETACH,
        i ->
            Wire.join(Wire.receiver(0, 0, "in" + i, Wire.source("a::b::c")), Wire.detach(0, true)));
  }

  @Test
  void shouldForgetConnections() throws Exception {
    connections(200);
    Footprint before = Footprint.of(broker);
    connections(CONNECTIONS);
    Footprint.assertBackAt(before, broker);
  }

  /** One after the other, each in its own way: closed, cut, refused, never opened. */
  private static void connections(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      try (RawClient client = i % 4 == 3 ? new RawClient(broker.amqpPort()) : opened()) {
        if (i % 4 == 0) {
          client.send(Wire.sender(0, 0, "out", Wire.target("looped")), Wire.close());
          client.until(RawFrame.CLOSE);
        } else if (i % 4 == 1) {
          client.send(Wire.receiver(0, 0, "in", Wire.source("read")));
          client.until(RawFrame.ATTACH);
        } else if (i % 4 == 2) {
          client.send(Wire.begin(0));
          client.until(RawFrame.CLOSE);
        } else {
          client.send(Wire.SASL);
        }
      }
    }
  }

  @Test
  void shouldStillServe() throws Exception {
    try (RawClient client = opened()) {
      client.send(Wire.sender(0, 0, "out", Wire.target("after")));
      client.send(Wire.transfer(0, 0L, Wire.message("m")));
      RawFrame answer = client.until(RawFrame.DISPOSITION).stream().reduce((a, b) -> b).get();
      assertThat(answer.described(4)).isEqualTo(0x24);
    }
  }
}
