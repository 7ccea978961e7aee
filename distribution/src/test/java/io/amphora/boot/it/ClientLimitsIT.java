package io.amphora.boot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.testkit.RawClient;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients at the limits and beyond, against a process: each is told what is wrong, or served. */
class ClientLimitsIT {

  /** Of the defaults: docs/configuration.md. */
  private static final int CHANNEL_MAX = 255;

  private static final int HANDLE_MAX = 1023;

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

  private static RawFrame last(List<RawFrame> frames) {
    return frames.get(frames.size() - 1);
  }

  private static String closedWith(RawClient client) throws IOException {
    return last(client.until(RawFrame.CLOSE)).condition(0);
  }

  /** Sends one message on a link of its own, and has it accepted. */
  private static void assertServes(RawClient client) throws IOException {
    client.send(Wire.sender(0, 0, "out", Wire.target("served")));
    client.send(Wire.transfer(0, 0L, Wire.message("m")));
    assertThat(last(client.until(RawFrame.DISPOSITION)).described(4)).isEqualTo(0x24);
  }

  @Test
  void shouldServeAsManySessionsAsItSaysAndNotOneMore() throws Exception {
    try (RawClient client = opened()) {
      for (int channel = 1; channel <= CHANNEL_MAX; channel++) {
        client.send(Wire.begin(channel));
        client.until(RawFrame.BEGIN);
      }
      assertServes(client);
      client.send(Wire.begin(CHANNEL_MAX + 1));
      assertThat(closedWith(client)).isEqualTo("amqp:connection:framing-error");
    }
  }

  @Test
  void shouldServeAsManyLinksAsItSaysAndNotOneMore() throws Exception {
    Footprint before = Footprint.of(broker);
    try (RawClient client = opened()) {
      assertServes(client);
      for (int handle = 1; handle <= HANDLE_MAX; handle++) {
        client.send(Wire.sender(0, handle, "out" + handle, Wire.target("served")));
        client.until(RawFrame.ATTACH);
      }
      client.send(Wire.sender(0, HANDLE_MAX + 1, "more", Wire.target("served")));
      assertThat(closedWith(client)).isEqualTo("amqp:connection:framing-error");
    }
    Footprint.assertBackAt(before, broker);
  }

  private static byte[] open(String container, Object maxFrameSize, int channelMax, Object more) {
    return Wire.frame(
        0,
        RawFrame.OPEN,
        container,
        null,
        maxFrameSize,
        UnsignedShort.valueOf((short) channelMax),
        null,
        null,
        null,
        null,
        null,
        more);
  }

  @Test
  void shouldTakeALargeOpen() throws Exception {
    String container = "c".repeat(30_000);
    Map<Symbol, Object> properties = Map.of(Symbol.valueOf("x"), "p".repeat(30_000));
    try (RawClient client = new RawClient(broker.amqpPort())) {
      client.send(Wire.AMQP, open(container, Wire.u(65536), 255, properties), Wire.begin(0));
      client.until(RawFrame.BEGIN);
      assertServes(client);
      // Container ids become part of the names of durable subscriptions; those have a limit.
      Object durable =
          Wire.list(
              0x28,
              "served",
              Wire.u(2),
              null,
              null,
              null,
              null,
              null,
              null,
              null,
              null,
              new Symbol[] {Symbol.valueOf("topic")});
      client.send(Wire.receiver(0, 1, "sub", durable));
      assertThat(last(client.until(RawFrame.DETACH)).condition(2)).isEqualTo("amqp:invalid-field");
    }
  }

  @Test
  void shouldRefuseAnOpenThatIsLargerThanAFrame() throws Exception {
    try (RawClient client = new RawClient(broker.amqpPort())) {
      byte[] open = open("c".repeat(50_000), Wire.u(65536), 255, null);
      byte[] larger = Wire.join(open, new byte[20_000]);
      System.arraycopy(Wire.int32(larger.length), 0, larger, 0, Integer.BYTES);
      client.send(Wire.AMQP, larger);
      assertThat(closedWith(client)).isEqualTo("amqp:connection:framing-error");
    }
  }

  @Test
  void shouldRefuseAMaxFrameSizeOfOne() throws Exception {
    try (RawClient client = new RawClient(broker.amqpPort())) {
      client.send(Wire.AMQP, Wire.open(1, null));
      assertThat(closedWith(client)).isEqualTo("amqp:connection:framing-error");
    }
  }

  /** A timer that is due every half millisecond would be an attack. */
  @Test
  void shouldNotBeHurriedByAnIdleTimeOutOfOne() throws Exception {
    try (RawClient client = new RawClient(broker.amqpPort())) {
      client.send(Wire.AMQP, Wire.open(65536, 1));
      client.until(RawFrame.OPEN);
      long start = System.nanoTime();
      for (int i = 0; i < 5; i++) {
        assertThat(client.next().code()).as("an empty frame").isZero();
      }
      assertThat(System.nanoTime() - start).as("time for five").isGreaterThan(1_000_000_000L);
      client.send(Wire.begin(0));
      client.until(RawFrame.BEGIN);
      assertServes(client);
    }
  }

  @Test
  void shouldKeepToAChannelMaxOfZero() throws Exception {
    try (RawClient client = new RawClient(broker.amqpPort())) {
      client.send(Wire.AMQP, open("c", Wire.u(65536), 0, null), Wire.begin(7));
      RawFrame begin = last(client.until(RawFrame.BEGIN));
      assertThat(begin.channel()).isZero();
      client.send(Wire.begin(8));
      assertThat(closedWith(client)).isEqualTo("amqp:resource-limit-exceeded");
    }
  }

  /** Names as they stand in an address: percent-encoded. No topic comes of them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                    | amqp:invalid-field",
        "/                     | amqp:invalid-field",
        ".                     | amqp:invalid-field",
        "..                    | amqp:invalid-field",
        "a/../b                | amqp:invalid-field",
        "a/                    | amqp:invalid-field",
        "a%00b                 | amqp:invalid-field",
        "a%0Db                 | amqp:invalid-field",
        "a%7Fb                 | amqp:invalid-field",
        "%                     | amqp:invalid-field",
        "%zz                   | amqp:invalid-field",
        "%ff                   | amqp:invalid-field",
        "%ed%a0%80             | amqp:invalid-field",
        "250 bytes             | amqp:invalid-field",
        "60000 bytes           | amqp:invalid-field",
        "topic://queue://a     | amqp:invalid-field",
        "a/Partitions/x        | amqp:invalid-field",
        "a/Partitions/99999999 | amqp:invalid-field",
        "served/Partitions/7   | amqp:not-found",
        "__positions           | amqp:not-found",
        "__new                 | amqp:not-found",
        "$new                  | amqp:not-found",
        "amphora.tmp.x         | amqp:not-found",
        "a::                   | amqp:invalid-field",
        "::a                   | amqp:invalid-field",
        "a::b::c               | amqp:invalid-field",
        "a::%00                | amqp:invalid-field",
        "a::b%0A               | amqp:invalid-field",
        "a::60000 bytes        | amqp:invalid-field",
        "a/Subscriptions/%07   | amqp:invalid-field",
      })
  void shouldRefuseWhatIsNoName(String written, String condition) throws Exception {
    String address =
        written.replace("60000 bytes", "n".repeat(60_000)).replace("250 bytes", "n".repeat(250));
    boolean group = address.contains("::") || address.contains("Subscriptions");
    try (RawClient client = opened()) {
      assertServes(client);
      List<byte[]> attaches = new ArrayList<>();
      if (!address.isEmpty()) {
        attaches.add(Wire.sender(0, 1, "out", Wire.target(address)));
      }
      attaches.add(Wire.receiver(0, 2, "in", Wire.source(address)));
      for (byte[] attach : attaches) {
        client.send(attach);
        List<RawFrame> refusal = client.until(RawFrame.DETACH);
        RawFrame answer =
            refusal.stream().filter(f -> f.code() == RawFrame.ATTACH).findFirst().get();
        int terminus = attach == attaches.get(attaches.size() - 1) ? 5 : 6;
        assertThat(answer.get(terminus)).as("terminus of the answer").isNull();
        assertThat(last(refusal).get(1)).as("closed").isEqualTo(true);
        if (!group || terminus == 5) { // a sender is told that a group is no target
          assertThat(last(refusal).condition(2)).isEqualTo(condition);
        }
      }
      client.send(Wire.transfer(0, 1L, Wire.message("m")));
      client.until(RawFrame.DISPOSITION);
    }
    assertThat(new Figures(broker).get("topics").path("items")).hasSizeLessThanOrEqualTo(1);
  }
}
